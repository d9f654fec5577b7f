import { runRules } from "../../../src/rules/run-rules.ts";
import { deploymentOf, type FragmentContext } from "../../support/fragment.ts";

/** What stands around the config of a row: without it qm 0.1.6 and no `.env`. */
export type Around = Pick<FragmentContext, "release" | "env" | "sandboxTree">;

/** What a rule says of a config laid over the sound deployment: severity and the first field or name of each message. */
export function found(rule: string, config: object, around: Around = {}): string[] {
  const deployment = deploymentOf(JSON.stringify(config), around);
  return runRules(deployment)
    .filter((diagnostic) => diagnostic.rule === rule)
    .map(({ severity, message }) => `${severity} ${/`([^`]*)`/.exec(message)?.[1] ?? message}`);
}
