import { compareText } from "../../../base/text-order.ts";
import { shellWord } from "../../../base/shell-word.ts";
import type { Deployment, Workload } from "../../../deployment/deployment.ts";
import type { RenderContext } from "../../../render/artifact.ts";
import { TFVARS } from "../../../render/aws/tfvars.ts";
import { awsImagesStep } from "../../../render/bring-up/aws-images.ts";
import { terraform } from "../../../render/bring-up/aws-names.ts";
import { awsSecretsStep, serviceWords, updateCommand } from "../../../render/bring-up/aws-roll.ts";
import { deployCommands } from "../../../render/bring-up/deploy.ts";
import { createCommands, flySecretsStep, ownerStep } from "../../../render/bring-up/fly.ts";
import { flyApp } from "../../../render/bring-up/fly-names.ts";
import { renderSecretsCommand, type Step as BringUpStep } from "../../../render/bring-up/step.ts";
import { flyTomlName } from "../../../render/fly-toml.ts";
import { COMPOSE, composeCommand, startCommand } from "../../../render/docker/names.ts";
import { inStartOrder } from "../../../render/workloads.ts";
import { firstContext } from "../../artifacts.ts";
import type { Changes, RenderedDeployment } from "../changes.ts";
import { type Affected, affectedWorkloads, isBlocked, refusedArtifacts, renderedName, secretsFor } from "./affected.ts";
import { isMoved, leavingStep } from "./place.ts";
import { quotedList, type Step, step } from "./step.ts";

/** Everything that the steps of a deploy look at. */
interface Deploy {
  readonly before: Deployment;
  readonly after: Deployment;
  readonly changes: Changes;
  /** Null where the new deployment has no target. */
  readonly context: RenderContext | null;
  readonly affected: Affected;
  /** Paths of the artifacts that cannot be rendered. */
  readonly refused: ReadonlySet<string>;
  /** Workloads that are new, and those that are gone. */
  readonly added: readonly Workload[];
  readonly removed: readonly Workload[];
}

/** What brings the changes into force, in order, in the place where the deployment runs or in a new one. */
export function deploySteps(before: Deployment, now: RenderedDeployment, changes: Changes): readonly Step[] {
  const after = now.deployment;
  const rendered = renderingSteps(changes);
  if (isMoved(before, after)) return [...rendered, ...bringingUpSteps(after, changes)];
  const [oldNames, newNames] = [namesOf(before), namesOf(after)];
  const deploy: Deploy = {
    ...{ before, after, changes, context: firstContext(after), affected: affectedWorkloads(changes, after) },
    refused: refusedArtifacts(now),
    added: after.workloads.filter(({ name }) => !oldNames.has(name)),
    removed: before.workloads.filter(({ name }) => !newNames.has(name)),
  };
  return [
    ...mendingSteps(deploy),
    ...rendered,
    ...slackSteps(deploy),
    ...terraformSteps(deploy),
    ...newAppSteps(deploy),
    ...storingSteps(deploy),
    ...imageSteps(deploy),
    ...runningSteps(deploy),
    ...regionSteps(deploy),
    ...removingSteps(deploy),
  ];
}

function namesOf({ workloads }: Deployment): ReadonlySet<string> {
  return new Set(workloads.map(({ name }) => name));
}

/** Names of what changed, for a step that all of it asks for. */
function allChanges({ workloads, secrets, artifacts }: Changes): readonly string[] {
  const changed = [...(artifacts ?? []), ...workloads, ...secrets.add, ...secrets.change].map(({ name }) => name);
  return [...new Set([...changed, ...secrets.retire])];
}

function renderingSteps(changes: Changes): readonly Step[] {
  const because = (changes.artifacts ?? changes.workloads).map(({ name }) => name);
  if (because.length === 0) return [];
  const title = "check, render, and review and commit what changed below `rendered/`";
  return [step(because, title, { commands: ["qm-deploy check", "qm-deploy render --prune"] })];
}

function bringingUpSteps(after: Deployment, changes: Changes): readonly Step[] {
  const because = allChanges(changes);
  if (because.length === 0) return [];
  if (after.target === null)
    return [step(because, "set `target` to docker, fly or aws: without one nothing can be deployed", { done: false })];
  const names = quotedList(after.workloads.map(({ name }) => name));
  const title = `bring ${names} up in the new place on ${after.target}`;
  return [step(because, title, { detail: `${renderedName(after, "bring-up.md")} has the commands, in order` })];
}

/** What runs stays as it is where the file that would change it cannot be rendered. */
function mendingSteps({ after, changes, affected, refused }: Deploy): readonly Step[] {
  const gone = (changes.artifacts ?? []).map(({ name }) => name).filter((name) => refused.has(name));
  const held = [...affected].filter(([name]) => isBlocked(after, refused, name)).flatMap(([, why]) => why);
  const because = [...new Set([...gone, ...held])];
  if (because.length === 0) return [];
  const title = `mend what keeps ${quotedList([...refused].sort(compareText))} from being rendered`;
  const handed = handedOver(changes, because);
  const detail = handed.length === 0 ? null : `until then nobody gets ${quotedList(handed)} who did not before`;
  return [step(because, title, { detail, commands: ["qm-deploy check", "qm-deploy render"], done: false })];
}

