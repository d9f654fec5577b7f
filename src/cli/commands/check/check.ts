import { checkPaths, report } from "./check-paths.ts";
import type { FixMode } from "./check-one.ts";
import { makeReporter } from "../../reporting.ts";
import { PASSED } from "../../exit-status.ts";
import { usageError } from "../../output.ts";
import { hasOption, type Invocation, textOption } from "../../command-definition.ts";

/** `qm-deploy check`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const format = textOption(invocation, "format") ?? "pretty";
  const fix = (textOption(invocation, "fix") ?? null) as FixMode;
  const readsStdin = args.includes("-");
  const options = {
    strict: hasOption(invocation, "strict"),
    frames: format === "pretty",
    fix,
    envFile: textOption(invocation, "env-file"),
    release: textOption(invocation, "release"),
    target: textOption(invocation, "target"),
  };
  const checkAll = async (): Promise<number> => {
    const result = await checkPaths(io, args, options);
    // The fixed config of stdin is what stdout is for then.
    const output = readsStdin && fix !== null ? io.stderr : io.stdout;
    for (const { text } of result.deployments) if (text !== null && fix !== null) io.stdout.write(text);
    report(result, await makeReporter(format, io, output, options.strict), output);
    return result.status;
  };
  if (!hasOption(invocation, "watch")) return checkAll();
  if (readsStdin || format !== "pretty")
    return usageError(io, "--watch is for files and people: it takes neither stdin nor another --format");
  const { watchPaths } = await import("./watch.ts");
  await watchPaths(io, args, options.envFile, checkAll);
  return PASSED;
}
