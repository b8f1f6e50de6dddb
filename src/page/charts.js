// Charts as SVG: bars with their numbers beside or above them.

// Signs keep their size where the window is narrow: fewer units across.
const WIDTH = innerWidth < 640 ? 350 : 480;

/** Where the stripes of a fill are, which tell it from others without hue. */
function stripes() {
  return svg("defs", {},
    svg("pattern", { id: "stripes", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("rect", { class: "fill-winner", width: 5, height: 5 }),
      svg("rect", { x: 0, width: 1.6, height: 5, fill: "var(--paper)", "fill-opacity": 0.55 })));
}

/** A chart with its title, what it counts, and a table of the same numbers for
    those who do not see it. */
function figure(title, lead, drawing, columns, rows, legend) {
  drawing.setAttribute("aria-hidden", "true");
  const head = columns.map((name) => html("th", { scope: "col" }, name));
  const body = rows.map((row) => html("tr", {}, row.map((value) => html("td", {}, value))));
  return html("figure", {},
    html("figcaption", {}, html("h3", {}, title), html("p", {}, lead)),
    drawing,
    legend ? html("ul", { class: "legend", "aria-hidden": "true" }, legend.map(([kind, name]) => html("li", {}, swatch(kind), name))) : null,
    html("div", { class: "hidden-label" },
      html("table", {}, html("caption", {}, title), html("thead", {}, html("tr", {}, head)), html("tbody", {}, body))));
}

function swatch(kind) {
  const sign = kind === "mean"
    ? svg("line", { class: "mean", x1: 0, x2: 10, y1: 5, y2: 5 })
    : svg("rect", { class: `fill-${kind}`, width: 10, height: 10 });
  return svg("svg", { viewBox: "0 0 10 10" }, sign);
}

const FILLS = { agree: "agree", margin_differs: "margin", winner_differs: "winner" };

function statusChart(data) {
  const rows = data.statuses
    .map((status, at) => [status, data.counts[at]])
    .reverse()
    .filter(([, count]) => count > 0);
  const largest = Math.max(1, ...rows.map(([, count]) => count));
  const height = 22;
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${rows.length * height}` });
  rows.forEach(([status, count], at) => {
    const y = at * height;
    const width = Math.max(1.5, (count / largest) * (WIDTH - 245));
    drawing.append(
      svg("text", { class: "value", x: 108, y: y + 15, "text-anchor": "end" }, spaced(status)),
      svg("rect", { class: `fill-${FILLS[status] || "other"}`, x: 116, y: y + 4, width, height: 15 }),
      svg("text", { class: "value", x: 122 + width, y: y + 15 }, `${shown(count)}  (${percent(count, data.rows)})`),
    );
  });
  return figure("Records by status", `All ${counted(data.rows, "record")}.`, drawing,
    ["Status", "Records", "Share"],
    rows.map(([status, count]) => [spaced(status), shown(count), percent(count, data.rows)]));
}

/** A round number not below another, for the top of an axis. */
function roundUp(number) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, number)));
  return [1, 2, 2.5, 5, 10].map((step) => step * unit).find((step) => step >= number && Number.isInteger(step)) || number;
}

/** Axes of a chart of upright bars: a frame of lines with the top named. */
function upright(height, top, name) {
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${height + 50}` });
  for (const share of [0, 0.5, 1]) {
    const y = 14 + height * (1 - share);
    drawing.append(svg("line", { class: "axis", x1: 42, x2: WIDTH, y1: y, y2: y }));
    drawing.append(svg("text", { x: 37, y: y + 4, "text-anchor": "end" }, name(top * share)));
  }
  return drawing;
}

const HEIGHT = 130;

function differenceChart(data) {
  const bars = Object.entries(data.differences.bars).map(([bar, count]) => [Number(bar), count]);
  const total = bars.reduce((sum, [, count]) => sum + count, 0);
  const without = data.differences.without;
  const lead = `${counted(total, "record")} that differ and have two margins` +
    (without ? `; ${shown(without)} more without` : "") +
    ". Right of the middle the board is better for the first player than the written result.";
  const reach = Math.max(5, ...bars.map(([bar]) => Math.abs(bar)));
  const top = roundUp(Math.max(1, ...bars.map(([, count]) => count)));
  const drawing = upright(HEIGHT, top, (value) => (Number.isInteger(value) ? shown(value) : ""));
  const step = (WIDTH - 44) / (2 * reach + 1);
  const middle = 44 + (WIDTH - 44) / 2;
  const name = (bar) => (Math.abs(bar) > 20 ? `over ${bar < 0 ? "−" : "+"}20` : `${bar < 0 ? "−" : "+"}${Math.abs(bar)}`);
  for (const [bar, count] of bars) {
    const height = Math.max(1, (count / top) * HEIGHT);
    const x = middle + bar * step - step / 2;
    drawing.append(svg("rect", { class: "fill-margin", x: x + 0.75, y: 14 + HEIGHT - height, width: Math.max(1, step - 1.5), height },
      svg("title", {}, `${name(bar)}: ${shown(count)}`)));
  }
  for (const bar of [-20, -15, -10, -5, 0, 5, 10, 15, 20]) {
    if (Math.abs(bar) <= reach) {
      const text = bar === 0 ? "0" : name(bar);
      drawing.append(svg("text", { x: middle + bar * step, y: HEIGHT + 29, "text-anchor": "middle" }, text));
    }
  }
  drawing.append(
    svg("line", { class: "axis", x1: middle, x2: middle, y1: 14, y2: HEIGHT + 18 }),
    svg("text", { x: middle, y: HEIGHT + 46, "text-anchor": "middle" }, reach > 20 ? "points, rounded up; the ends hold all beyond 20" : "points, rounded up"),
  );
  return figure("How far written margins are from the board's", lead, drawing, ["Points", "Records"],
    bars.sort((a, b) => a[0] - b[0]).map(([bar, count]) => [name(bar), shown(count)]));
}

