// The page: reads its data, fills the sections, and ties tables to filters and
// details.

const data = JSON.parse(byId("data").textContent);
const { about } = data;
const of = (counts, status) => counts[data.statuses.indexOf(status)];
const differing = (counts) => of(counts, "winner_differs") + of(counts, "margin_differs");
const compared = (counts) => of(counts, "agree") + differing(counts);

/** Rows as objects by the names of their columns. */
const named = (columns, values) => Object.fromEntries(columns.map((name, at) => [name, values[at]]));

const folderOf = (origin) => {
  const file = origin.split("#")[0];
  const end = Math.max(file.lastIndexOf("/"), file.indexOf("!"));
  return end < 0 ? "." : file.slice(0, end) || "/";
};

/** As the counts of years take it: four digits alone, or the first of eight. */
const yearOf = (date) => {
  const number = date.split(/[^0-9]/).find((part) => part.length === 4 || part.length === 8);
  return number && /^[12]/.test(number) ? number.slice(0, 4) : "";
};

const mismatches = data.mismatches.rows.map(([values, difference, board, note], place) => {
  const row = named(data.mismatches.columns, values);
  row.difference = difference;
  row.board = board;
  row.note = note;
  row.place = place;
  row.folder = folderOf(row.origin);
  row.year = yearOf(row.date);
  row.search = `${row.origin} ${row.recorded} ${row.reasons} ${row.rules} ${row.first_player} ${row.second_player} ${row.event} ${row.date}`.toLowerCase();
  return row;
});

const broken = data.broken.rows.map((values, place) => {
  const row = named(data.broken.columns, values);
  row.place = place;
  row.search = values.join(" ").toLowerCase();
  return row;
});

function fillHead() {
  byId("title").textContent = `Labels of ${about.name}`;
  byId("subtitle").textContent =
    `${counted(data.rows, "record")}, columns ${about.schema}; page made by kifu ${about.version}.`;
  const notes = [...about.notes];
  if (!data.rows) notes.unshift("There are no records in this file: nothing was labelled, or nothing was found to label.");
  const list = byId("notes");
  list.append(...notes.map((note) => html("li", {}, note)));
  list.hidden = !notes.length;
}

function fillFigures() {
  const { counts } = data;
  const all = compared(counts);
  const figure = (name, value, small) => html("div", {}, html("dt", {}, name), html("dd", {}, value, " ", html("small", {}, small || "")));
  byId("figures").append(
    figure("records", shown(data.rows)),
    figure("compared: board and record decide", shown(all), percent(all, data.rows)),
    figure("agree, of those compared", percent(of(counts, "agree"), all), shown(of(counts, "agree"))),
    figure("margin differs", shown(of(counts, "margin_differs")), percent(of(counts, "margin_differs"), all)),
    figure("winner differs", shown(of(counts, "winner_differs")), percent(of(counts, "winner_differs"), all)),
    figure("broken", shown(of(counts, "broken")), percent(of(counts, "broken"), data.rows)),
  );
}

/* Agreement by group. */

function sortedHead(titles, sort) {
  const heads = titles.map(([title, number], at) => html("th", { scope: "col", class: number ? "number" : null, "aria-sort": "none" },
    html("button", { type: "button", onclick: () => {
      const down = heads[at].getAttribute("aria-sort") === (number ? "descending" : "ascending");
      const way = down === Boolean(number) ? "ascending" : "descending";
      heads.forEach((head, place) => head.setAttribute("aria-sort", place === at ? way : "none"));
      sort(at, way === "ascending" ? 1 : -1);
    } }, title)));
  return heads;
}

/** A name that may break behind commas and slashes. */
const breakable = (name) => name.split(/(?<=[,/!])/).flatMap((part) => [part, html("wbr")]);

