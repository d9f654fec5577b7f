/**
 * Labels, and what they may decide.
 *
 * The sources disagree about labels: SDK 0.2.15 has none, the proposals for 0.2.20 send them with `create` (docs/contract/boxd.md#creation). So they are
 * sent, and they can only ever veto: a machine whose record carries labels that contradict ours is not ours and is never adopted, stopped or
 * deleted. Ownership itself rests on the name. `createOwned` picks `<prefix>-<48 random bits>` and tells the caller before it calls boxd;
 * `getOrCreate` uses a name that the caller derived from its scope. A record without labels neither proves nor refutes anything.
 */
import type { Machine } from "./client.ts";
import { BoxdDriverError } from "./errors.ts";

export type Labels = Readonly<Record<string, string>>;

/** The label that every toolkit-made machine carries unless its adapter says otherwise. */
export const MANAGED_BY_LABEL = "managed-by";
export const MANAGED_BY = "qm-deploy";

/** `match` when every expected label is there, `contradict` when one is missing or different, `unreadable` when the record carries no labels. */
export function compareLabels(
  { labels: actual }: Pick<Machine, "labels">,
  expected: Labels,
): "match" | "contradict" | "unreadable" {
  if (actual === undefined || actual === null) return "unreadable";
  const entries = Object.entries(expected);
  if (entries.length === 0) return "match";
  // An SDK that knows labels but a control plane that dropped ours reads as an empty object: that is no contradiction.
  if (Object.keys(actual).length === 0) return "unreadable";
  return entries.every(([key, value]) => Object.hasOwn(actual, key) && actual[key] === value) ? "match" : "contradict";
}

/** Throws `invalid` for labels that a control plane or an error envelope could not carry. */
export function assertLabels(labels: Labels): void {
  const entries = Object.entries(labels);
  if (entries.length > 16) throw new BoxdDriverError("invalid", "at most 16 labels are allowed");
  for (const [key, value] of entries) {
    if (!/^[a-z][a-z0-9-]{0,62}$/.test(key))
      throw new BoxdDriverError("invalid", `label key "${key}" must be lowercase letters, digits and hyphens`);
    const wanted = "1 to 200 letters, digits, underscores, dots or hyphens";
    if (!/^[A-Za-z0-9_.-]{1,200}$/.test(value))
      throw new BoxdDriverError("invalid", `the value of label "${key}" must be ${wanted}`);
  }
}
