/** Classes of what SGR codes switch on; 22 and 39 switch off (what a picture of our output needs of ECMA-48, section 8.3.117). */
const SGR = {
  0: { weight: "", colour: "" },
  1: { weight: "b" },
  2: { weight: "d" },
  22: { weight: "" },
  31: { colour: "r" },
  32: { colour: "g" },
  33: { colour: "y" },
  36: { colour: "c" },
  39: { colour: "" },
};

const SIZE = { font: 13, column: 7.8, line: 19, padding: 20, bar: 34 };

const LIGHT = {
  paper: "#ffffff",
  edge: "#d5d9e0",
  ink: "#1a1e27",
  d: "#5d6675",
  r: "#b3202c",
  g: "#16683a",
  y: "#855800",
  c: "#3c5d86",
};
const DARK = {
  paper: "#151920",
  edge: "#2a313c",
  ink: "#e6e9f0",
  d: "#8f99a9",
  r: "#ff8f8a",
  g: "#63d496",
  y: "#eeb455",
  c: "#9dbde8",
};

function colours(scheme) {
  const { paper, edge, ink, ...classes } = scheme;
  const rules = Object.entries(classes).map(([name, colour]) => `.${name}{fill:${colour}}`);
  return `.paper{fill:${paper};stroke:${edge}}.dot{fill:${edge}}text{fill:${ink}}${rules.join("")}`;
}

const STYLE = [
  colours(LIGHT),
  `@media (prefers-color-scheme:dark){${colours(DARK)}}`,
  `text{font:${SIZE.font}px ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace;white-space:pre}`,
  ".b{font-weight:600}",
].join("");

/** The pieces of a line: where each begins, its text, and its classes. The state goes on to the next line. */
function piecesOf(line, state) {
  const pieces = [];
  let column = 0;
  // oxlint-disable-next-line no-control-regex
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    const code = /^\u001b\[([\d;]*)m$/.exec(part)?.[1];
    if (code !== undefined) {
      for (const each of (code || "0").split(";")) {
        if (SGR[each] === undefined) throw new Error(`the picture knows no SGR ${each}`);
        Object.assign(state, SGR[each]);
      }
    } else if (part !== "") {
      if (/[^\x20-\x7e]/.test(part))
        throw new Error(`the picture takes one column a character, and this has others: ${part}`);
      pieces.push({
        column,
        text: part,
        classes: [state.weight, state.colour].filter((name) => name !== "").join(" "),
      });
      column += part.length;
    }
  }
  return pieces;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Every piece says how wide it is, so that columns stand below each other in whatever font there is. */
function pieceText({ column, text, classes }, y) {
  const start = text.length - text.trimStart().length;
  const words = text.trim();
  if (words === "") return "";
  const x = (SIZE.padding + (column + start) * SIZE.column).toFixed(1);
  const kind = classes === "" ? "" : ` class="${classes}"`;
  return `<text x="${x}" y="${y}"${kind} textLength="${(words.length * SIZE.column).toFixed(1)}">${escaped(words)}</text>`;
}

/** A picture of a terminal with what a program printed, as one SVG: light or dark as its reader's screen is. */
export function terminalSvg(printed, { title, description }) {
  const lines = printed.trimEnd().split("\n");
  const state = { weight: "", colour: "" };
  const all = lines.map((line) => piecesOf(line, state));
  const columns = Math.max(...all.flat().map(({ column, text }) => column + text.trimEnd().length));
  const width = Math.ceil(2 * SIZE.padding + columns * SIZE.column);
  const height = SIZE.bar + lines.length * SIZE.line + SIZE.padding;
  const texts = all.flatMap((pieces, at) =>
    pieces.map((piece) => pieceText(piece, SIZE.bar + (at + 1) * SIZE.line - 5)).filter((text) => text !== ""),
  );
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t d">`,
    `<title id="t">${escaped(title)}</title>`,
    `<desc id="d">${escaped(description)}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="9.5"/>`,
    ...[0, 1, 2].map((at) => `<circle class="dot" cx="${SIZE.padding + 5 + at * 17}" cy="20" r="5"/>`),
    ...texts,
    "</svg>",
  ].join("\n")}\n`;
}
