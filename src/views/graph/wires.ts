import type { GraphEdge, GraphNode } from "../../render/graph/graph.ts";

/** A place in pixels, from the upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle in pixels, by its upper left corner. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

type NodeBox = Box & { readonly node: GraphNode };

/** An edge with the points between its ends that the layout found for it. */
export interface Route {
  readonly edge: GraphEdge;
  readonly via: readonly Point[];
}

/** The boxes of one rank, which have their middles at one height. */
interface Rank {
  readonly middle: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * The ways of edges between boxes in ranks: from the lower side of one to the upper side of the other, each from a port of its own,
 * upright past every rank and aside only between ranks, where no box is.
 */
export function wires(boxes: readonly NodeBox[], routes: readonly Route[]): readonly (readonly Point[])[] {
  const byId = new Map(boxes.map((box) => [box.node.id, box]));
  const ranks = ranksOf(boxes);
  const ports = portsOf(byId, routes);
  return routes.map(({ edge, via }, at) => {
    const [start, end] = ports[at] as readonly [Point, Point];
    const leaving = rankAt(ranks, middleOf(byId.get(edge.from) as NodeBox));
    const reaching = rankAt(ranks, middleOf(byId.get(edge.to) as NodeBox));
    const isDown = start.y < end.y;
    const side = (rank: Rank | undefined, isLower: boolean, otherwise: number): number =>
      rank === undefined ? otherwise : isLower ? rank.bottom : rank.top;
    const lanes = via.flatMap((point) => {
      const rank = rankAt(ranks, point.y);
      if (rank === undefined) return [point];
      const ends = [rank.top, rank.bottom].map((y) => ({ x: point.x, y }));
      return isDown ? ends : ends.toReversed();
    });
    const out = { x: start.x, y: side(leaving, isDown, start.y) };
    const into = { x: end.x, y: side(reaching, !isDown, end.y) };
    return withoutRepeats([start, out, ...lanes, into, end]);
  });
}

function middleOf({ y, height }: Box): number {
  return y + height / 2;
}

function ranksOf(boxes: readonly Box[]): Rank[] {
  const ranks: Rank[] = [];
  for (const box of boxes) {
    const middle = middleOf(box);
    const known = ranks.findIndex((rank) => Math.abs(rank.middle - middle) < 1);
    const { top, bottom } = ranks[known] ?? { top: box.y, bottom: box.y + box.height };
    const rank = { middle, top: Math.min(top, box.y), bottom: Math.max(bottom, box.y + box.height) };
    if (known === -1) ranks.push(rank);
    else ranks[known] = rank;
  }
  return ranks;
}

function rankAt(ranks: readonly Rank[], y: number): Rank | undefined {
  return ranks.find(({ middle }) => Math.abs(middle - y) < 1);
}

/** Where each edge leaves and arrives: the edges of a side stand apart, in the order of where they go. */
function portsOf(boxes: ReadonlyMap<string, NodeBox>, routes: readonly Route[]): (readonly [Point, Point])[] {
  const sides = new Map<string, { readonly route: number; readonly end: 0 | 1; readonly towards: number }[]>();
  for (const [route, { edge, via }] of routes.entries()) {
    const [from, to] = [boxes.get(edge.from) as NodeBox, boxes.get(edge.to) as NodeBox];
    const isDown = middleOf(from) < middleOf(to);
    const ends = [
      { key: `${edge.from} ${isDown}`, towards: via[0]?.x ?? to.x + to.width / 2 },
      { key: `${edge.to} ${!isDown}`, towards: via.at(-1)?.x ?? from.x + from.width / 2 },
    ];
    for (const [end, { key, towards }] of ends.entries())
      sides.set(key, [...(sides.get(key) ?? []), { route, end: end as 0 | 1, towards }]);
  }
  const ports = routes.map((): [Point, Point] => [ORIGIN, ORIGIN]);
  for (const [key, ends] of sides) {
    const [id = "", isLower] = key.split(" ");
    const { x, y, width, height } = boxes.get(id) as NodeBox;
    for (const [at, { route, end }] of ends.toSorted((a, b) => a.towards - b.towards).entries())
      (ports[route] as [Point, Point])[end] = {
        x: x + (width * (at + 1)) / (ends.length + 1),
        y: isLower === "true" ? y + height : y,
      };
  }
  return ports;
}

const ORIGIN: Point = { x: 0, y: 0 };

function withoutRepeats(points: readonly Point[]): Point[] {
  return points.filter((point, at) => at === 0 || point.x !== points[at - 1]?.x || point.y !== points[at - 1]?.y);
}