function slackSteps({ after, changes }: Deploy): readonly Step[] {
  const manifests = (changes.artifacts ?? []).filter(({ name }) => /\/slack-[a-z]+-manifest\.yml$/.test(name));
  return manifests.map(({ name, change }) => {
    const which = name === renderedName(after, "slack-app-manifest.yml") ? "the bot's app" : "the app to sign in with";
    if (change === "removed")
      return step([name], `delete ${which} at api.slack.com/apps, which nothing uses any longer`);
    const title = change === "added" ? `make ${which} at api.slack.com/apps` : `change ${which} at api.slack.com/apps`;
    const where = change === "added" ? "Create New App, From a manifest" : "App Manifest";
    return step([name], title, { detail: `${where}: paste \`${name}\`` });
  });
}

function terraformSteps({ after, changes, context }: Deploy): readonly Step[] {
  const file = renderedName(after, TFVARS);
  if (context === null || !changes.artifacts?.some(({ name }) => name === file)) return [];
  const supplied = changes.secrets.add.filter(({ managedBy }) => managedBy === "terraform").map(({ name }) => name);
  return [
    step([file, ...supplied], "bring the infrastructure up to date, and read what it would destroy before you agree", {
      commands: [terraform(context, "apply")],
    }),
  ];
}

function newAppSteps({ after, context, added }: Deploy): readonly Step[] {
  if (context === null || after.target !== "fly" || added.length === 0) return [];
  const names = added.map(({ name }) => name);
  return [
    step(names, `make the ${names.length === 1 ? "app" : "apps"} of ${quotedList(names)}`, {
      commands: [
        ...createCommands(
          context,
          added.map(({ name }) => flyApp(context, name)),
        ),
        ...commandsOf(ownerStep(context, added)),
      ],
    }),
  ];
}

/** Values go to their store before what reads them is deployed; those that the target makes are there already. */
function storingSteps({ after, changes, context }: Deploy): readonly Step[] {
  if (context === null) return [];
  const { add, change } = changes.secrets;
  const isNew = new Set(
    [...add, ...change.filter(({ required }) => required.to && !required.from)].map(({ name }) => name),
  );
  // Secrets Manager has one value for all workloads; the other stores one for each.
  const isToStore = (name: string): boolean => context.target !== "aws" || isNew.has(name);
  const operators = after.secrets.filter(({ managedBy }) => managedBy === "operator").map(({ name }) => name);
  const mine = new Set(operators.filter(isToStore));
  const needed = (name: string): readonly string[] => secretsFor(changes, after, name).filter((one) => mine.has(one));
  const readers = after.workloads.filter(({ name }) => needed(name).length > 0);
  const because = [...new Set(readers.flatMap(({ name }) => needed(name)))];
  if (because.length === 0) return [];
  const detail = quotedList(because);
  if (context.target === "docker")
    return [step(because, "write the files with secrets", { detail, commands: [renderSecretsCommand(context)] })];
  const commands = commandsOf(context.target === "fly" ? flySecretsStep(context, readers) : awsSecretsStep(context));
  const title = `put ${because.length === 1 ? "its value" : "their values"} into the store of ${context.target}`;
  return [step(because, title, { detail, commands })];
}

function imageSteps({ after, changes, context }: Deploy): readonly Step[] {
  if (context === null || after.target !== "aws") return [];
  const changed = new Set(changes.workloads.filter(({ image }) => image?.to != null).map(({ name }) => name));
  const workloads = after.workloads.filter(({ name }) => changed.has(name));
  const commands = workloads.length === 0 ? [] : commandsOf(awsImagesStep(context, workloads));
  // Only a login.
  return commands.length < 2
    ? []
    : [step([...changed], `copy the new images of ${quotedList([...changed])} into ECR`, { commands })];
}

function runningSteps(deploy: Deploy): readonly Step[] {
  const { after, changes, context, affected, added, refused } = deploy;
  const workloads = after.workloads.filter(({ name }) => affected.has(name) && !isBlocked(after, refused, name));
  const shared = sharedFiles(deploy);
  const because = [...new Set([...shared, ...workloads.flatMap(({ name }) => affected.get(name) ?? [])])];
  if (because.length === 0 || after.workloads.length === 0) return [];
  const title =
    workloads.length === 0
      ? `bring ${quotedList(shared)} into force`
      : `deploy ${quotedList(inStartOrder(workloads).map(({ name }) => name))}`;
  const migrates = changes.workloads.some(
    ({ name, change, image }) => name === "core" && change === "changed" && image !== null,
  );
  const isNew = (workload: Workload): boolean => added.includes(workload);
  // Of compose.yaml alone no workload need be affected.
  const deployed = workloads.length === 0 ? after.workloads : workloads;
  const commands = context === null ? [] : deployCommands(context, deployed, { isNew, migrates });
  const handed = handedOver(changes, because);
  const reach = handed.length === 0 ? "" : `; other workloads than before get ${quotedList(handed)}`;
  const detail = `${renderedName(after, "bring-up.md")} says how to see that it worked${reach}`;
  return [step(because, title, { detail, commands })];
}

