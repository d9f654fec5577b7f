import { findReference } from "../base/stand-in.ts";
import { findSecretPlaceholder } from "../config/placeholder.ts";
import type { TargetName } from "../config/written-config.ts";
import type { Deployment, Secret } from "../deployment/deployment.ts";
import { BRING_UP } from "../render/bring-up/bring-up.ts";
import { concernOf } from "../rules/blocking.ts";
import { runRules } from "../rules/run-rules.ts";
import { checkSecretValues } from "./check.ts";

/** Whether the rendered files on disk are what the config says; `partial`: some cannot be rendered. */
export type RenderedState = "current" | "stale" | "none" | "partial" | "refused";

/** What asking the target came to: the number of differences, whether anything runs at all; or why it could not be asked. */
export type DriftState = { readonly differences: number; readonly runs: boolean } | { readonly unknown: string };

/** How far a deployment is. */
export interface DeploymentStatus {
  /** What `check` finds beside secret values. */
  readonly errors: number;
  readonly warnings: number;
  readonly secrets: SecretsStatus;
  readonly rendered: RenderedState;
  /** Null where nobody asked. */
  readonly drift: DriftState | null;
}

/** How far the secrets are. */
export interface SecretsStatus {
  readonly required: number;
  /** Names of required secrets that `.env` has no value for; null where there is no `.env` and the target's store may have them. */
  readonly missing: readonly string[] | null;
  /** Gives the first of them a value: makes it where it can be made; null where none is missing. */
  readonly command: string | null;
  /** Other faults of secret values. */
  readonly faults: number;
}

/** What to do next, as a command for the deployment directory. */
export interface NextStep {
  readonly says: string;
  readonly command: string;
}

/** Required secrets that `.env` has no value for, which the operator must supply. */
export function missingSecrets({ secrets, env }: Pick<Deployment, "secrets" | "env">): readonly Secret[] {
  const isThere = ({ name }: Secret): boolean => {
    const value = env?.values.get(name)?.trim() ?? "";
    return value !== "" && (findSecretPlaceholder(value) === null || findReference(value)?.tool !== undefined);
  };
  return secrets.filter((secret) => secret.managedBy === "operator" && secret.required && !isThere(secret));
}

/** What `check` and `secrets check` find, counted apart. */
export function judgedStatus(deployment: Deployment): Pick<DeploymentStatus, "errors" | "warnings" | "secrets"> {
  const { secrets, env, target } = deployment;
  const open = runRules(deployment).filter(({ suppression }) => suppression === undefined);
  const config = open.filter((diagnostic) => concernOf(diagnostic, deployment) !== "secret-values");
  const count = (severity: string): number => config.filter((one) => one.severity === severity).length;
  const mayBeStored = env === null && target !== "docker";
  const [first, ...others] = missingSecrets(deployment);
  const missing = first === undefined ? [] : [first, ...others].map(({ name }) => name);
  const values = checkSecretValues(deployment).filter(({ severity }) => severity === "error");
  return {
    errors: count("error"),
    warnings: count("warning"),
    secrets: {
      required: secrets.filter(({ required, managedBy }) => required && managedBy === "operator").length,
      missing: mayBeStored ? null : missing,
      command: mayBeStored || first === undefined ? null : setCommand(first),
      // A missing secret is one error each, and so is a file that is not there.
      faults: mayBeStored || missing.length > 0 ? 0 : values.length,
    },
  };
}

/** A key that a deployment keeps for ever may be there already, and is not made by the way. */
function setCommand({ name, source }: Secret): string {
  const isMade = source.kind !== "operator" && !(source.kind === "hex32" && source.lasting === true);
  return `qm-deploy secrets set ${name}${isMade ? " --generate" : ""}`;
}

/** Asked for by a flag, since it starts a program. */
const ASK = "qm-deploy status --drift";

/** True where nothing is left to do, as far as anybody asked. */
export function isDone(status: DeploymentStatus): boolean {
  return [undefined, ASK].includes(nextStep(status, null)?.command);
}

/** The first thing that stands between a deployment and running as it is meant to; null where nothing does. `target` names its files. */
export function nextStep(
  { errors, secrets, rendered, drift }: DeploymentStatus,
  target: TargetName | null,
): NextStep | null {
  if (errors > 0 || rendered === "refused") return { says: "mend what `check` finds", command: "qm-deploy check" };
  const [first = ""] = secrets.missing ?? [];
  if (secrets.command !== null) return { says: `give ${first} a value`, command: secrets.command };
  if (secrets.faults > 0) return { says: "mend what is wrong with secret values", command: "qm-deploy secrets check" };
  if (rendered === "partial") return { says: "see what cannot be rendered", command: "qm-deploy render" };
  if (rendered !== "current") return { says: "write what the target needs", command: "qm-deploy render" };
  const page = `rendered/${target ?? "<target>"}/${BRING_UP}`;
  if (drift === null)
    return { says: `bring it up, as ${page} says, where that is not done yet; see whether it runs`, command: ASK };
  if ("unknown" in drift) return { says: "see what the target's program lacks", command: "qm-deploy doctor" };
  if (drift.differences === 0) return null;
  return drift.runs
    ? { says: "see what differs, and what settles it", command: "qm-deploy drift" }
    : { says: "bring it up, step by step", command: `cat ${page}` };
}
