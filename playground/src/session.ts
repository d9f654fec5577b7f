import { EXAMPLES } from "playground:examples";
import type { DeploymentFiles, TextOptions } from "qm-deploy/pure";
import { decodeState, type SharedState } from "./share-link.ts";
import { type Draft, type Example, optionsOf } from "./texts.ts";

const KEY = "qm-deploy-draft";
const NO_FILES: DeploymentFiles = {};

/** The example of an id. */
export function findExample(id: string | null): Example | undefined {
  return EXAMPLES.find((example) => example.id === id);
}

/** What stands beside the config of a draft. */
export function filesOf({ example }: Draft): DeploymentFiles {
  return findExample(example)?.files ?? NO_FILES;
}

/** What the page is about: a draft, which a link can hold, and `.env`, which nothing holds but this object. */
export class Session {
  draft: Draft;
  env = "";

  constructor(draft: Draft) {
    this.draft = draft;
  }

  get options(): TextOptions {
    return optionsOf(this.draft, this.env, filesOf(this.draft));
  }
}

/** A draft that begins with an example. */
export function draftOf({ id, config }: Example): Draft {
  return { config, example: id, target: null, release: null, strict: false };
}

/** What the page opened with: a link, what stood here before the page was loaded anew, or the first example. */
export interface Opened {
  readonly state: SharedState;
  /** True where the address holds a state that cannot be read. */
  readonly isBroken: boolean;
}

/** Reads the address, then what this tab kept. */
export async function openedState(): Promise<Opened> {
  const fragment = location.hash.slice(1);
  const fromLink = fragment === "" ? null : await decodeState(fragment);
  const kept = fromLink === null ? await keptState() : null;
  const first = { ...draftOf(EXAMPLES[0] as Example), tab: "", file: null };
  return { state: fromLink ?? kept ?? first, isBroken: fragment !== "" && fromLink === null };
}

/** Keeps a state for when this tab loads the page anew; null: forgets it. */
export function keepState(fragment: string | null): void {
  try {
    if (fragment === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, fragment);
  } catch {
    // Where nothing can be kept, the page begins anew.
  }
}

async function keptState(): Promise<SharedState | null> {
  try {
    return await decodeState(sessionStorage.getItem(KEY) ?? "");
  } catch {
    return null;
  }
}
