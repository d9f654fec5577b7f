import { relative, sep } from "node:path";
import type { RuleId } from "../../../diagnostics/rule-ids.generated.ts";
import type { RuleInfo } from "../../../diagnostics/rule-info.ts";
import type { Reporter, ReporterOptions } from "../../../diagnostics/reporters/reporter.ts";
import { isInside } from "../../../workspace/paths.ts";
import { paletteFor } from "../../colour.ts";
import type { ProcessIo, Output } from "../../process-io.ts";
import { VERSION } from "../../version.ts";

type Make = (options: ReporterOptions) => Reporter;

/** The formats of `check`; each reporter is loaded when it is asked for. */
const REPORTERS: { readonly [format: string]: () => Promise<Make> } = {
  pretty: async () => (await import("../../../diagnostics/reporters/pretty.ts")).prettyReporter,
  json: async () => (await import("../../../diagnostics/reporters/json.ts")).jsonReporter,
  github: async () => (await import("../../../diagnostics/reporters/github.ts")).githubReporter,
  sarif: async () => (await import("../../../diagnostics/reporters/sarif.ts")).sarifReporter,
  junit: async () => (await import("../../../diagnostics/reporters/junit.ts")).junitReporter,
};

/** Room that the gutter of a frame takes. */
const GUTTER = 12;

/** GitHub reads file names from the root of the checkout, not from the working directory of a step. */
function annotationPrefix(io: ProcessIo): string {
  const root = io.env.GITHUB_WORKSPACE;
  if (root === undefined || root === "" || !isInside(io.cwd, root)) return "";
  const between = relative(root, io.cwd);
  return between === "" ? "" : `${between.split(sep).join("/")}/`;
}

/** Only the formats that describe rules need the registry, which `check` has loaded anyway. */
async function rulesFor(format: string): Promise<ReadonlyMap<RuleId, RuleInfo>> {
  if (format !== "sarif") return new Map();
  return (await import("../../../rules/registry.ts")).ruleRegistry();
}

/** A fresh reporter of a format, for a stream. */
export async function makeReporter(format: string, io: ProcessIo, output: Output, strict: boolean): Promise<Reporter> {
  const make = await (REPORTERS[format] as () => Promise<Make>)();
  return make({
    strict,
    version: VERSION,
    columns: Math.min(160, Math.max(50, (output.columns ?? 112) - GUTTER)),
    palette: await paletteFor(io, output),
    rules: await rulesFor(format),
    filePrefix: format === "github" ? annotationPrefix(io) : "",
  });
}
