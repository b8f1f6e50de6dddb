// Boards from short texts: a sign a point (X O stones, x o dead ones, b w
// points of a side, . all others), or FEN in xiangqi.

const GO_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

/** The name of a column: in Go without I, elsewhere small with i. */
function columnName(column, game) {
  if (game !== "go") {
    const letter = String.fromCharCode(97 + (column % 26));
    return column < 26 ? letter : String.fromCharCode(96 + Math.floor(column / 26)) + letter;
  }
  const letter = GO_LETTERS[column % 25];
  return column < 25 ? letter : GO_LETTERS[Math.floor(column / 25) - 1] + letter;
}

/** The points that reasons name, as names of points: Q16, h8. */
function namedPoints(reasons, game) {
  const point = game === "go" ? /^[A-Z]{1,2}\d{1,2}$/ : /^[a-z]{1,2}\d{1,2}$/;
  const words = reasons.split(";").filter((reason) => !/^(profile|duplicate|line|eval)\b/.test(reason));
  return new Set(words.flatMap((word) => word.split(/[=@,|:+]/)).filter((part) => point.test(part)));
}

/** The ends of the rows of stones that won a game by a line. */
function winningLines(row, [columns, rows]) {
  if (row.basis !== "line") return [];
  const sign = row.winner === "black" ? "X" : "O";
  const said = /\bline=(\d+)/.exec(row.rules);
  const least = said ? Number(said[1]) : row.game === "tictactoe" ? 3 : 5;
  const has = (x, y) => x >= 0 && y >= 0 && x < columns && y < rows && row.board[y * columns + x] === sign;
  const found = [];
  for (let at = 0; at < columns * rows; at += 1) {
    const [x, y] = [at % columns, Math.floor(at / columns)];
    for (const [right, down] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
      if (!has(x, y) || has(x - right, y - down)) continue;
      let length = 1;
      while (has(x + right * length, y + down * length)) length += 1;
      const ends = [x, y, x + right * (length - 1), y + down * (length - 1)];
      if (length >= least) found.push({ ends, length });
    }
  }
  // Where longer ones do not win, one of the right length did.
  const exact = found.filter(({ length }) => length === least);
  return (exact.length ? exact : found).map(({ ends }) => ends);
}

/** Star points, as Go boards have them. */
function starPoints(columns, rows) {
  const line = (side) => {
    if (side < 7) return side % 2 && side > 4 ? [(side - 1) / 2] : [];
    const edge = side < 12 ? 2 : 3;
    const far = side - 1 - edge;
    return side % 2 ? [edge, (side - 1) / 2, far] : [edge, far];
  };
  const across = line(columns);
  const down = line(rows);
  const all = across.flatMap((x) => down.map((y) => [x, y]));
  // Only corners and the middle below 13.
  const few = Math.min(columns, rows) < 13;
  return all.filter(([x, y]) => {
    const middle = [x * 2 === columns - 1, y * 2 === rows - 1];
    return !few || middle[0] === middle[1];
  });
}

function parseSize(text) {
  const [columns, rows] = text.split("x").map(Number);
  return [columns, rows || columns];
}

/** Wood, lines and names of a board; the empty drawing of one. */
function emptyBoard(columns, rows, game, label) {
  const drawing = svg("svg", {
    class: "board",
    viewBox: `-1.25 -1.25 ${columns + 1.5} ${rows + 1.5}`,
    role: "img",
    "aria-label": label,
  });
  drawing.append(
    svg("rect", { class: "wood", x: -1.25, y: -1.25, width: columns + 1.5, height: rows + 1.5, rx: 0.2 }),
  );
  for (let column = 0; column < columns; column += 1) {
    drawing.append(svg("text", { class: "name", x: column, y: -0.85 }, columnName(column, game)));
  }
  const top = game === "xiangqi" ? rows - 1 : rows;
  for (let row = 0; row < rows; row += 1) {
    drawing.append(svg("text", { class: "name", x: -0.85, y: row }, String(top - row)));
  }
  return drawing;
}

