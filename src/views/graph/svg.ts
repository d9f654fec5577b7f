import type { DeploymentGraph, GraphNode, NodeKind } from "../../render/graph/graph.ts";
import { KEY_WIDTH, layOut, type Layout, type PlacedEdge, type PlacedNode, SIZES, type TextLine } from "./layout.ts";

/** Colours of a scheme: paper, ink, faint ink, lines, frame, and the edge of a box of each kind with its fill. */
interface Scheme {
  readonly paper: string;
  readonly ink: string;
  readonly faint: string;
  readonly line: string;
  readonly frame: string;
  readonly card: string;
  readonly kinds: { readonly [kind in NodeKind]: string };
}

const LIGHT: Scheme = {
  paper: "#ffffff",
  ink: "#1f2328",
  faint: "#57606a",
  line: "#8c959f",
  frame: "#f6f8fa",
  card: "#ffffff",
  kinds: {
    people: "#57606a",
    service: "#0969da",
    plugin: "#8250df",
    store: "#1a7f37",
    agents: "#bc4c00",
    outside: "#6e7781",
  },
};

const DARK: Scheme = {
  paper: "#0d1117",
  ink: "#e6edf3",
  faint: "#9198a1",
  line: "#6e7681",
  frame: "#151b23",
  card: "#0d1117",
  kinds: {
    people: "#9198a1",
    service: "#4493f8",
    plugin: "#ab7df8",
    store: "#3fb950",
    agents: "#f0883e",
    outside: "#8b949e",
  },
};

const SANS = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace";

function colours({ paper, ink, faint, line, frame, card, kinds }: Scheme): string {
  const edges = Object.entries(kinds).map(([kind, colour]) => `.${kind}{--k:${colour}}`);
  return `svg{--paper:${paper};--ink:${ink};--faint:${faint};--line:${line};--frame:${frame};--card:${card}}${edges.join("")}`;
}

const STYLE = [
  colours(LIGHT),
  `@media (prefers-color-scheme:dark){${colours(DARK)}}`,
  `text{font-family:${SANS};fill:var(--ink)}`,
  `.title{font-size:${SIZES.title}px;font-weight:600}`,
  `.line{font-size:${SIZES.line}px;fill:var(--faint)}`,
  `.secret,.more{font-size:${SIZES.secret}px;font-family:${MONO}}.more{fill:var(--faint)}`,
  `.label{font-size:${SIZES.label}px;font-family:${MONO};fill:var(--faint);text-anchor:middle}`,
  `.place{font-size:${SIZES.place}px;font-weight:600;fill:var(--faint)}`,
  ".paper{fill:var(--paper)}.frame{fill:var(--frame);stroke:var(--line);stroke-dasharray:5 4}",
  ".card{fill:var(--card);stroke:var(--k);stroke-width:1.25}.bar{fill:var(--k)}",
  ".wire{fill:none;stroke:var(--line);stroke-width:1.5}.tip{fill:var(--line)}.halo{fill:var(--paper);opacity:.92}",
  ".inside .halo{fill:var(--frame)}.key{fill:none;stroke:var(--k);stroke-width:1.3}",
].join("");

/**
 * The picture as one SVG file: no script, no font and nothing else from elsewhere; light or dark as its reader's screen is; with
 * its title, a description and the name of each part for whoever does not see it. The same graph gives the same bytes.
 */
