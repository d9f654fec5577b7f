import { applyChanges } from "../../config/edit.ts";
import { renamesBetween, settingsOf } from "../../catalog/settings/index.ts";
import { SERVICE_NAMES } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { type DeploymentInputs, fileBelow, type PackageFile } from "../../deployment/inputs.ts";
import { withPin } from "../../deployment/release/edit-pin.ts";
import { withConfigText, withPackageFiles } from "../../deployment/resolve.ts";
import type { Diagnostic, ValueChange } from "../../diagnostics/diagnostic.ts";
import { applyFixes } from "../../rules/apply-fixes.ts";
import { blockingDiagnostics, concernOf } from "../../rules/blocking.ts";
import { runRules } from "../../rules/run-rules.ts";
import { firstRender } from "../artifacts.ts";
import { publishedImage } from "../diff/steps/release-steps.ts";

/** What is asked for. */
export interface UpgradeRequest {
  /** The exact version to pin, known or not. */
  readonly version: string;
  /** `own`: the deployment's own package.json, made where there is none; `parent`: the one above it that pins for it. */
  readonly place: PackageFile["relation"];
  /** The text of a package.json that is made. */
  readonly newPackage: string;
  /** Takes out pins of images where the new release publishes one that serves. */
  readonly publishedImages: boolean;
}

/** The change of the pin; `before` null: the file is made. */
export interface PinChange {
  readonly file: string;
  readonly relation: PackageFile["relation"];
  readonly before: string | null;
  readonly after: string;
  /** As it is pinned now; null where nothing pins it, or something that names no version. */
  readonly from: string | null;
  readonly to: string;
}

/** A setting that the config writes and the other release does not read. */
export interface LostSetting {
  readonly path: string;
  readonly message: string;
}

/** Everything that an upgrade decides before it writes. */
export interface UpgradePlan {
  readonly before: Deployment;
  /** With the new pin, its config fixed. */
  readonly after: Deployment;
  readonly pin: PinChange;
  /** What was changed in the config, in order. */
  readonly applied: readonly string[];
  /** What the new release finds in the config of now and the old one does not, and the reverse. */
  readonly appear: readonly Diagnostic[];
  readonly go: readonly Diagnostic[];
  /** What is found once all is changed. */
  readonly remaining: readonly Diagnostic[];
  readonly lost: readonly LostSetting[];
  /** What stands in the way: errors that remain in the config, else why files could not be rendered. Secret values are none. */
  readonly obstacles: readonly Diagnostic[];
}

/** Another release for a deployment: the pin, and what the config needs for it. Writes nothing. `refused`: why it cannot be pinned. */
export function planUpgrade(before: Deployment, request: UpgradeRequest): UpgradePlan | { readonly refused: string } {
  const pin = planPin(before, request);
  if ("refused" in pin) return pin;
  const pinned = withPackageFiles(before, packagesWith(before.inputs, pin));
  const old = runRules(before);
  const known = new Set(old.map(keyOf));
  const now = runRules(pinned);
  const found = new Set(now.map(keyOf));
  const migrated = migrate(before, pinned, request);
  const fixed = applyFixes(migrated.deployment, "all", true, (finding) => !known.has(keyOf(finding)));
  return {
    before,
    after: fixed.deployment,
    pin,
    applied: [...migrated.titles, ...fixed.applied],
    appear: now.filter((finding) => !known.has(keyOf(finding)) && !isAboutValues(finding, pinned)),
    go: old.filter((finding) => !found.has(keyOf(finding)) && !isAboutValues(finding, before)),
    remaining: fixed.diagnostics,
    lost: lostSettings(before, pinned),
    obstacles: obstaclesOf(fixed.deployment, fixed.diagnostics),
  };
}

function obstaclesOf(after: Deployment, remaining: readonly Diagnostic[]): readonly Diagnostic[] {
  const errors = blockingDiagnostics("render", remaining, after);
  return errors.length > 0 ? errors : firstRender(after).refusals;
}

/** What secrets come and go is told as that. */
function isAboutValues(finding: Diagnostic, deployment: Deployment): boolean {
  return concernOf(finding, deployment) === "secret-values";
}

function keyOf({ rule, file, message }: Diagnostic): string {
  return JSON.stringify([rule, file, message]);
}

function planPin({ inputs, release }: Deployment, request: UpgradeRequest): PinChange | { readonly refused: string } {
  const { version, place, newPackage } = request;
  const found = inputs.packageFiles.find(({ relation }) => relation === place);
  const file = found?.file ?? fileBelow(inputs, "package.json");
  const edit = withPin(found?.text ?? newPackage, version);
  if ("reason" in edit) return { refused: `\`${file}\` cannot pin qm ${version}: ${edit.reason}` };
  const isRead = release.source === "package.json" || release.source === "parent package.json";
  return {
    file,
    relation: place,
    before: found?.text ?? null,
    after: edit.text,
    from: isRead ? release.pinned : null,
    to: version,
  };
}

function packagesWith(
  { packageFiles }: DeploymentInputs,
  { file, relation, after }: PinChange,
): readonly PackageFile[] {
  const others = packageFiles.filter((one) => one.relation !== relation);
  const pinned: PackageFile = { file, text: after, relation };
  return relation === "own" ? [pinned, ...others] : [...others, pinned];
}

/** What no rule can know: names that a setting had in the other release, and pins of images that nobody needs any longer. */
function migrate(
  before: Deployment,
  pinned: Deployment,
  { publishedImages }: UpgradeRequest,
): { readonly deployment: Deployment; readonly titles: readonly string[] } {
  const titles: string[] = [];
  let { text } = pinned.inputs.config;
  const apply = (title: string, change: ValueChange): void => {
    const edited = applyChanges(text, [change]);
    if (!edited.ok || edited.text === text) return;
    text = edited.text;
    titles.push(title);
  };
  for (const { service, from, to } of renamesBetween(before.release.release, pinned.release.release)) {
    for (const field of ["env", "secretEnv"] as const) {
      for (const name of service === "all" ? SERVICE_NAMES : [service]) {
        const path = [field, name, from];
        if (pinned.document.node(path) === undefined || pinned.document.node([field, name, to]) !== undefined) continue;
        apply(`rename \`${path.join(".")}\` to \`${to}\``, { kind: "rename", path, key: to });
      }
    }
  }
  if (publishedImages) {
    for (const name of Object.keys(pinned.config.imageOverrides ?? {})) {
      if (publishedImage(pinned, { kind: "service", name }) === null) continue;
      const path = ["imageOverrides", name];
      apply(`remove \`${path.join(".")}\`, as qm ${pinned.release.resolved} publishes that image`, {
        kind: "remove",
        path,
      });
    }
  }
  return { deployment: withConfigText(pinned, text, Number.POSITIVE_INFINITY), titles };
}

/** Settings that the release before reads, the config writes, and the other one has no name for. */
function lostSettings(before: Deployment, after: Deployment): readonly LostSetting[] {
  const [old, now] = [before.release.release, after.release.release];
  const renamed = new Set(renamesBetween(old, now).map(({ service, from }) => `${service} ${from}`));
  return SERVICE_NAMES.flatMap((service) => {
    const [read, kept] = [settingsOf(old, service), settingsOf(now, service)];
    return Object.keys(before.config.env?.[service] ?? {})
      .filter((name) => read.has(name) && !kept.has(name))
      .filter((name) => !renamed.has(`${service} ${name}`) && !renamed.has(`all ${name}`))
      .map((name) => ({
        path: `env.${service}.${name}`,
        message: `\`env.${service}.${name}\` is not read by qm ${after.release.resolved}: what it sets is lost`,
      }));
  });
}
