// A table of many rows of one height, of which only those in sight are in the
// document. Sorts, filters, and is walked through by the keyboard.

const SPARE = 8;

/** Texts in the order of a person who counts: 9x9/2 before 9x9/10. */
const collator = new Intl.Collator("en", { numeric: true });

/** Orders two values; what is empty comes last, whichever way the order goes. */
function order(a, b, direction) {
  const [noneA, noneB] = [a === null || a === "", b === null || b === ""];
  if (noneA || noneB) return Number(noneA) - Number(noneB);
  const way = typeof a === "number" ? a - b : collator.compare(a, b);
  return direction * way;
}

/** Classes of the cells of a column. */
const classes = (column) =>
  [column.number && "number", column.narrow && "hide-narrow", column.spare && "spare"].filter(Boolean).join(" ") || null;

class Rows {
  /**
   * `columns`: {key, title, value(row), cell(row), number, narrow, spare, width};
   * `open(row)` is called where a row is chosen, `closed()` by Escape.
   */
  constructor({ place, caption, columns, rows, open, closed }) {
    Object.assign(this, { columns, rows, open, closed });
    this.matching = rows;
    this.sorted = { key: null, direction: 1 };
    this.keep = () => true;
    this.active = 0;
    this.chosen = null;
    this.whole = false;
    this.body = html("tbody", { role: "rowgroup" });
    this.heads = new Map(columns.map((column) => [column.key, this.head(column)]));
    this.table = html("table", { role: "grid" },
      html("caption", { class: "hidden-label" }, caption),
      html("colgroup", {}, columns.map((column) => html("col", { class: classes(column) }))),
      html("thead", { role: "rowgroup" }, html("tr", { role: "row", "aria-rowindex": 1 }, [...this.heads.values()])),
      this.body);
    [...this.table.querySelectorAll("col")].forEach((col, at) => {
      if (columns[at].width) col.style.width = columns[at].width;
    });
    this.view = html("div", { class: "view", onscroll: () => this.draw(), onkeydown: (event) => this.press(event) }, this.table);
    this.count = html("p", { class: "count", role: "status" });
    place.replaceChildren(this.count, this.view);
    new ResizeObserver(() => this.draw()).observe(this.view);
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
    this.arrange();
  }

  head(column) {
    return html("th", { scope: "col", role: "columnheader", class: classes(column), "aria-sort": "none", title: column.hint },
      html("button", { type: "button", onclick: () => this.sort(column.key) }, column.title));
  }

  /** Sorts by a column; by the same again, the other way. */
  sort(key) {
    const { sorted } = this;
    if (sorted.key === key) sorted.direction *= -1;
    else this.sorted = { key, direction: this.columns.find((column) => column.key === key).number ? -1 : 1 };
    for (const [name, head] of this.heads) {
      const way = this.sorted.direction > 0 ? "ascending" : "descending";
      head.setAttribute("aria-sort", name === key ? way : "none");
    }
    this.arrange();
  }

  filter(keep) {
    this.keep = keep;
    this.arrange();
  }

  arrange() {
    const { key, direction } = this.sorted;
    this.matching = this.rows.filter(this.keep);
    if (key !== null) {
      const { value } = this.columns.find((column) => column.key === key);
      const keyed = this.matching.map((row, at) => [value(row), row, at]);
      keyed.sort((a, b) => order(a[0], b[0], direction) || a[2] - b[2]);
      this.matching = keyed.map(([, row]) => row);
    }
    const all = this.rows.length;
    this.count.textContent = this.matching.length === all
      ? counted(all, "row")
      : `${shown(this.matching.length)} of ${counted(all, "row")}`;
    this.table.setAttribute("aria-rowcount", this.matching.length + 1);
    const at = this.matching.indexOf(this.chosen);
    this.active = Math.max(0, at);
    this.view.scrollTop = 0;
    this.view.classList.toggle("short", this.matching.length < 12);
    this.drawn = null;
    this.draw();
  }

  rowHeight() {
    const row = this.body.querySelector(".row");
    return (row && row.getBoundingClientRect().height) || 36;
  }

