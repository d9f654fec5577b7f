import { compareText } from "../../base/text-order.ts";
import type { DeploymentGraph, GraphEdge, GraphNode, NodeKind } from "./graph.ts";

/** So many boxes of a kind still make a picture that fits a page; of more, one box stands for all that are connected alike. */
export const MOST_ALIKE = 8;

/** How many names stand in the box of a group; a pointer that rests on it is told all. */
const NAMED = 6;

type Parts = Pick<DeploymentGraph, "nodes" | "edges">;

/** A graph in which one node stands for many that are alike: plugins first, then what only they call. */
export function grouped(parts: Parts): Parts {
  const withPlugins = groupedBy(parts, "plugin", "plugins", ["plugin", "outside"]);
  return groupedBy(withPlugins, "outside", "addresses outside", []);
}

/** Groups the nodes of a kind that have the same neighbours, whatever they have of the kinds in `ignored`. */
function groupedBy({ nodes, edges }: Parts, kind: NodeKind, plural: string, ignored: readonly NodeKind[]): Parts {
  const kinds = new Map(nodes.map((node) => [node.id, node.kind]));
  const neighbours = new Map<string, string[]>();
  const meet = (id: string, other: string, how: string): void => {
    if (ignored.includes(kinds.get(other) as NodeKind)) return;
    const known = neighbours.get(id);
    if (known === undefined) neighbours.set(id, [`${how} ${other}`]);
    else known.push(`${how} ${other}`);
  };
  for (const { from, to, both } of edges) {
    meet(from, to, both ? "both" : "to");
    meet(to, from, both ? "both" : "from");
  }
  const alike = new Map<string, GraphNode[]>();
  for (const node of nodes.filter((one) => one.kind === kind)) {
    const key = `${node.inside} ${(neighbours.get(node.id) ?? []).sort().join(" ")}`;
    const known = alike.get(key);
    if (known === undefined) alike.set(key, [node]);
    else known.push(node);
  }
  const groups = [...alike.values()].filter((members) => members.length > MOST_ALIKE);
  return merged({ nodes, edges }, new Map(groups.flatMap((members) => stand(members, plural))));
}

/** The node that stands for each of some members, by their ids. */
function stand(members: readonly GraphNode[], plural: string): (readonly [string, GraphNode])[] {
  const [first] = members as readonly [GraphNode];
  // A box for several addresses already is taken apart.
  const parts = members.flatMap(({ kind, title, lines }) => (kind === "outside" && lines.length > 0 ? lines : [title]));
  const names = [...new Set(parts)].sort(compareText);
  const secrets = new Map<string, boolean>();
  for (const { name, required } of members.flatMap((member) => member.secrets))
    secrets.set(name, required || secrets.get(name) === true);
  const group: GraphNode = {
    ...first,
    title: `${names.length} ${plural}`,
    lines: [...names.slice(0, NAMED), `and ${names.length - NAMED} more`],
    members: names,
    secrets: [...secrets.keys()].sort(compareText).map((name) => ({ name, required: secrets.get(name) === true })),
  };
  return members.map(({ id }) => [id, group]);
}

function merged({ nodes, edges }: Parts, groups: ReadonlyMap<string, GraphNode>): Parts {
  if (groups.size === 0) return { nodes, edges };
  const idOf = (id: string): string => groups.get(id)?.id ?? id;
  const ways = new Map<string, { readonly edge: GraphEdge; readonly labels: Set<string> }>();
  for (const edge of edges) {
    const [from, to] = [idOf(edge.from), idOf(edge.to)];
    // What members of a group say to one another has no place in the picture.
    if (from === to) continue;
    const key = `${from} ${to}`;
    const known = ways.get(key);
    if (known === undefined) ways.set(key, { edge: { ...edge, from, to }, labels: new Set(edge.labels) });
    else for (const label of edge.labels) known.labels.add(label);
  }
  return {
    nodes: nodes.flatMap((node) => (idOf(node.id) === node.id ? [groups.get(node.id) ?? node] : [])),
    edges: [...ways.values()].map(({ edge, labels }) => ({ ...edge, labels: [...labels] })),
  };
}
