import type { TargetName } from "../config/written-config.ts";
import { failed, ok, skipped, type Probe, type ProbeContext, type ProbeOutcome } from "./probe.ts";
import { firstLine, runProgram } from "../workspace/run-program.ts";

/** What is read of what a program prints; a version is a line. */
const MAX_OUTPUT_BYTES = 64 * 1024;
/** How long after a program what it left behind may still print. */
const DRAIN_MS = 500;

interface Tool {
  readonly target: TargetName;
  readonly programs: readonly string[];
  readonly args: readonly string[];
  readonly why: string;
}

const TOOLS: readonly Tool[] = [
  {
    target: "docker",
    programs: ["docker"],
    args: ["version", "--format", "{{.Server.Version}}"],
    why: "it runs the containers",
  },
  {
    target: "docker",
    programs: ["docker"],
    args: ["compose", "version", "--short"],
    why: "it starts the rendered compose.yaml",
  },
  { target: "fly", programs: ["fly", "flyctl"], args: ["version"], why: "it deploys the rendered fly.toml files" },
  { target: "aws", programs: ["aws"], args: ["--version"], why: "it registers the rendered task definitions" },
  {
    target: "aws",
    programs: ["terraform"],
    args: ["version"],
    why: "it applies qm's module with the rendered terraform.tfvars",
  },
];

/** The oldest Node of each major version that this toolkit runs on; also package.json `engines`. */
const NODE_FLOOR = [20, 19] as const;

/** Programs that deploying to the target needs. */
export const TOOL_PROBES: readonly Probe[] = [
  { id: "node", title: "Node", run: async () => probeNode(process.versions.node) },
  ...TOOLS.map((tool): Probe => ({
    id: `tool-${tool.programs[0]}-${tool.args[0]?.replace(/^-+/, "")}`,
    title: `${tool.programs[0]} ${tool.args[0] === "compose" ? "compose" : ""}`.trim(),
    run: (context) => probeTool(tool, context),
  })),
];

function probeNode(version: string): ProbeOutcome {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const fits = major > NODE_FLOOR[0] || (major === NODE_FLOOR[0] && minor >= NODE_FLOOR[1]);
  return fits ? ok(version) : failed(`${version} is too old`, `install Node ${NODE_FLOOR.join(".")} or newer`);
}

/** Without the plugin docker takes its options for options of its own. */
const NO_COMPOSE = /unknown (?:shorthand )?flag|is not a docker command/;

async function probeTool(
  { target, programs, args, why }: Tool,
  { deployment, signal, mask }: ProbeContext,
): Promise<ProbeOutcome> {
  if (deployment.target !== target) return skipped(`only ${target} deployments need it`);
  for (const program of programs) {
    const run = runProgram(program, args, { signal, maxBytes: MAX_OUTPUT_BYTES, drainMs: DRAIN_MS });
    const ended = await run.catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (ended === null) continue;
    const { status, stdout, stderr } = ended;
    const line = firstLine(mask(stdout.toString("utf8"))) || firstLine(mask(stderr.toString("utf8")));
    if (status === 0) return ok(line);
    if (args[0] === "compose" && NO_COMPOSE.test(stderr.toString("utf8")))
      return failed("docker has no `compose`", `install docker's compose plugin, 2.20 or newer: ${why}`);
    const says = `\`${program} ${args.join(" ")}\` failed${line === "" ? "" : `: ${line}`}`;
    return failed(says, `${why}; run the command by hand and fix what it says`);
  }
  return failed(`${programs.map((program) => `\`${program}\``).join(" or ")} is not on PATH`, `install it: ${why}`);
}
