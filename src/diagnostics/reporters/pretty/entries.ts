import { memoizeByText } from "../../../base/memo.ts";
import type { Severity } from "../../diagnostic.ts";
import type { DeploymentView, DiagnosticView } from "../../view.ts";

/** A finding, and the deployment that it was found in. */
export interface Found {
  readonly deployment: DeploymentView;
  readonly diagnostic: DiagnosticView;
}

/** Findings that are reported as one: the first of them, and the others. */
export interface Entry {
  readonly first: Found;
  readonly more: Found[];
}

const SHAPES = 1_000;

/**
 * A message without what varies in it: messages put that between backquotes, alone or as a list. Where two shapes are
 * taken for one by mistake nothing is lost, as what differs from the first is shown beside its place.
 */
const shapeOf = memoizeByText(SHAPES, (message) =>
  message.replace(/`[^`]*`/g, "`").replace(/`(?:, `)*(?: (?:and|or) `)?/g, "`"),
);

/**
 * The findings of a severity in report order. Those of one rule whose messages have one shape are one entry; infos over
 * several deployments, which are only counted, those of one rule. `isApart`: each is one.
 */
export function entriesOf(deployments: readonly DeploymentView[], severity: Severity, isApart: boolean): Entry[] {
  const isCounted = severity === "info" && deployments.length > 1;
  const entries: Entry[] = [];
  const byShape = new Map<string, Entry>();
  for (const deployment of deployments) {
    for (const diagnostic of deployment.diagnostics) {
      if (diagnostic.severity !== severity || diagnostic.suppression !== null) continue;
      const found = { deployment, diagnostic };
      const key = isCounted ? diagnostic.rule : `${diagnostic.rule} ${shapeOf(diagnostic.message)}`;
      const known = isApart ? undefined : byShape.get(key);
      if (known !== undefined) {
        known.more.push(found);
        continue;
      }
      const entry = { first: found, more: [] };
      byShape.set(key, entry);
      entries.push(entry);
    }
  }
  return entries;
}

/** How many deployments the findings of an entry are in. */
export function deploymentsIn({ first, more }: Entry): number {
  return new Set([first, ...more].map(({ deployment }) => deployment)).size;
}
