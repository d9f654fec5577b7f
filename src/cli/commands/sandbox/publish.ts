import { printable } from "../../../base/printable.ts";
import { planPublish, type Publish, type Published, runPublish } from "../../../publish/publish.ts";
import { mayPublish } from "../../../publish/refusal.ts";
import { inspectStep, LOGIN_STEP, pullStep, pushStep, type Step, stepText } from "../../../publish/commands.ts";
import { TOKEN_NAME } from "../../../publish/fly-token.ts";
import { PASSED } from "../../exit-status.ts";
import { hasOption, type Invocation, textOption } from "../../command-definition.ts";
import { reportWriteErrors } from "../../write-errors.ts";
import { body, gated, programsOf, refused, stopped, warn } from "./gate.ts";

/** `qm-deploy sandbox publish`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const gate = await gated(invocation, true);
  if ("status" in gate) return gate.status;
  if (gate.errors.length > 0) {
    const status = await stopped(io, gate, "published");
    // What no correction of the config changes is said in the same run.
    const allowed = mayPublish(gate.deployment);
    if (!allowed.ok && !gate.deployment.broken) refused(io, allowed.problem);
    return status;
  }
  const wishes = {
    app: textOption(invocation, "app") ?? null,
    from: textOption(invocation, "from") ?? null,
    tag: textOption(invocation, "tag") ?? null,
  };
  const place = { directory: gate.directory, config: gate.config.path, environment: io.env };
  const plan = await planPublish(gate.deployment, place, wishes);
  if (!plan.ok) return refused(io, plan.problem);
  warn(io, plan.value.layer.warnings);
  if (hasOption(invocation, "dry-run")) {
    io.stdout.write(dryRun(plan.value));
    return PASSED;
  }
  return reportWriteErrors(io, async () => {
    const done = await runPublish(plan.value, gate.config, programsOf(io));
    if (!done.ok) return refused(io, done.problem);
    io.stdout.write(report(done.value, gate.config.file));
    return PASSED;
  });
}

/** Stands for what only the run itself finds out. */
const PULLED = "sha256:<digest of the pulled image>";
const PUSHED = "sha256:<digest of the pushed image>";

function dryRun(publish: Publish): string {
  const { layer, image, context, token, changes } = publish;
  const base = layer.mutable === null ? layer.base : `${layer.mutable}@${PULLED}`;
  const steps: readonly Step[] = [
    ...(token === null ? [] : [LOGIN_STEP]),
    ...(layer.mutable === null ? [] : [pullStep(layer.mutable), inspectStep(layer.mutable)]),
    pushStep(image, "temporary/Dockerfile", "temporary/metadata.json", context),
  ];
  const recorded = changes(PUSHED, base).map((change) =>
    change.kind === "set"
      ? `${change.path.join(".")} = ${JSON.stringify(change.value)}`
      : `${change.path.join(".")} is removed`,
  );
  return [
    "nothing was run or written; this would be (temporary/ is a directory made for it):",
    body(steps.map(stepText).join("\n")),
    ...(token === null ? [] : [`fly gets the value of ${TOKEN_NAME} in its environment`]),
    "Dockerfile:",
    body(layer.dockerfile(layer.mutable === null ? undefined : (base ?? undefined))),
    "recorded in the config:",
    body(recorded.join("\n")),
    "",
  ].join("\n");
}

function report({ image, base }: Published, config: string): string {
  const pins = base === null ? "`sandbox.image`" : "`sandbox.image` and `sandbox.baseImage`";
  return [
    `pushed ${printable(image)}`,
    `recorded ${pins} in ${printable(config)}`,
    "next: run `qm-deploy render`, and deploy core anew so that agents boot the new image",
    "",
  ].join("\n");
}
