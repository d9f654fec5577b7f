import { shellWord } from "../base/shell-word.ts";
import { POSTGRES_WORKLOAD } from "../deployment/secrets/sources.ts";
import type { Secret, Workload } from "../deployment/deployment.ts";
import { flyOwnerMark } from "../deployment/derived-names.ts";
import type { RenderContext } from "../render/artifact.ts";
import { qm } from "../render/bring-up/agents.ts";
import { terraform } from "../render/bring-up/aws-names.ts";
import { awsImagesStep } from "../render/bring-up/aws-images.ts";
import { awsSecretsStep, updateCommand } from "../render/bring-up/aws-roll.ts";
import { deployCommands } from "../render/bring-up/deploy.ts";
import { createCommands, flySecretsStep, ownerStep } from "../render/bring-up/fly.ts";
import { flyApp } from "../render/bring-up/fly-names.ts";
import { renderCommand, renderSecretsCommand } from "../render/bring-up/step.ts";
import { bringsPostgres, databaseUrlName } from "../render/database.ts";
import { startCommand } from "../render/docker/names.ts";
import { secretValue } from "../render/secrets.ts";
import type { Difference } from "./compare.ts";

/** What the commands depend on besides the difference. */
export interface RemedyContext {
  readonly context: RenderContext;
  /** True where the files on disk are what the config says: they are what is deployed. */
  readonly isRendered: boolean;
}

/** The commands that bring what runs to what is rendered, in order, to be run in the deployment directory. */
export function remedyFor(difference: Difference, { context, isRendered }: RemedyContext): readonly string[] {
  const commands = BY_TARGET[context.target](difference, context);
  const writes = commands.some((command) => command === renderSecretsCommand(context));
  return isRendered || writes || difference.kind === "stranger" ? commands : [renderCommand(context), ...commands];
}

const BY_TARGET = { docker: dockerRemedy, fly: flyRemedy, aws: awsRemedy };

/** The workload that a difference is about. */
function workloadOf({ workload }: Difference, { deployment }: RenderContext): readonly Workload[] {
  return deployment.workloads.filter(({ name }) => name === workload);
}

/** The secret behind a name of a workload. Of the bundled database, core gets an address that is made of the password. */
function secretOf({ workload, name }: Difference, context: RenderContext): Secret | undefined {
  const { deployment, target } = context;
  const isBundled = target === "docker" && workload === "core" && name === databaseUrlName(deployment);
  const [place, env] =
    isBundled && bringsPostgres(context) ? [POSTGRES_WORKLOAD, "POSTGRES_PASSWORD"] : [workload, name];
  return deployment.secrets.find(({ destinations }) =>
    destinations.some((one) => one.workload === place && one.env === env),
  );
}

/** Gives a secret a value where `.env` has none. */
function setCommands(secret: Secret | undefined, { deployment }: RenderContext): readonly string[] {
  return secret === undefined || secretValue(deployment, secret) !== null
    ? []
    : [`qm-deploy secrets set ${secret.name}`];
}

function dockerRemedy(difference: Difference, context: RenderContext): readonly string[] {
  const start = startCommand(context);
  const { attribute, kind, name } = difference;
  if (kind === "stranger") return [`${start} --remove-orphans`];
  // What `qm up` started has the names that compose is to give.
  if (name === "compose project" || name === "container_name") return [qm(context, "down"), start];
  // Compose looks at its own file alone: what docker itself was told since, it does not notice.
  if (attribute === "size" || name === "restart" || name === "networks.default.aliases")
    return [`${start} --force-recreate ${shellWord(difference.workload)}`];
  if (attribute !== "secret") return [start];
  return [...setCommands(secretOf(difference, context), context), renderSecretsCommand(context), start];
}

function flyRemedy(difference: Difference, context: RenderContext): readonly string[] {
  const workloads = workloadOf(difference, context);
  const deploy = deployCommands(context, workloads, { isNew: () => false, migrates: false });
  const { attribute, kind, name, running, units } = difference;
  const of = `--app ${flyApp(context, difference.workload)}`;
  if (kind === "stranger") return [`fly apps destroy ${shellWord(difference.workload)}`];
  const steps = [ownerStep(context, workloads), flySecretsStep(context, workloads)].flatMap(
    ({ commands = [] }) => commands,
  );
  if (kind === "missing")
    return [...createCommands(context, [flyApp(context, difference.workload)]), ...steps, ...deploy];
  if (kind === "empty") return [...steps, ...deploy];
  if (kind === "idle") return [`fly machine start ${machines(units)} ${of}`];
  if (attribute === "setting" && name === "primary_region") {
    const here = shellWord(context.deployment.config.region ?? "");
    return [
      ...deploy,
      `fly scale count 1 ${of} --region ${here}`,
      `fly scale count 0 ${of} --region ${shellWord(running ?? "")}`,
    ];
  }
  // A deploy stops at a machine with a volume that the file does not name. The volume outlives the machine.
  if (attribute === "mount") return [`fly machine destroy --force ${machines(units)} ${of}`, ...deploy];
  if (attribute !== "secret") return deploy;
  if (kind === "extra" || kind === "shadowed") return [`fly secrets unset ${of} ${shellWord(name ?? "")}`];
  if (kind === "staged") return [`fly secrets deploy ${of}`];
  if (name === flyOwnerMark(context.deployment.config))
    return [...(ownerStep(context, workloads).commands ?? []), ...deploy];
  const secret = secretOf(difference, context);
  // What Fly attaches comes from no file of ours.
  if (secret?.managedBy === "fly") return [`qm-deploy explain ${secret.name}`];
  return [...setCommands(secret, context), ...(flySecretsStep(context, workloads).commands ?? []), ...deploy];
}

/** `machine 3d8d9014a32789` and others as words of a command. */
function machines(units: readonly string[]): string {
  return units.map((one) => shellWord(one.replace(/^machine /, ""))).join(" ");
}

function awsRemedy(difference: Difference, context: RenderContext): readonly string[] {
  const workloads = workloadOf(difference, context);
  const { kind } = difference;
  if (kind === "stranger") return [updateCommand(context, shellWord(difference.workload), "--desired-count 0")];
  const isNew = kind === "missing" || kind === "idle";
  // Another image of core may want other tables.
  const migrates = difference.workload === "core" && (kind === "missing" || difference.attribute === "image");
  const deploy = deployCommands(context, workloads, { isNew: () => isNew, migrates });
  const { attribute, name } = difference;
  const images = kind === "missing" || attribute === "image" ? (awsImagesStep(context, workloads).commands ?? []) : [];
  const isMissingSecret = attribute === "secret" && name !== null && kind !== "extra" && kind !== "shadowed";
  const secrets = isMissingSecret
    ? [...setCommands(secretOf(difference, context), context), ...(awsSecretsStep(context).commands ?? [])]
    : [];
  // It makes services, registries and secrets without values.
  const infrastructure = kind === "missing" || isMissingSecret ? [terraform(context, "apply")] : [];
  return [...infrastructure, ...secrets, ...images, ...deploy];
}
