import type { Deployment } from "../../deployment/deployment.ts";
import { suppressionsOf } from "../../rules/suppression/suppressions.ts";

/** One rule that a comment, or an entry of package.json, suppresses. */
export type SuppressionEntry = ReturnType<typeof entriesOf>[number];

function entriesOf(deployment: Deployment, mask: (text: string) => string) {
  return suppressionsOf(deployment).all.map(({ rule, name, path, suppression }) => ({
    rule: rule.id,
    // Of an entry that has one: a field or a file.
    path: path === null ? null : mask(path),
    reason: mask(suppression.reason),
    file: name,
    line: suppression.line,
  }));
}

/** The suppressions that only one of two deployments has. One that moved to another line is the same. */
export function suppressionChanges(before: Deployment, after: Deployment, mask: (text: string) => string) {
  const [old, now] = [entriesOf(before, mask), entriesOf(after, mask)];
  return { added: surplus(now, old), removed: surplus(old, now) };
}

function surplus(of: readonly SuppressionEntry[], over: readonly SuppressionEntry[]): SuppressionEntry[] {
  const keyOf = ({ rule, path, reason, file }: SuppressionEntry): string => JSON.stringify([rule, path, reason, file]);
  const left = new Map<string, number>();
  for (const one of over) left.set(keyOf(one), (left.get(keyOf(one)) ?? 0) + 1);
  return of.filter((one) => {
    const count = left.get(keyOf(one)) ?? 0;
    left.set(keyOf(one), count - 1);
    return count <= 0;
  });
}