function groupTable(kind, title, shownGroups) {
  const rows = shownGroups.groups.map(([name, counts]) => {
    const all = compared(counts);
    return {
      name,
      rows: counts.reduce((sum, count) => sum + count, 0),
      all,
      agree: of(counts, "agree"),
      share: all ? of(counts, "agree") / all : null,
      margin: of(counts, "margin_differs"),
      winner: of(counts, "winner_differs"),
      broken: of(counts, "broken"),
    };
  });
  const values = [(row) => row.name, (row) => row.rows, (row) => row.all, (row) => row.share, (row) => row.margin, (row) => row.winner, (row) => row.broken];
  const body = html("tbody");
  const differ = (row, status, count) => (count
    ? html("button", { class: "link", type: "button", title: `Show the ${spaced(status)} of ${row.name || "none"}`, onclick: () => showGroup(kind, row.name, status) }, shown(count))
    : "0");
  const line = (row) => {
    const bar = html("i");
    bar.style.width = `${(row.share || 0) * 100}%`;
    return html("tr", {},
      html("td", { class: "name" }, row.name ? breakable(row.name) : html("span", { class: "caption" }, "not known")),
      html("td", { class: "number" }, shown(row.rows)),
      html("td", { class: "number hide-narrow" }, shown(row.all)),
      html("td", { class: "number" }, percent(row.agree, row.all), row.all ? html("span", { class: "share", "aria-hidden": "true" }, bar) : null),
      html("td", { class: "number" }, differ(row, "margin_differs", row.margin)),
      html("td", { class: "number" }, differ(row, "winner_differs", row.winner)),
      html("td", { class: "number hide-narrow" }, shown(row.broken)));
  };
  const draw = () => body.replaceChildren(...rows.map(line));
  const heads = sortedHead([[title], ["records", true], ["compared", true], ["agreement", true], ["margin differs", true], ["winner differs", true], ["broken", true]],
    (at, direction) => {
      rows.sort((a, b) => order(values[at](a), values[at](b), direction) || collator.compare(a.name, b.name));
      draw();
    });
  [2, 6].forEach((at) => heads[at].classList.add("hide-narrow"));
  heads[0].setAttribute("aria-sort", "ascending");
  rows.sort((a, b) => collator.compare(a.name, b.name));
  draw();
  const others = shownGroups.others.reduce((sum, count) => sum + count, 0);
  const rest = others ? `; ${counted(others, "record")} of others are not shown` : "";
  return html("div", { class: `by-${kind}` },
    html("div", { class: "scroll", tabindex: rows.length > 9 ? 0 : null, role: "group", "aria-label": `Agreement by ${title}` },
      html("table", {},
        html("caption", {}, `By ${title} `, html("span", {}, `(${shown(rows.length)}${rest})`)),
        html("thead", {}, html("tr", {}, heads)), body)));
}

function fillGroups() {
  if (!data.rows) {
    byId("groups").hidden = true;
    return;
  }
  const place = byId("group-tables");
  for (const [kind, title] of [["game", "game"], ["rules", "rules"], ["year", "year"], ["folder", "folder"]]) {
    if (data.groups[kind]) place.append(groupTable(kind, title, data.groups[kind]));
  }
  if (!data.groups.year) {
    place.append(html("p", { class: "caption by-year" }, "By year: the rows have no dates; kifu label --with meta writes them."));
  }
}

/* The records that disagree. */

const side = (winner, margin) => (!winner ? "" : winner === "draw" ? "draw" : margin ? `${winner}+${margin}` : winner);
const reasonWords = (row) => row.reasons.split(";").map((reason) => reason.split(/[=@]/)[0]).filter(Boolean);
const readable = (reasons) => reasons.split(";").filter((reason) => reason && !/^(board_says|profile)\b/.test(reason)).join(", ");

/** A name whose folder is shortened before its file is. */
function pathCell(origin) {
  const folder = folderOf(origin);
  const cut = folder === "." || folder === "/" ? 0 : folder.length + 1;
  return html("span", { class: "path" }, html("span", {}, origin.slice(0, cut)), html("b", {}, origin.slice(cut)));
}

const COLUMNS = [
  { key: "origin", title: "record", value: (row) => row.origin, cell: (row) => pathCell(row.origin) },
  { key: "game", title: "game", value: (row) => row.game, narrow: true, spare: true, width: "5.5rem" },
  { key: "status", title: "status", value: (row) => row.status, cell: (row) => html("span", { class: `tag ${row.status}` }, spaced(row.status)), narrow: true, width: "8.5rem" },
  { key: "recorded", title: "written", value: (row) => row.recorded, width: "6.5rem" },
  { key: "board", title: "board says", value: (row) => side(row.winner, row.margin), width: "7.5rem" },
  { key: "difference", title: "points apart", hint: "How far the two margins are apart, in points", value: (row) => (row.difference === null ? null : Math.abs(row.difference)), number: true, width: "7.5rem" },
  { key: "confidence", title: "confidence", value: (row) => (row.confidence === "" ? null : Number(row.confidence)), cell: (row) => row.confidence, number: true, narrow: true, spare: true, width: "7rem" },
  { key: "moves", title: "moves", value: (row) => (row.moves === "" ? null : Number(row.moves)), number: true, narrow: true, spare: true, width: "5rem" },
  { key: "reasons", title: "reasons", value: (row) => readable(row.reasons), narrow: true, spare: true, width: "15%" },
];

const filters = { text: "", status: "", game: "", reason: "", group: null };

const table = new Rows({
  place: byId("mismatch-table"),
  caption: "Records that disagree. Arrow keys move, Enter opens, Escape closes.",
  columns: COLUMNS,
  rows: mismatches,
  open: showDetails,
  closed: closeDetails,
});
table.follows = true;

