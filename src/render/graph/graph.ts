/** A deployment as nodes and lines between them: the picture, before anybody has drawn it. */
export interface DeploymentGraph {
  /** What the picture is called. */
  readonly title: string;
  /** What it shows, in a sentence, for whoever does not see it. */
  readonly description: string;
  /** What runs at the hosting target: its name. */
  readonly place: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** What a node stands for. */
export type NodeKind = "people" | "service" | "plugin" | "store" | "agents" | "outside";

export interface GraphNode {
  /** Unique in its graph; letters and digits. */
  readonly id: string;
  readonly kind: NodeKind;
  readonly title: string;
  /** What is worth knowing about it, one short phrase a line. */
  readonly lines: readonly string[];
  /** The names of all that it stands for; empty where that is one thing. */
  readonly members: readonly string[];
  /** Names of the secrets that it gets, sorted. */
  readonly secrets: readonly GraphSecret[];
  /** True for what runs at the hosting target. */
  readonly inside: boolean;
}

export interface GraphSecret {
  readonly name: string;
  readonly required: boolean;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** What it is for: the names of the settings that hold the address, or a phrase. Empty where the ends say it. */
  readonly labels: readonly string[];
  /** True where each end begins calls. */
  readonly both: boolean;
}

/** Beyond this many the names of secrets make a box too long to be read. */
export const MOST_NAMES = 16;

/** A label of a line in few words: the first of its purposes, and how many more there are. */
export function edgeLabel({ labels }: GraphEdge): string {
  const [first = "", ...more] = labels;
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}
