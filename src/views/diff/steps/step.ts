/** One thing to do; see docs/json.md. */
export interface Step {
  readonly title: string;
  readonly detail: string | null;
  /** To be run in the deployment directory, in this order; empty where there is none. */
  readonly commands: readonly string[];
  /** True: the new config has it already; null where the config cannot tell. */
  readonly done: boolean | null;
  /** The changes that ask for it: paths of artifacts, names of secrets and workloads, `data`, `backend` or `release`. Never empty. */
  readonly because: readonly string[];
}

/** A step with what most have not left out. */
export function step(
  because: readonly string[],
  title: string,
  more: Partial<Pick<Step, "detail" | "commands" | "done">> = {},
): Step {
  return { title, detail: null, commands: [], done: null, ...more, because };
}

/** Names as a sentence lists them. */
export function quotedList(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