function applyFilters() {
  const words = filters.text.toLowerCase().split(/\s+/).filter(Boolean);
  table.filter((row) =>
    words.every((word) => row.search.includes(word)) &&
    (!filters.status || row.status === filters.status) &&
    (!filters.game || row.game === filters.game) &&
    (!filters.reason || reasonWords(row).includes(filters.reason)) &&
    (!filters.group || row[filters.group.kind] === filters.group.name));
}

/** A choice of the words that rows have, with how many rows each has. */
function choice(name, title, wordsOf, label) {
  const counts = new Map();
  for (const row of mismatches) for (const word of new Set(wordsOf(row))) counts.set(word, (counts.get(word) || 0) + 1);
  const options = [...counts].sort((a, b) => b[1] - a[1] || collator.compare(a[0], b[0])).slice(0, 200);
  return html("label", {}, title,
    html("select", { id: `filter-${name}`, onchange: (event) => { filters[name] = event.target.value; applyFilters(); } },
      html("option", { value: "" }, "all"),
      options.map(([word, count]) => html("option", { value: word }, `${label(word)} (${shown(count)})`))));
}

function searchBox(id, title, change) {
  return html("label", { class: "grow" }, title,
    html("input", { id, type: "search", autocomplete: "off", spellcheck: "false", oninput: (event) => change(event.target.value) }));
}

function fillMismatches() {
  const { total } = data.mismatches;
  const cut = total > mismatches.length
    ? ` The first ${shown(mismatches.length)} in the order of the file are here (--most); counts and charts are of all.`
    : "";
  byId("mismatches-lead").textContent = total
    ? `${counted(total, "record")} whose written result is not what the board says.${cut}`
    : compared(data.counts)
      ? "Every written result that could be compared is what the board says."
      : "No written result could be compared with the board.";
  if (!mismatches.length) {
    byId("mismatch-table").hidden = true;
    return;
  }
  byId("mismatch-filters").append(
    searchBox("filter-text", "Name, result, reason, player", (text) => { filters.text = text; applyFilters(); }),
    choice("status", "Status", (row) => [row.status], spaced),
    choice("game", "Game", (row) => [row.game], (word) => word),
    choice("reason", "Reason", reasonWords, (word) => word),
    html("button", { class: "button", type: "button", id: "filter-clear", onclick: clearFilters }, "Show all"),
    html("span", { id: "filter-chip" }),
  );
}

function clearFilters() {
  Object.assign(filters, { text: "", status: "", game: "", reason: "", group: null });
  byId("filter-text").value = "";
  for (const name of ["status", "game", "reason"]) byId(`filter-${name}`).value = "";
  showChip();
  applyFilters();
}

/** Shows the rows of a group, from its line in the tables of agreement. */
function showGroup(kind, name, status) {
  if (!mismatches.length) return;
  clearFilters();
  filters.group = { kind, name };
  filters.status = status;
  byId("filter-status").value = mismatches.some((row) => row.status === status) ? status : "";
  showChip();
  applyFilters();
  byId("mismatches").focus({ preventScroll: true });
  byId("mismatches").scrollIntoView();
}

function showChip() {
  const { group } = filters;
  const drop = () => { filters.group = null; showChip(); applyFilters(); };
  byId("filter-chip").replaceChildren(...(group
    ? [html("span", { class: "chip" }, `${group.kind}: ${group.name || "not known"}`,
      html("button", { class: "link", type: "button", "aria-label": "Drop this filter", onclick: drop }, "✕"))]
    : []));
}

/* One record. */

const sides = (row) => (row.game === "xiangqi" ? ["Red", "Black"] : ["Black", "White"]);

function facts(row) {
  const [first, second] = sides(row);
  const dead = row.dead_first || row.dead_second
    ? `${first} ${row.dead_first || 0}, ${second} ${row.dead_second || 0} (${row.dead_from})` : "";
  const players = row.first_player || row.second_player
    ? `${first} ${row.first_player || "?"}, ${second} ${row.second_player || "?"}` : "";
  const ahead = row.difference > 0 ? first : second;
  return [
    ["written", `${row.recorded || "nothing"}${side(row.recorded_winner, row.recorded_margin) ? ` (${side(row.recorded_winner, row.recorded_margin)})` : ""}`],
    ["board says", `${side(row.winner, row.margin)} by ${spaced(row.basis)}`],
    ["apart", row.difference ? `${counted(Math.abs(row.difference), "point")}: the board is better for ${ahead}` : ""],
    ["confidence", row.confidence],
    ["rules", row.rules + (row.komi ? `, komi ${row.komi}` : "") + (Number(row.handicap) ? `, handicap ${row.handicap}` : "")],
    ["counted by", spaced(row.convention)],
    ["dead stones", dead],
    ["board", row.game && row.size ? `${row.game} ${row.size}` : row.game],
    ["moves", row.moves && `${row.moves}, ended: ${spaced(row.ended)}`],
    ["format", row.format],
    ["players", players],
    ["date", row.date],
    ["event", row.event],
  ].filter(([, value]) => value);
}

