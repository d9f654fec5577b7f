import fc from "fast-check";
import type { ConfigPath } from "../../src/base/config-path.ts";

/** A document to be laid out: scalars as their JSON text, lists of members or items with their notes. */
export type Tree =
  | { readonly kind: "scalar"; readonly source: string }
  | { readonly kind: "object"; readonly members: readonly TreeMember[] }
  | { readonly kind: "array"; readonly items: readonly TreeMember[] };

interface TreeMember {
  readonly key: string;
  readonly above: boolean;
  readonly behind: "none" | "line" | "block";
  readonly blank: boolean;
  readonly value: Tree;
}

export interface Layout {
  readonly kind: "pretty" | "spaced" | "compact";
  readonly eol: "\n" | "\r\n";
  readonly unit: string;
  readonly bom: boolean;
  readonly trailingComma: boolean;
  readonly comments: boolean;
}

export const layouts: fc.Arbitrary<Layout> = fc.record({
  kind: fc.constantFrom("pretty" as const, "pretty" as const, "spaced" as const, "compact" as const),
  eol: fc.constantFrom("\n" as const, "\r\n" as const),
  unit: fc.constantFrom("  ", "\t", "    "),
  bom: fc.boolean(),
  trailingComma: fc.boolean(),
  comments: fc.boolean(),
});

const scalar: fc.Arbitrary<Tree> = fc
  .oneof(
    fc.string().map((text) => JSON.stringify(text)),
    fc.integer().map(String),
    fc.constantFrom("true", "null", '"/* no */"', '"// no"', '"a,b}"'),
  )
  .map((source) => ({ kind: "scalar", source }));

const notes = {
  above: fc.boolean(),
  behind: fc.constantFrom("none" as const, "line" as const, "block" as const),
  blank: fc.boolean(),
};

const { tree } = fc.letrec<{ tree: Tree; object: Tree; array: Tree }>((tie) => ({
  tree: fc.oneof({ maxDepth: 3 }, scalar, scalar, tie("object"), tie("array")),
  object: fc
    .uniqueArray(
      fc.record({ key: fc.constantFrom("a", "b", "c d", "x-y", "k1", "e.f"), value: tie("tree"), ...notes }),
      { selector: ({ key }) => key, maxLength: 4 },
    )
    .map((members): Tree => ({ kind: "object", members })),
  array: fc
    .array(fc.record({ key: fc.constant(""), value: tie("tree"), ...notes }), { maxLength: 3 })
    .map((items): Tree => ({ kind: "array", items })),
}));

/** Trees whose root is an object. */
export const trees: fc.Arbitrary<Tree> = tree.filter(({ kind }) => kind === "object");

export interface Rendered {
  readonly text: string;
  /** Each comment, unique in the text, with the path of the member that it speaks of. */
  readonly comments: readonly { readonly text: string; readonly owner: ConfigPath }[];
}

/** Lays a tree out. Only a pretty layout has comments: on one line nobody can say what they belong to. */
export function renderCommented(tree: Tree, layout: Layout): Rendered {
  const comments: { text: string; owner: ConfigPath }[] = [];
  const note = (owner: ConfigPath, kind: "line" | "block"): string => {
    const words = `note ${comments.length} of ${owner.map(String).join(" ").replace(/[*/]/g, "")}.`;
    const text = kind === "line" ? `// ${words}` : `/* ${words} */`;
    comments.push({ text, owner });
    return text;
  };
  const draw = (node: Tree, path: ConfigPath, indent: string): string => {
    if (node.kind === "scalar") return node.source;
    const isObject = node.kind === "object";
    const parts = isObject ? node.members : node.items;
    const [open, close] = isObject ? ["{", "}"] : ["[", "]"];
    if (parts.length === 0) return open + close;
    const inner = indent + layout.unit;
    const lines: string[] = [];
    parts.forEach((part, at) => {
      const owner = [...path, isObject ? part.key : at];
      const isLast = at === parts.length - 1;
      const comma = isLast && !layout.trailingComma ? "" : ",";
      const withNotes = layout.kind === "pretty" && layout.comments;
      if (withNotes && part.blank && at > 0) lines.push("");
      if (withNotes && part.above) lines.push(inner + note(owner, part.behind === "block" ? "block" : "line"));
      const key = isObject ? JSON.stringify(part.key) + (layout.kind === "compact" ? ":" : ": ") : "";
      const value = draw(part.value, owner, inner);
      const behind = withNotes && part.behind !== "none" ? ` ${note(owner, part.behind)}` : "";
      lines.push((layout.kind === "pretty" ? inner : "") + key + value + comma + behind);
    });
    if (layout.kind === "pretty") return open + layout.eol + lines.join(layout.eol) + layout.eol + indent + close;
    return layout.kind === "compact" ? open + lines.join("") + close : `${open} ${lines.join(" ")} ${close}`;
  };
  return { text: (layout.bom ? "\ufeff" : "") + draw(tree, [], "") + layout.eol, comments };
}
