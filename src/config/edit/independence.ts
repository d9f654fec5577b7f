import type { ConfigPath } from "../../base/config-path.ts";
import { compareText } from "../../base/text-order.ts";
import type { CommentChange, ConfigChange, ValueChange } from "../../diagnostics/diagnostic.ts";

interface Place {
  readonly below: Map<string | number, Place>;
  isClaimed: boolean;
}

/** Places of a config that changes are about. Two changes depend on each other where one is at or below a place of the other. */
class Claims {
  readonly #root: Place = { below: new Map(), isClaimed: false };

  /** Claims the places of some changes; false, and nothing is claimed, where one of them depends on a change from before. */
  claim(changes: readonly ConfigChange[]): boolean {
    const paths = changes.flatMap(placesOf);
    if (!paths.every((path) => this.#isFree(path))) return false;
    for (const path of paths) {
      let place = this.#root;
      for (const step of path) {
        const next: Place = place.below.get(step) ?? { below: new Map(), isClaimed: false };
        place.below.set(step, next);
        place = next;
      }
      place.isClaimed = true;
    }
    return true;
  }

  #isFree(path: ConfigPath): boolean {
    let place = this.#root;
    for (const step of path) {
      const next = place.below.get(step);
      if (place.isClaimed) return false;
      if (next === undefined) return true;
      place = next;
    }
    return !place.isClaimed && place.below.size === 0;
  }
}

function placesOf(change: ConfigChange): readonly ConfigPath[] {
  // No change has a path that begins so.
  if (change.kind === "comment") return [["//", change.start]];
  return change.kind === "rename" ? [change.path, [...change.path.slice(0, -1), change.key]] : [change.path];
}

/**
 * Changes that follow each other and can be made at once in the text before the first: none depends on another, no removal
 * moves the index that a later one names, and removals stand alone, as they decide what is last in a list.
 */
export class ChangeRun {
  readonly changes: ValueChange[] = [];
  readonly #claims = new Claims();
  /** Lowest index that is removed, by the path of its array. */
  readonly #removed = new Map<string, number>();

  /** Adds a change; false where it does not fit. */
  take(change: ValueChange): boolean {
    const { path } = change;
    const isRemoval = change.kind === "remove";
    const first = this.changes[0];
    if (first !== undefined && (first.kind === "remove") !== isRemoval) return false;
    if (isRemoval && path.some((step, at) => typeof step === "number" && step > this.#lowestRemoved(path, at)))
      return false;
    if (!this.#claims.claim([change])) return false;
    const last = path.at(-1);
    if (isRemoval && typeof last === "number") this.#removed.set(JSON.stringify(path.slice(0, -1)), last);
    this.changes.push(change);
    return true;
  }

  #lowestRemoved(path: ConfigPath, length: number): number {
    return this.#removed.get(JSON.stringify(path.slice(0, length))) ?? Number.POSITIVE_INFINITY;
  }
}

/** Of groups of changes that were all made for one text, the indexes of those that do not depend on one another: the first always. */
export function independentGroups(groups: readonly (readonly ConfigChange[])[]): readonly number[] {
  const claims = new Claims();
  const [first] = groups;
  if (first !== undefined && !isPlain(first)) return [0];
  return [...groups.keys()].filter((at) => {
    const group = groups[at] as readonly ConfigChange[];
    return isPlain(group) && claims.claim(group);
  });
}

/** True for changes that do not depend on one another, at most the last of which is a removal. */
function isPlain(group: readonly ConfigChange[]): boolean {
  const claims = new Claims();
  return group.every((change, at) => (change.kind !== "remove" || at === group.length - 1) && claims.claim([change]));
}

/** The changes of independent groups in an order in which the paths and offsets of each still hold when its turn comes. */
export function inOneOrder(groups: readonly (readonly ConfigChange[])[]): readonly ConfigChange[] {
  if (groups.length === 1) return groups[0] as readonly ConfigChange[];
  const changes = groups.flat();
  const comments = changes.filter(isCommentChange).sort((a, b) => b.start - a.start);
  const values = changes.filter((change) => !isCommentChange(change));
  const removals = values.filter(({ kind }) => kind === "remove").sort((a, b) => compareBackwards(a.path, b.path));
  return [...comments, ...values.filter(({ kind }) => kind !== "remove"), ...removals];
}

export function isCommentChange(change: ConfigChange): change is CommentChange {
  return change.kind === "comment";
}

/** Higher indexes first. */
function compareBackwards(a: ConfigPath, b: ConfigPath): number {
  const at = a.findIndex((step, index) => step !== b[index]);
  const [from, to] = [a[at] ?? "", b[at] ?? ""];
  return typeof from === "number" && typeof to === "number" ? to - from : compareText(String(from), String(to));
}