function drawStones(row, size, lines, label) {
  const { board, game, reasons } = row;
  const [columns, rows] = size;
  const drawing = emptyBoard(columns, rows, game, label);
  let path = "";
  for (let y = 0; y < rows; y += 1) path += `M0 ${y}H${columns - 1}`;
  for (let x = 0; x < columns; x += 1) path += `M${x} 0V${rows - 1}`;
  drawing.append(svg("path", { class: "grid", d: path }));
  if (game !== "tictactoe") {
    for (const [x, y] of starPoints(columns, rows)) {
      drawing.append(svg("circle", { class: "star", cx: x, cy: y, r: 0.11 }));
    }
  }
  const points = namedPoints(reasons, game);
  [...board].forEach((sign, at) => {
    const [x, y] = [at % columns, Math.floor(at / columns)];
    const lower = sign.toLowerCase();
    if (lower === "x" || lower === "o") {
      const side = lower === "x" ? "first" : "second";
      const dead = sign === lower;
      drawing.append(svg("circle", { class: dead ? `${side} dead` : side, cx: x, cy: y, r: 0.46 }));
      if (dead) {
        drawing.append(
          svg("path", { class: "cross", d: `M${x - 0.22} ${y - 0.22}l.44 .44m0 -.44l-.44 .44` }),
        );
      }
    } else if (sign === "b" || sign === "w") {
      const side = sign === "b" ? "own-first" : "own-second";
      drawing.append(svg("rect", { class: side, x: x - 0.13, y: y - 0.13, width: 0.26, height: 0.26 }));
    }
    if (points.has(columnName(x, game) + (rows - y))) {
      const on = lower === "x" ? "reason on-first" : "reason";
      drawing.append(svg("path", { class: on, d: `M${x} ${y - 0.34}L${x + 0.3} ${y + 0.2}H${x - 0.3}Z` }));
    }
  });
  for (const [x1, y1, x2, y2] of lines) drawing.append(svg("line", { class: "won", x1, y1, x2, y2 }));
  return drawing;
}

const CHINESE = {
  K: "帥", A: "仕", B: "相", E: "相", N: "傌", H: "傌", R: "俥", C: "炮", P: "兵",
  k: "將", a: "士", b: "象", e: "象", n: "馬", h: "馬", r: "車", c: "砲", p: "卒",
};

/** Whether a font here has Chinese signs: they look unlike a sign no font has. */
const hasChinese = (() => {
  let known = null;
  const ink = (sign) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 32;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.font = "24px sans-serif";
    context.fillText(sign, 2, 26);
    return context.getImageData(0, 0, 32, 32).data.join();
  };
  return () => {
    try {
      known ??= ink("帥") !== ink("\u{ffffe}") && ink("帥") !== ink("相");
    } catch {
      known = false;
    }
    return known;
  };
})();

function drawXiangqi(fen, label) {
  const drawing = emptyBoard(9, 10, "xiangqi", label);
  let path = "M0 0V9M8 0V9";
  for (let row = 0; row < 10; row += 1) path += `M0 ${row}H8`;
  for (let file = 1; file < 8; file += 1) path += `M${file} 0V4M${file} 5V9`;
  path += "M3 0L5 2M5 0L3 2M3 7L5 9M5 7L3 9";
  drawing.append(svg("path", { class: "grid", d: path }));
  const chinese = hasChinese();
  fen.split(" ")[0].split("/").slice(0, 10).forEach((line, row) => {
    let file = 0;
    for (const sign of line) {
      if (/\d/.test(sign)) {
        file += Number(sign);
      } else if (file < 9) {
        const side = sign === sign.toUpperCase() ? "red" : "black";
        drawing.append(
          svg("circle", { class: `piece piece-${side}`, cx: file, cy: row, r: 0.43 }),
          svg("text", { class: `sign sign-${side}`, x: file, y: row + 0.02 },
            chinese ? CHINESE[sign] || sign : sign),
        );
        file += 1;
      }
    }
  });
  return drawing;
}

/** What a drawing shows, for those who do not see it. */
function describeBoard(board) {
  if (board.includes("/")) return `Final position, in FEN: ${board}`;
  const count = (sign) => board.split(sign).length - 1;
  const parts = [
    [count("X"), "stones of the first player"],
    [count("O"), "of the second"],
    [count("x"), "dead stones of the first"],
    [count("o"), "of the second"],
    [count("b"), "points of the first"],
    [count("w"), "of the second"],
  ];
  return `Final board: ${parts.map(([number, what]) => `${number} ${what}`).join(", ")}`;
}

/** The drawing of a final board with its legend, or why there is none. */
function drawBoard(row) {
  if (!row.board) {
    return [html("p", { class: "no-board" }, `No board: ${row.note || "the row has none"}.`)];
  }
  const label = describeBoard(row.board);
  if (row.board.includes("/")) {
    const turn = { w: "Red", b: "Black" }[row.board.split(" ")[1]];
    const legend = turn ? `${turn} to move. ` : "";
    const letters = hasChinese() ? "" : "Letters as in FEN, for want of a font with Chinese signs. ";
    return [drawXiangqi(row.board, label), html("p", { class: "board-legend" }, legend + letters)];
  }
  const size = parseSize(row.size);
  if (size[0] * size[1] !== row.board.length) {
    return [html("p", { class: "no-board" }, "No board: its size is not that of the record.")];
  }
  const lines = winningLines(row, size);
  const parts = [];
  if (lines.length) parts.push("through stones: the line that wins");
  if (/[xo]/.test(row.board)) parts.push("crossed: dead stones");
  if (/[bw]/.test(row.board)) parts.push("small squares: points of a side");
  if (namedPoints(row.reasons, row.game).size) parts.push("triangles: points that reasons name");
  const legend = parts.length ? html("p", { class: "board-legend" }, parts.join("; ")) : null;
  return [drawStones(row, size, lines, label), legend];
}