const listed = (words) => html("ul", { class: "words" }, words.split(";").filter(Boolean).map((word) => html("li", {}, html("code", {}, word))));

function showDetails(row, at) {
  const place = byId("details");
  const title = html("h3", { tabindex: -1 }, breakable(row.origin));
  place.replaceChildren(
    html("header", {}, title, html("button", { class: "button", type: "button", id: "close", "aria-label": "Close the details (Escape)", onclick: closeDetails }, "✕")),
    html("p", { class: "verdict" }, html("span", { class: `tag ${row.status}` }, spaced(row.status))),
    ...drawBoard(row).filter(Boolean),
  );
  if (row.board && row.note) place.append(html("p", { class: "board-legend" }, `Note: ${row.note}.`));
  const list = html("dl", {}, facts(row).flatMap(([name, value]) => [html("dt", {}, name), html("dd", {}, value)]));
  if (row.reasons) list.append(html("dt", {}, "reasons"), html("dd", {}, listed(row.reasons)));
  if (row.warnings) list.append(html("dt", {}, "warnings"), html("dd", {}, listed(row.warnings)));
  place.append(list, html("div", { class: "steps" },
    html("button", { class: "button", type: "button", onclick: () => table.step(-1) }, "Previous"),
    html("button", { class: "button", type: "button", onclick: () => table.step(1) }, "Next"),
    html("span", { class: "count" }, `${shown(at + 1)} of ${shown(table.matching.length)}`)));
  place.hidden = false;
  place.scrollTop = 0;
  byId("said").textContent = `Opened ${row.origin}: ${spaced(row.status)}, written ${row.recorded || "nothing"}, board says ${side(row.winner, row.margin)}`;
  // Over the table, it takes the focus; beside it, arrows go on in the table.
  if (matchMedia("(max-width: 62rem)").matches) title.focus({ preventScroll: true });
}

function closeDetails() {
  if (byId("details").hidden) return;
  byId("details").hidden = true;
  table.leave();
}

/* Broken records. */

const brokenTable = new Rows({
  place: byId("broken-table"),
  caption: "Broken records and what is wrong with them",
  columns: [
    { key: "origin", title: "record", value: (row) => row.origin, cell: (row) => pathCell(row.origin), width: "35%" },
    { key: "format", title: "format", value: (row) => row.format, narrow: true, width: "6rem" },
    { key: "kind", title: "kind", value: (row) => row.error_kind, width: "10rem" },
    { key: "error", title: "error", value: (row) => row.error },
  ],
  rows: broken,
  open: () => {},
  closed: () => {},
});

function fillBroken() {
  const { total } = data.broken;
  const cut = total > broken.length ? ` The first ${shown(broken.length)} in the order of the file are here (--most).` : "";
  byId("broken-lead").textContent = total
    ? `${counted(total, "record")} that cannot be read, or hold a move that cannot be played.${cut}`
    : "Every record could be read and replayed.";
  if (!broken.length) {
    byId("broken-table").hidden = true;
    return;
  }
  byId("broken-filters").append(searchBox("broken-text", "Name, kind, error", (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    brokenTable.filter((row) => words.every((word) => row.search.includes(word)));
  }));
}

function fillSettings() {
  const { settings, run } = about;
  const lines = [["page by", `kifu ${about.version}`], ["rows by", about.labelled_by ? `kifu ${about.labelled_by}` : "not known: no summary beside the rows"], ["columns", about.schema]];
  for (const [name, value] of Object.entries(settings || {})) lines.push([name, value]);
  if (settings && !Object.keys(settings).length) lines.push(["settings", "all as they are by default"]);
  if (!settings) lines.push(["settings", "not known: labels.summary.json lies beside rows that kifu label writes, or is named with --summary"]);
  for (const [name, value] of Object.entries(run || {})) {
    if (["seconds", "rows_per_second", "jobs", "files"].includes(name)) lines.push([spaced(name), typeof value === "number" ? shown(value) : String(value)]);
  }
  byId("settings-list").append(...lines.flatMap(([name, value]) => [html("dt", {}, name), html("dd", {}, value)]));
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.defaultPrevented && !event.target.closest(".filters")) closeDetails();
});

fillHead();
fillFigures();
if (data.rows) drawCharts(data);
else for (const id of ["mismatches", "broken"]) byId(id).hidden = true;
fillGroups();
fillMismatches();
fillBroken();
fillSettings();
