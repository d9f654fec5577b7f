import type { GraphEdge, GraphNode, NodeKind } from "./graph.ts";

/** What a node is made from; what is left out is empty, and outside of the target. */
export type NodeFacts = Pick<GraphNode, "kind" | "title"> & Partial<Omit<GraphNode, "id" | "members">>;

/** A graph while it is made: a node has one place by its key, and an edge one by its ends. */
export class Drawing {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #edges = new Map<string, GraphEdge>();
  readonly #mask: (text: string) => string;

  /** `mask` is what every text of the picture goes through. */
  constructor(mask: (text: string) => string) {
    this.#mask = mask;
  }

  /** Adds a node, unless its key has one; gives its id. Keys of different kinds of things begin differently: `workload:core`. */
  node(key: string, facts: NodeFacts): string {
    const known = this.#nodes.get(key);
    if (known !== undefined) return known.id;
    const { kind, title, lines = [], secrets = [], inside = false } = facts;
    const id = `${prefixOf(kind)}${this.#nodes.size + 1}`;
    this.#nodes.set(key, {
      id,
      kind,
      title: this.#mask(title),
      lines: lines.map(this.#mask),
      members: [],
      secrets: secrets.map(({ name, required }) => ({ name: this.#mask(name), required })),
      inside,
    });
    return id;
  }

  /** The id of a node that was added; null where there is none. */
  find(key: string): string | null {
    return this.#nodes.get(key)?.id ?? null;
  }

  /** Adds a line, or another purpose to the one that is there; `label` may be empty. */
  edge(from: string, to: string, label = "", both = false): void {
    const key = `${from} ${to}`;
    const known = this.#edges.get(key);
    const labels = [...(known?.labels ?? []), ...(label === "" ? [] : [this.#mask(label)])];
    this.#edges.set(key, { from, to, labels: [...new Set(labels)], both: both || known?.both === true });
  }

  get nodes(): readonly GraphNode[] {
    return [...this.#nodes.values()];
  }

  get edges(): readonly GraphEdge[] {
    return [...this.#edges.values()];
  }
}

function prefixOf(kind: NodeKind): string {
  return kind === "service" || kind === "plugin" ? "workload" : kind;
}