const RANGES = ["< .5", ".5–.6", ".6–.7", ".7–.8", ".8–.9", ".9–.95", ".95–1", "1"];

function confidenceChart(data) {
  const bins = data.confidences.bins;
  const total = bins.reduce((sum, bin) => sum + bin.rows, 0);
  const drawing = upright(HEIGHT, 100, (value) => `${value} %`);
  const step = (WIDTH - 44) / bins.length;
  bins.forEach((bin, at) => {
    const x = 44 + at * step;
    const middle = x + step / 2;
    drawing.append(svg("text", { x: middle, y: HEIGHT + 29, "text-anchor": "middle" }, RANGES[at]));
    drawing.append(svg("text", { x: middle, y: HEIGHT + 44, "text-anchor": "middle" }, bin.rows ? shown(bin.rows) : "–"));
    if (!bin.rows) return;
    const height = (bin.agree / bin.rows) * HEIGHT;
    const mean = 14 + HEIGHT * (1 - bin.sum / bin.rows / 1000);
    drawing.append(
      svg("rect", { class: "fill-agree", x: x + 5, y: 14 + HEIGHT - height, width: step - 10, height: Math.max(1, height) }),
      svg("line", { class: "mean", x1: x + 2, x2: x + step - 2, y1: mean, y2: mean }),
    );
  });
  return figure("Confidence against agreement",
    `${counted(total, "compared record")}, by confidence; below each range, how many. Where a bar ends below its line, records or labels of that range are worse than the confidence says.`,
    drawing, ["Confidence", "Records", "Agree", "Mean confidence"],
    bins.map((bin, at) => [RANGES[at], shown(bin.rows), percent(bin.agree, bin.rows), bin.rows ? (bin.sum / bin.rows / 1000).toFixed(3) : "–"]),
    [["agree", "share that agrees"], ["mean", "mean confidence"]]);
}

function lengthChart(data) {
  const { width, open, bars } = data.lengths;
  const sum = (bar) => bar[0] + bar[1] + bar[2];
  const total = bars.reduce((all, bar) => all + sum(bar), 0);
  const top = roundUp(Math.max(1, ...bars.map(sum)));
  const drawing = upright(HEIGHT, top, (value) => (Number.isInteger(value) ? shown(value) : ""));
  drawing.append(stripes());
  const step = (WIDTH - 44) / Math.max(1, bars.length);
  const name = (at) => {
    const from = at * width;
    if (open && at === bars.length - 1) return `${from} or more`;
    return width === 1 ? `${from}` : `${from}–${from + width - 1}`;
  };
  bars.forEach((bar, at) => {
    let y = 14 + HEIGHT;
    ["agree", "winner", "other"].forEach((kind, part) => {
      if (!bar[part]) return;
      const height = (bar[part] / top) * HEIGHT;
      y -= height;
      const attributes = { class: `fill-${kind}`, x: 44 + at * step + 0.75, y, width: Math.max(1, step - 1.5), height };
      const fill = svg("rect", attributes, svg("title", {}, `${name(at)} moves: ${shown(bar[part])}`));
      if (kind === "winner") fill.setAttribute("class", "fill-striped");
      drawing.append(fill);
    });
  });
  const every = Math.max(1, Math.ceil(bars.length / 8));
  for (let at = 0; at < bars.length; at += every) {
    drawing.append(svg("text", { x: 44 + at * step, y: HEIGHT + 29 }, String(at * width)));
  }
  drawing.append(svg("text", { x: 44 + (WIDTH - 44) / 2, y: HEIGHT + 46, "text-anchor": "middle" },
    width === 1 ? "moves" : `moves, ${width} a bar`));
  return figure("Length of games", `${counted(total, "record")} with moves that could be read.`, drawing,
    ["Moves", "Agree", "Differ", "Other"], bars.map((bar, at) => [name(at), ...bar.map(shown)]),
    [["agree", "agree"], ["striped", "winner or margin differs"], ["other", "not compared"]]);
}

function drawCharts(data) {
  byId("charts").append(statusChart(data), differenceChart(data), confidenceChart(data), lengthChart(data));
}
