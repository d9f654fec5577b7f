import type { Hover } from "vscode-languageserver/node";
import type { Deployment } from "../deployment/deployment.ts";
import { findRule } from "../rules/registry.ts";
import { explain, type Explanation } from "../views/explain/explain.ts";
import { explanationText } from "../views/explain/text.ts";
import { thingsAt } from "../views/explain/things-at.ts";
import { lspDiagnostic } from "./diagnostics.ts";
import type { Judged } from "./workspace.ts";

/** What `explain` says of the thing at an offset of the config, with the reasons of the rules that found something there. */
export function configHover(judged: Judged, offset: number): Hover | null {
  const { deployment } = judged;
  const at = deployment === null ? null : thingsAt(deployment, offset);
  if (deployment === null || at === null) return null;
  const { path, things } = at;
  const subjects = things.flatMap((thing) => explained(thing, deployment));
  const range = deployment.document.node(path) === undefined ? null : deployment.document.valueRange(path);
  const found = judged.views
    .filter(
      ({ file, range: at }) =>
        file === deployment.document.file && at !== null && at.start.offset <= offset && offset <= at.end.offset,
    )
    .map((view) => ({ view, rule: findRule(view.rule) }));
  const reasons = found.map(({ view, rule }) => `**${view.rule}** ${rule?.why ?? ""}\n\n[${view.docs}]`);
  return hoverOf(
    subjects,
    reasons,
    range === null || found[0] === undefined ? null : lspDiagnostic(judged, found[0].view).range,
  );
}

/** What is known of a name that stands in `.env`; its value is nowhere in it. */
export function envHover({ deployment }: Judged, offset: number): Hover | null {
  const entry = deployment?.env?.entries.find(
    ({ keyRange }) => keyRange.start.offset <= offset && offset <= keyRange.end.offset,
  );
  if (entry === undefined || deployment === null) return null;
  return hoverOf(explained(entry.key, deployment), [], null);
}

function explained(thing: string, deployment: Deployment): readonly Explanation[] {
  return explain(thing, { deployment, checked: null }) as readonly Explanation[];
}

function hoverOf(
  subjects: readonly Explanation[],
  reasons: readonly string[],
  range: Hover["range"] | null,
): Hover | null {
  if (subjects.length === 0 && reasons.length === 0) return null;
  const said =
    subjects.length === 0
      ? []
      : [`\`\`\`text\n${explanationText(subjects).text.replaceAll("```", "'''").trimEnd()}\n\`\`\``];
  return {
    contents: { kind: "markdown", value: [...said, ...reasons].join("\n\n") },
    ...(range == null ? {} : { range }),
  };
}
