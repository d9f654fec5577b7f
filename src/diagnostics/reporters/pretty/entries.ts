import { memoizeByText } from "../../../base/memo.ts";
import type { Severity } from "../../diagnostic.ts";
import type { DeploymentView, DiagnosticView } from "../../view.ts";
import { helpLine } from "../reporter.ts";

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

/** Findings that say the same; there is at least one. */
export type Saying = readonly [Found, ...Found[]];

const SHAPES = 1_000;

/**
 * A message or its help without what varies in it: they put that between backquotes, alone or as a list. A shape says only what is read
 * together: within an entry every other message has a line.
 */
const shapeOf = memoizeByText(SHAPES, (text) =>
  text.replace(/`[^`]*`/g, "`").replace(/`(?:, `)*(?: (?:and|or) `)?/g, "`"),
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

/**
 * The findings of an entry by what they say, in report order: those of the first lead. Advice that differs only in names is the same:
 * a command for the file that the finding is in, say.
 */
export function sayingsOf({ first, more }: Entry): readonly [Saying, ...Saying[]] {
  const leading: [Found, ...Found[]] = [first];
  const key = ({ diagnostic }: Found): string => `${diagnostic.message}\n${shapeOf(helpLine(diagnostic))}`;
  const sayings = new Map<string, [Found, ...Found[]]>([[key(first), leading]]);
  for (const found of more) {
    const known = sayings.get(key(found));
    if (known === undefined) sayings.set(key(found), [found]);
    else known.push(found);
  }
  const [, ...others] = sayings.values();
  return [leading, ...others];
}

/** How many deployments findings are in. */
export function deploymentsIn(all: readonly Found[]): number {
  return new Set(all.map(({ deployment }) => deployment)).size;
}
