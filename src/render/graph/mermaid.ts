import { type DeploymentGraph, edgeLabel, type GraphEdge, type GraphNode, MOST_NAMES, type NodeKind } from "./graph.ts";

/** What stands around the text of a node of each kind. */
const SHAPES: { readonly [kind in NodeKind]: readonly [before: string, after: string] } = {
  people: ["([", "])"],
  service: ["[", "]"],
  plugin: ["[[", "]]"],
  store: ["[(", ")]"],
  agents: ["{{", "}}"],
  outside: ["([", "])"],
};

/**
 * The picture as a Mermaid flowchart, which GitHub, GitLab and many editors draw; ends with a newline. It sets no colours: those are
 * the reader's.
 */
export function graphMermaid({ title, description, place, nodes, edges }: DeploymentGraph): string {
  const inside = nodes.filter((node) => node.inside);
  const lines = [
    "flowchart TB",
    `  accTitle: ${plain(title)}`,
    `  accDescr: ${plain(description)}`,
    ...nodes.filter((node) => !node.inside).map((node) => `  ${nodeText(node)}`),
    ...(inside.length === 0
      ? []
      : [`  subgraph place["${quoted(place)}"]`, ...inside.map((node) => `    ${nodeText(node)}`), "  end"]),
    ...edges.map((edge) => `  ${edgeText(edge)}`),
  ];
  return `${lines.join("\n")}\n`;
}

function nodeText({ id, kind, title, lines, secrets }: GraphNode): string {
  const [before, after] = SHAPES[kind];
  const required = secrets.filter((secret) => secret.required).map(({ name }) => name);
  const shown = required.slice(0, MOST_NAMES);
  const others = secrets.length - shown.length;
  const more = others === 0 ? [] : [shown.length === 0 ? `${others} optional secrets` : `and ${others} more`];
  const text = [title, ...lines, ...shown, ...more].map(quoted);
  // Without the space, all lines would be one word for people who search and for what looks for secrets.
  return `${id}${before}"${text.join(" <br/>")}"${after}`;
}

function edgeText(edge: GraphEdge): string {
  const label = quoted(edgeLabel(edge));
  const arrow = edge.both ? "<-->" : "-->";
  return `${edge.from} ${arrow}${label === "" ? "" : `|"${label}"|`} ${edge.to}`;
}

/** Keeps two dollars from beginning a formula, which Mermaid looks for once it has read the numbers: a space of no width. */
const APART = "#8203;";

/** Everything that Mermaid, its Markdown or HTML give a meaning is written as the number of the character. */
function quoted(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N} .,:/@()=_-]|^\d+\.(?= )|^-(?= )|\n/gu, (found) =>
    [...found].map((character) => `#${character.codePointAt(0)};${character === "$" ? APART : ""}`).join(""),
  );
}

/** A line of its own, to its end or a semicolon; a brace would make it a block. */
function plain(text: string): string {
  return text
    .replaceAll(";", ",")
    .replaceAll(/[\n\r{}#]+/g, " ")
    .trim();
}
