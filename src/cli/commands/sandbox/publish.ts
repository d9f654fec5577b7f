import { lines, plainText, type Shown, shown } from "../../../base/shown.ts";
import { checkPublishable, planPublish, type Publish, type Published, runPublish } from "../../../publish/publish.ts";
import * as docker from "../../../publish/commands.ts";
import { TOKEN_NAME } from "../../../publish/registry.ts";
import { PASSED } from "../../exit-status.ts";
import { hasOption, type Invocation, textOption } from "../../command-definition.ts";
import { body, commandRunner, fileBody, gated, reportRefusals, stopped, warn } from "./gate.ts";

/** `qm-deploy sandbox publish`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const gate = await gated(invocation, "sandbox publish");
  if ("status" in gate) return gate.status;
  if (gate.errors.length > 0) {
    const status = await stopped(io, gate, "published");
    // What no correction of the config changes is said in the same run.
    if (!gate.deployment.broken)
      await reportRefusals(io, () => {
        checkPublishable(gate.deployment);
        return status;
      });
    return status;
  }
  const options = {
    app: textOption(invocation, "app") ?? null,
    from: textOption(invocation, "from") ?? null,
    tag: textOption(invocation, "tag") ?? null,
  };
  return reportRefusals(io, async () => {
    const place = { directory: gate.directory, config: gate.config.path, environment: io.env };
    const publish = planPublish(gate.deployment, place, options);
    warn(io, publish.layer.warnings);
    const text = hasOption(invocation, "dry-run")
      ? dryRun(publish)
      : report(await runPublish(publish, gate.config, commandRunner(io)), gate.config.file);
    io.stdout.write(text);
    return PASSED;
  });
}

/** Stands for what only the run itself finds out. */
const PULLED = "sha256:<digest of the pulled image>";
const PUSHED = "sha256:<digest of the pushed image>";

function dryRun(publish: Publish): Shown {
  const { layer, image, context, token, changes } = publish;
  const base = layer.mutable === null ? layer.base : `${layer.mutable}@${PULLED}`;
  const steps: readonly docker.Command[] = [
    ...(token === null ? [] : [docker.LOGIN_COMMAND]),
    ...(layer.mutable === null ? [] : [docker.pullCommand(layer.mutable), docker.inspectCommand(layer.mutable)]),
    docker.pushCommand(image, "temporary/Dockerfile", "temporary/metadata.json", context),
  ];
  const recorded = changes(PUSHED, base).map((change) =>
    change.kind === "set"
      ? `${change.path.join(".")} = ${JSON.stringify(change.value)}`
      : `${change.path.join(".")} is removed`,
  );
  return lines([
    "nothing was run or written; this would be (temporary/ is a directory made for it):",
    body(steps.map((step) => plainText(docker.commandText(step)))),
    ...(token === null ? [] : [`fly gets the value of ${TOKEN_NAME} in its environment`]),
    "Dockerfile:",
    fileBody(layer.dockerfile(layer.mutable === null ? undefined : (base ?? undefined))),
    "recorded in the config:",
    body(recorded.map(plainText)),
  ]);
}

function report({ image, base }: Published, config: string): Shown {
  const pins = base === null ? "`sandbox.image`" : "`sandbox.image` and `sandbox.baseImage`";
  return lines([
    shown`pushed ${plainText(image)}`,
    shown`recorded ${pins} in ${plainText(config)}`,
    "next: run `qm-deploy render`, and deploy core anew so that agents boot the new image",
  ]);
}
