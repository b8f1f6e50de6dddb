// Elements. Texts go in as text nodes and nothing is ever parsed as HTML, so
// that a record cannot put markup on the page.

const SVG = "http://www.w3.org/2000/svg";

/** Sets attributes and handlers (`onclick`), and appends children. */
function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const html = (name, attributes, ...children) =>
  furnish(document.createElement(name), attributes, children);

const svg = (name, attributes, ...children) =>
  furnish(document.createElementNS(SVG, name), attributes, children);

const byId = (id) => document.getElementById(id);

const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
/** A number as people read it: 12,345. */
const shown = (number) => numbers.format(number);

/** A count and what is counted: "1 record", "2 records". */
const counted = (count, what) => `${shown(count)} ${what}${count === 1 ? "" : "s"}`;

/** A share in per cent; never rounded up to all, nor down to nothing. */
function percent(part, whole) {
  if (!whole) return "–";
  const share = (100 * part) / whole;
  if (part && share < 0.1) return "< 0.1 %";
  if (part < whole && share > 99.9) return "> 99.9 %";
  return `${share.toFixed(1)} %`;
}

/** A machine word for reading: "margin_differs" is "margin differs". */
const spaced = (word) => word.replaceAll("_", " ");
