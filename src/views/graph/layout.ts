import { type EdgeLabel, Graph, layout, type NodeLabel } from "@dagrejs/dagre";
import {
  type DeploymentGraph,
  edgeLabel,
  type GraphEdge,
  type GraphNode,
  MOST_NAMES,
} from "../../render/graph/graph.ts";
import { type Box, type Point, wires } from "./wires.ts";
import { fitted, monoWidth, sansWidth } from "./measure.ts";

/** One line of text in a box, with what it is cut to. */
export interface TextLine {
  readonly kind: "title" | "line" | "secret" | "more";
  readonly text: string;
  /** From the top of the box to the text's base line. */
  readonly y: number;
}

export interface PlacedNode extends Box {
  readonly node: GraphNode;
  readonly lines: readonly TextLine[];
}

export interface PlacedEdge {
  readonly edge: GraphEdge;
  /** What it passes through, upright at each; between two of them there is no box. */
  readonly points: readonly Point[];
  /** Null for a line without a label. */
  readonly label: (Box & { readonly text: string }) | null;
}

/** A picture with a place for everything; nothing overlaps. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  /** What runs at the target, with room for its name above; null where nothing does. */
  readonly place: (Box & { readonly text: string }) | null;
}

export const SIZES = { title: 14, line: 11.5, secret: 10.5, label: 10.5, place: 12 } as const;
const PADDING = { x: 14, y: 12 };
const MARGIN = 24;
/** Room for the name of the place inside its frame. */
const HEADING = 30;
const WIDEST = 280;
const NARROWEST = 96;
const LINE_HEIGHT = { title: 18, line: 16, secret: 15, more: 15 } as const;
/** Before the first secret. */
const GAP = 6;
/** Room for the key that is drawn before the name of a secret. */
export const KEY_WIDTH = 15;

interface Sized {
  readonly node: GraphNode;
  readonly width: number;
  readonly height: number;
  readonly lines: readonly TextLine[];
}

function textsOf({ title, lines, secrets }: GraphNode): Omit<TextLine, "y">[] {
  const required = secrets.filter((secret) => secret.required);
  const optional = secrets.length - required.length;
  const hidden = Math.max(0, required.length - MOST_NAMES);
  const names = required.slice(0, MOST_NAMES).map(({ name }) => ({
    kind: "secret" as const,
    text: fitted(name, SIZES.secret, WIDEST - KEY_WIDTH, monoWidth),
  }));
  const more =
    hidden > 0
      ? `and ${hidden + optional} more`
      : required.length === 0
        ? `${optional} optional secrets`
        : `and ${optional} optional`;
  return [
    { kind: "title", text: fitted(title, SIZES.title, WIDEST, sansWidth) },
    ...lines.map((line) => ({ kind: "line" as const, text: fitted(line, SIZES.line, WIDEST, sansWidth) })),
    ...names,
    ...(optional + hidden === 0 ? [] : [{ kind: "more" as const, text: more }]),
  ];
}

function widthOf({ kind, text }: Omit<TextLine, "y">): number {
  if (kind === "title") return sansWidth(text, SIZES.title);
  return kind === "line" ? sansWidth(text, SIZES.line) : KEY_WIDTH + monoWidth(text, SIZES.secret);
}

function sized(node: GraphNode): Sized {
  let y = PADDING.y;
  let before: TextLine["kind"] = "title";
  const lines: TextLine[] = [];
  for (const one of textsOf(node)) {
    const isSecret = one.kind === "secret" || one.kind === "more";
    if (isSecret && before !== "secret" && before !== "more") y += GAP;
    y += LINE_HEIGHT[one.kind];
    lines.push({ ...one, y: y - 4 });
    before = one.kind;
  }
  const width = Math.max(NARROWEST, ...lines.map((line) => widthOf(line) + 2 * PADDING.x));
  return { node, width, height: y + PADDING.y - 2, lines };
}

/** Lays a graph out from top to bottom, the same for the same graph. */
export function layOut(graph: DeploymentGraph): Layout {
  const drawn = new Graph({ compound: true, multigraph: false });
  drawn.setGraph({ rankdir: "TB", nodesep: 28, ranksep: 64, edgesep: 18, marginx: MARGIN, marginy: MARGIN });
  const nodes = graph.nodes.map(sized);
  const isInside = nodes.some(({ node }) => node.inside);
  if (isInside) drawn.setNode(PLACE, {});
  for (const { node, width, height } of nodes) {
    drawn.setNode(node.id, { width, height });
    if (node.inside) drawn.setParent(node.id, PLACE);
  }
  const lengths = edgeLengths(graph);
  for (const edge of graph.edges) {
    const label = edgeLabel(edge);
    const size = label === "" ? { width: 0, height: 0 } : { width: labelWidth(label), height: LABEL_HEIGHT };
    drawn.setEdge(edge.from, edge.to, { ...size, labelpos: "c", minlen: lengths(edge), weight: 1 });
  }
  layout(drawn);
  return placed(graph, drawn, nodes);
}