export function graphSvg(graph: DeploymentGraph): string {
  const drawn = layOut(graph);
  const { width, height } = drawn;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t d">`,
    `<title id="t">${escaped(graph.title)}</title>`,
    `<desc id="d">${escaped(graph.description)}</desc>`,
    `<style>${STYLE}</style>`,
    `<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse" markerUnits="userSpaceOnUse"><path class="tip" d="M0 0.5 8 4 0 7.5z"/></marker></defs>`,
    `<rect class="paper" width="${width}" height="${height}" rx="8"/>`,
    ...placeText(drawn),
    ...drawn.edges.map(wireText),
    ...drawn.nodes.map(nodeText),
    ...drawn.edges.map((edge) => labelText(edge, drawn)),
    "</svg>",
  ];
  return `${parts.filter((part) => part !== "").join("\n")}\n`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function placeText({ place }: Layout): string[] {
  if (place === null) return [];
  const { x, y, width, height, text } = place;
  return [
    `<rect class="frame" x="${x}" y="${y}" width="${width}" height="${height}" rx="10"/>`,
    `<text class="place" x="${x + 14}" y="${y + 21}">${escaped(text)}</text>`,
  ];
}

/** A line that is upright at each of its points. */
function wireText({ edge, points }: PlacedEdge): string {
  const path = points.map(({ x, y }, at) => {
    const before = points[at - 1];
    if (before === undefined) return `M${x} ${y}`;
    if (before.x === x) return `V${y}`;
    const between = Math.round((before.y + y) * 5) / 10;
    return `C${before.x} ${between} ${x} ${between} ${x} ${y}`;
  });
  return `<path class="wire" d="${path.join("")}" marker-end="url(#a)"${edge.both ? ' marker-start="url(#a)"' : ""}/>`;
}

function labelText({ label }: PlacedEdge, { place }: Layout): string {
  if (label === null) return "";
  const { x, y, width, height, text } = label;
  const isInside =
    place !== null &&
    x >= place.x &&
    x + width <= place.x + place.width &&
    y >= place.y &&
    y + height <= place.y + place.height;
  return `<g${isInside ? ' class="inside"' : ""}><rect class="halo" x="${x}" y="${y}" width="${width}" height="${height}" rx="3"/><text class="label" x="${x + width / 2}" y="${y + 12}">${escaped(text)}</text></g>`;
}

/** Each box says in full what it stands for, to a pointer that rests on it and to a screen reader. */
function nodeText({ node, x, y, width, height, lines }: PlacedNode): string {
  const secrets = node.secrets.map(({ name, required }) => (required ? name : `${name} (optional)`));
  const spoken = [
    node.title,
    ...(node.members.length > 0 ? node.members : node.lines),
    ...(secrets.length === 0 ? [] : [`secrets: ${secrets.join(", ")}`]),
  ].join("; ");
  return [
    `<g class="${node.kind}" transform="translate(${x} ${y})" role="group" aria-label="${escaped(spoken)}"><title>${escaped(spoken)}</title>`,
    `<rect class="card" width="${width}" height="${height}" rx="${isRound(node) ? 14 : 6}"/>`,
    node.kind === "outside" || node.kind === "people"
      ? ""
      : `<path class="bar" d="M6 0H${width - 6}a6 6 0 0 1 6 6v-1H0v1a6 6 0 0 1 6-6z"/>`,
    ...lines.map((line) => (isRound(node) ? roundLineText(line, width) : lineText(line))),
    "</g>",
  ]
    .filter((part) => part !== "")
    .join("");
}

/** Whoever is not a part of the deployment has a box of another form, with its text in the middle. */
function isRound({ kind }: GraphNode): boolean {
  return kind === "people" || kind === "outside";
}

function roundLineText({ kind, text, y }: TextLine, width: number): string {
  return `<text class="${kind}" x="${width / 2}" y="${y}" text-anchor="middle">${escaped(text)}</text>`;
}

const TEXT_START = 14;

function lineText({ kind, text, y }: TextLine): string {
  const x = TEXT_START;
  const key = `<path class="key" d="M${x + 3.5} ${y - 3.5}m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0m5 0h5m-1.5 0v2.5"/>`;
  const isSecret = kind === "secret";
  const start = isSecret || kind === "more" ? x + KEY_WIDTH : x;
  return `${isSecret ? key : ""}<text class="${kind}" x="${start}" y="${y}">${escaped(text)}</text>`;
}
