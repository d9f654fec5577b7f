import { printable } from "../../../base/printable.ts";
import { compareText } from "../../../base/text-order.ts";
import type { ScaffoldPlan } from "../../../scaffold/plan.ts";

/** A file of the tree and what becomes of it. */
interface Leaf {
  readonly path: string;
  readonly says: string;
}

/** What init does to rendered files: they are made, all of them, or left alone. */
function renderedLeaves({ render }: ScaffoldPlan): readonly Leaf[] {
  if (render === null) return [];
  return render.plan.files.map(({ artifact, change }) => ({
    path: `${render.request.output.fromDeployment}/${artifact.name}`,
    says: change === "new" && render.isFresh ? "created" : "kept",
  }));
}

/** The files of a plan as a tree, each with `created`, `merged` or `kept` behind it. */
export function planTree(plan: ScaffoldPlan): string {
  const leaves = [...plan.files.map(({ path, action }) => ({ path, says: action })), ...renderedLeaves(plan)];
  const width = Math.max(...leaves.map(({ path }) => indent(path) + nameOf(path).length));
  const lines: string[] = [];
  let open: readonly string[] = [];
  for (const { path, says } of leaves.toSorted((a, b) => compareText(a.path, b.path))) {
    const directories = path.split("/").slice(0, -1);
    directories.forEach((name, depth) => {
      if (directories.slice(0, depth + 1).join("/") !== open.slice(0, depth + 1).join("/"))
        lines.push(`${"  ".repeat(depth + 1)}${printable(name)}/`);
    });
    open = directories;
    lines.push(`${" ".repeat(indent(path))}${printable(nameOf(path))}`.padEnd(width + 2) + says);
  }
  return `${lines.join("\n")}\n`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function indent(path: string): number {
  return 2 * path.split("/").length;
}