const PLACE = "place";
const LABEL_WIDTH = 240;
const LABEL_HEIGHT = 16;

function labelWidth(text: string): number {
  return Math.min(LABEL_WIDTH, monoWidth(text, SIZES.label)) + 10;
}

/**
 * How many ranks lie between the ends of an edge at least: so many that whoever is outside stands below everything that
 * is inside, and no line to it passes behind a box.
 */
function edgeLengths({ nodes, edges }: DeploymentGraph): (edge: GraphEdge) => number {
  const inside = new Set(nodes.filter((node) => node.inside).map(({ id }) => id));
  const ranks = new Map<string, number>();
  const rankOf = (id: string, above: readonly string[]): number => {
    const known = ranks.get(id);
    if (known !== undefined || above.includes(id)) return known ?? 0;
    const callers = edges.filter(({ from, to }) => to === id && from !== id && inside.has(from));
    const rank = Math.max(0, ...callers.map(({ from }) => rankOf(from, [...above, id]) + 1));
    ranks.set(id, rank);
    return rank;
  };
  const deepest = Math.max(0, ...[...inside].map((id) => rankOf(id, [])));
  return ({ from, to }) => {
    if (inside.has(from) && !inside.has(to)) return deepest - rankOf(from, []) + 1;
    // Room for the name of the place.
    return inside.has(to) && !inside.has(from) ? 2 : 1;
  };
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}

/** A box by its middle. */
function cornered({ x, y }: { readonly x?: number; readonly y?: number }, width: number, height: number): Box {
  return { x: round((x ?? 0) - width / 2), y: round((y ?? 0) - height / 2), width, height };
}

function placed(graph: DeploymentGraph, drawn: Graph, nodes: readonly Sized[]): Layout {
  const boxes = nodes.map(({ node, width, height, lines }) => ({
    node,
    lines,
    ...cornered(drawn.node(node.id), width, height),
  }));
  const ways = wires(
    boxes,
    graph.edges.map((edge) => ({
      edge,
      via: (drawn.edge(edge.from, edge.to) as Required<EdgeLabel>).points.slice(1, -1),
    })),
  );
  const edges = graph.edges.map((edge, at): PlacedEdge => {
    const { x, y } = drawn.edge(edge.from, edge.to) as Required<EdgeLabel>;
    const text = fitted(edgeLabel(edge), SIZES.label, LABEL_WIDTH, monoWidth);
    return {
      edge,
      points: (ways[at] as readonly Point[]).map((point) => ({ x: round(point.x), y: round(point.y) })),
      label: text === "" ? null : { text, ...cornered({ x, y }, labelWidth(text), LABEL_HEIGHT) },
    };
  });
  const frame = drawn.hasNode(PLACE) ? (drawn.node(PLACE) as Required<NodeLabel>) : null;
  const text = fitted(graph.place, SIZES.place, Math.max(NARROWEST, (frame?.width ?? 0) - 2 * PADDING.x), sansWidth);
  const place = frame === null ? null : { text, ...withHeading(cornered(frame, frame.width, frame.height)) };
  return fromOrigin({ nodes: boxes, edges, place });
}

function withHeading({ x, y, width, height }: Box): Box {
  return { x, y: y - HEADING, width: round(width), height: round(height + HEADING) };
}

/** The parts of a picture moved so that they begin at the margin, with the size that they take. */
function fromOrigin({ nodes, edges, place }: Omit<Layout, "width" | "height">): Layout {
  const boxes: Box[] = [...nodes, ...edges.flatMap(({ label }) => label ?? []), ...(place === null ? [] : [place])];
  const points = edges.flatMap((edge) => edge.points);
  const left = Math.min(...boxes.map(({ x }) => x), ...points.map(({ x }) => x)) - MARGIN;
  const top = Math.min(...boxes.map(({ y }) => y), ...points.map(({ y }) => y)) - MARGIN;
  const right = Math.max(...boxes.map(({ x, width }) => x + width), ...points.map(({ x }) => x)) + MARGIN;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height), ...points.map(({ y }) => y)) + MARGIN;
  const moved = <T extends { readonly x: number; readonly y: number }>(one: T): T => ({
    ...one,
    x: round(one.x - left),
    y: round(one.y - top),
  });
  return {
    width: Math.ceil(right - left),
    height: Math.ceil(bottom - top),
    nodes: nodes.map(moved),
    edges: edges.map(({ edge, points: way, label }) => ({
      edge,
      points: way.map(moved),
      label: label === null ? null : moved(label),
    })),
    place: place === null ? null : moved(place),
  };
}