/** The secrets among some names that other workloads get than before. */
function handedOver({ secrets }: Changes, because: readonly string[]): readonly string[] {
  return secrets.change.map(({ name }) => name).filter((name) => because.includes(name));
}

/** The files that start all workloads, where they changed. */
function sharedFiles({ after, changes, refused }: Deploy): readonly string[] {
  if (after.target !== "docker") return [];
  const file = renderedName(after, COMPOSE);
  return changes.artifacts?.some(({ name }) => name === file && !refused.has(name)) === true ? [file] : [];
}

/** A deploy leaves machines where they are. */
function regionSteps({ before, after, changes, context, added }: Deploy): readonly Step[] {
  const region = after.config.region?.trim() ?? "";
  if (context === null || after.target !== "fly" || before.config.region?.trim() === region || region === "") return [];
  const staying = inStartOrder(after.workloads.filter((workload) => !added.includes(workload)));
  const files = staying.map(({ name }) => renderedName(after, flyTomlName(name)));
  const because = (changes.artifacts ?? []).map(({ name }) => name).filter((name) => files.includes(name));
  if (because.length === 0) return [];
  return [
    step(because, `move the machines to \`${region}\`: a deploy leaves them where they are`, {
      detail:
        "the first command of each app makes one there; then destroy those that `fly machine list` shows elsewhere",
      commands: staying.flatMap(({ name }) => [
        `fly scale count 1 --region ${shellWord(region)} --app ${flyApp(context, name)}`,
        `fly machine list --app ${flyApp(context, name)}`,
      ]),
    }),
  ];
}

function removingSteps(deploy: Deploy): readonly Step[] {
  const { before, changes, removed, context } = deploy;
  const old = firstContext(before);
  if (removed.length === 0) return [];
  const names = removed.map(({ name }) => name);
  const isTheirs = (place: string): boolean => names.includes(place.slice(0, place.indexOf(".")));
  const lost = changes.secrets.change.filter(({ removedFrom }) => removedFrom.some(isTheirs)).map(({ name }) => name);
  const title = `take down ${quotedList(names)}, which ${names.length === 1 ? "is" : "are"} no longer deployed`;
  const { detail, commands, because = [] } = removal(deploy, old, context);
  const secrets =
    lost.length === 0
      ? []
      : [
          `with ${names.length === 1 ? "it" : "them"} goes what ${names.length === 1 ? "it" : "they"} got of ${quotedList(lost)}`,
        ];
  const details = [...(detail === null ? [] : [detail]), ...secrets];
  return [
    step([...names, ...lost, ...because], title, {
      detail: details.length === 0 ? null : details.join("; "),
      commands,
    }),
  ];
}

interface Removal {
  readonly detail: string | null;
  readonly commands: readonly string[];
  readonly because?: readonly string[];
}

/** How the workloads of a target that are gone are ended. */
function removal(deploy: Deploy, old: RenderContext | null, context: RenderContext | null): Removal {
  const { before, after, removed } = deploy;
  if (after.workloads.length === 0) {
    const { commands } = leavingStep(before, []);
    return { detail: null, commands, because: sharedFiles(deploy) };
  }
  if (old === null || context === null) return { detail: null, commands: [] };
  if (old.target === "fly") {
    const commands = removed.map(({ name }) => `fly apps destroy ${flyApp(old, name)}`);
    return { detail: "each command asks before it destroys an app", commands };
  }
  if (old.target === "docker")
    return { detail: null, commands: [`${startCommand(context)} --remove-orphans`, composeCommand(context, "ps")] };
  const commands = removed.flatMap((workload) => stoppingCommand(old, workload, after));
  const detail = "terraform has destroyed the services whose coordinates are gone from `aws.services`";
  return { detail: commands.length === removed.length ? null : detail, commands };
}

/** Of a service whose coordinates stay, terraform keeps what runs nothing. */
function stoppingCommand(old: RenderContext, workload: Workload, { config }: Deployment): readonly string[] {
  const words = serviceWords(old, workload);
  if (words === null || !Object.hasOwn(config.aws?.services ?? {}, workload.name)) return [];
  return [updateCommand(old, words.name, "--desired-count 0")];
}

function commandsOf({ commands = [] }: BringUpStep): readonly string[] {
  return commands;
}