  /** Puts the rows in sight into the document, and gaps for the others. */
  draw() {
    const height = this.whole ? 0 : this.rowHeight();
    const seen = this.view.clientHeight || 600;
    let first = this.whole ? 0 : Math.max(0, Math.floor(this.view.scrollTop / height) - SPARE);
    let last = this.whole ? this.matching.length : Math.min(this.matching.length, first + Math.ceil(seen / height) + 2 * SPARE);
    if (this.view.classList.contains("short")) [first, last] = [0, this.matching.length];
    // A cell over columns that are not shown would make room for them.
    const across = [...this.heads.values()].filter((head) => head.offsetParent).length;
    const state = `${first} ${last} ${height} ${across}`;
    if (this.drawn === state) return;
    this.drawn = state;
    const hadFocus = this.body.contains(document.activeElement);
    const gap = (rows) => {
      const cell = html("td", { colspan: across });
      cell.style.height = `${rows * height}px`;
      return rows > 0 && !this.whole ? html("tr", { class: "gap", "aria-hidden": "true" }, cell) : null;
    };
    const none = html("tr", { class: "none" }, html("td", { colspan: across }, this.rows.length ? "No row matches the filters." : "None."));
    const rows = this.matching.slice(first, last).map((row, place) => this.row(row, first + place));
    this.body.replaceChildren(...[gap(first), ...(this.matching.length ? rows : [none]), gap(this.matching.length - last)].filter(Boolean));
    // One row can be reached by Tab; where it is out of sight, the view can.
    const inSight = this.active >= first && this.active < last && this.matching.length > 0;
    this.view.tabIndex = inSight ? -1 : 0;
    if (hadFocus) (inSight ? this.element(this.active) : this.view).focus({ preventScroll: true });
  }

  row(row, at) {
    const cells = this.columns.map((column) => {
      const content = column.cell ? column.cell(row) : column.value(row);
      const text = column.value(row);
      const title = typeof text === "string" && text.length > 12 ? text : null;
      return html("td", { role: "gridcell", class: classes(column), title }, content === null ? "" : typeof content === "number" ? shown(content) : content);
    });
    return html("tr", {
      class: "row",
      role: "row",
      "aria-rowindex": at + 2,
      "aria-selected": row === this.chosen ? "true" : "false",
      tabindex: at === this.active ? 0 : -1,
      onclick: () => { this.move(at, false); this.choose(at); },
    }, cells);
  }

  element(at) {
    return this.body.querySelector(`[aria-rowindex="${at + 2}"]`);
  }

  /** Makes a row the one that keys act on, and brings it into sight. */
  move(to, focus = true) {
    if (!this.matching.length) return;
    const at = Math.min(Math.max(to, 0), this.matching.length - 1);
    this.active = at;
    const height = this.rowHeight();
    const head = this.table.tHead.getBoundingClientRect().height;
    const top = at * height;
    if (!this.view.classList.contains("short")) {
      const seen = this.view.clientHeight - head;
      if (top < this.view.scrollTop) this.view.scrollTop = top;
      else if (top + height > this.view.scrollTop + seen) this.view.scrollTop = top + height - seen;
    }
    this.drawn = null;
    this.draw();
    if (focus) this.element(at)?.focus({ preventScroll: this.view.classList.contains("short") === false });
  }

  choose(at) {
    this.chosen = this.matching[at] || null;
    this.drawn = null;
    this.draw();
    if (this.chosen) this.open(this.chosen, at);
  }

  /** Chooses the next row or the one before, as from the details. */
  step(by) {
    const at = this.matching.indexOf(this.chosen) + by;
    if (at < 0 || at >= this.matching.length) return;
    this.move(at, false);
    this.choose(at);
  }

  /** Leaves the chosen row; the focus goes back to where it was opened. */
  leave() {
    this.chosen = null;
    this.drawn = null;
    this.draw();
    this.move(this.active);
  }

  press(event) {
    if (event.target.closest("th")) return;
    const page = Math.max(1, Math.floor(this.view.clientHeight / this.rowHeight()) - 2);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in moves && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      const following = this.chosen !== null && this.follows;
      this.move(this.active + moves[event.key]);
      if (following) this.choose(this.active);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(this.active);
    } else if (event.key === "Escape") {
      this.closed();
    }
  }

  /** Paper has no scrolling: every row is on it, up to a number. */
  print(begins) {
    this.whole = begins && this.matching.length <= 2000;
    this.drawn = null;
    this.draw();
  }
}
