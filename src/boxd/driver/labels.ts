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

/** What boxd takes (docs/contract/boxd.md#labels). */
const MOST_LABELS = 64;
const KEY = /^[a-z0-9](?:[a-z0-9._/-]{0,61}[a-z0-9])?$/;
export const MAX_LABEL_LENGTH = 256;

/** Throws `invalid` for labels that boxd would refuse. */
export function assertLabels(labels: Labels): void {
  const entries = Object.entries(labels);
  if (entries.length > MOST_LABELS) throw new BoxdDriverError("invalid", `at most ${MOST_LABELS} labels are allowed`);
  for (const [key, value] of entries) {
    if (!KEY.test(key) || key.startsWith("boxd/"))
      throw new BoxdDriverError("invalid", `label key "${key}" is none that boxd takes, or is reserved`);
    if (value.length > MAX_LABEL_LENGTH || /\p{Cc}/u.test(value))
      throw new BoxdDriverError(
        "invalid",
        `the value of label "${key}" must be at most ${MAX_LABEL_LENGTH} characters, none of them a control character`,
      );
  }
}
