import { isIP } from "node:net";
import { DEFAULT_BIND, type RenderOptions } from "../../../render/artifact.ts";
import { hasOption, type Invocation, textOption } from "../../command-definition.ts";

/** What the options of a command line ask of a render. */
export function renderOptionsOf(invocation: Invocation): Pick<RenderOptions, "secrets" | "withOptional" | "bind"> {
  return {
    secrets: hasOption(invocation, "secrets"),
    withOptional: hasOption(invocation, "with-optional"),
    bind: textOption(invocation, "bind") ?? DEFAULT_BIND,
  };
}

/** What is wrong with the address that `--bind` names; null where nothing is. */
export function bindProblem(bind: string): string | null {
  return isIP(bind) === 0 ? "--bind takes an IP address, such as 127.0.0.1 or 0.0.0.0" : null;
}
