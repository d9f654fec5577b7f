import { dirname, join, resolve } from "node:path";
import type { TargetName } from "../config/written-config.ts";
import { loadConfig } from "../config/load.ts";
import { findSecretPlaceholder } from "../config/placeholder.ts";
import type { Deployment, Secret } from "../deployment/deployment.ts";
import { resolveDeployment } from "../deployment/resolve.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { type FileReader, setEnvValue } from "../envfile/index.ts";
import { concernOf } from "../rules/blocking.ts";
import { runRules } from "../rules/run-rules.ts";
import { loadFound } from "./load-deployment.ts";
import { configAt } from "./find-deployments.ts";
import { withLock } from "./lock.ts";
import { displayName } from "./paths.ts";
import { readTextFile } from "./read-file.ts";
import { writeFileAtomically } from "./write-file.ts";

/** Who reads `.env` as it stands, beside this toolkit: qm's own CLI, and on docker compose for the database's password. */
export function envFileReaders(target: TargetName | null): readonly FileReader[] {
  return target === "docker" ? ["qm", "compose"] : ["qm"];
}

/** What became of a secret. Unless `kind` is "written", no byte changed. Nothing here holds a value. */
export type SetSecretOutcome =
  /** `findings`: what the rules of `.env` newly say about the name. */
  | { readonly kind: "written" | "unchanged"; readonly file: string; readonly findings: readonly Diagnostic[] }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unsound"; readonly findings: readonly Diagnostic[]; readonly file: string }
  | { readonly kind: "unreadable"; readonly problem: Diagnostic };

export interface SetSecretOptions {
  readonly cwd: string;
  /** Deployment directory or config file. */
  readonly path: string;
  /** Instead of the `.env` beside the config; need not exist. */
  readonly envFile?: string | undefined;
  /** Write although the rules of `.env` find errors in the value, or a made value would replace one. */
  readonly force: boolean;
}

/** Where a value comes from: given, or made for the secret's kind (null: it cannot be made here). */
export type ValueSource = { readonly given: string } | { readonly make: (secret: Secret) => string | null };

function withEnv(deployment: Deployment, file: string, text: string): Deployment {
  return resolveDeployment(
    { ...deployment.inputs, envFile: { file, text, mode: 0o600 } },
    loadConfig(deployment.inputs.config),
  );
}

/** What the values of `.env` give reason for in `after` and did not before; what is only missing is no fault of a new value. */
function newFindings(before: Deployment, after: Deployment): Diagnostic[] {
  const known = new Set(runRules(before).map(({ rule, message }) => `${rule} ${message}`));
  return runRules(after).filter(
    (finding) =>
      finding.range !== null &&
      concernOf(finding, after) === "secret-values" &&
      !known.has(`${finding.rule} ${finding.message}`),
  );
}

/** The value to write, or why there is none. */
function valueFor(
  deployment: Deployment,
  name: string,
  source: ValueSource,
  force: boolean,
): { value: string } | { reason: string } {
  if ("given" in source) return { value: source.given };
  const secret = deployment.secrets.find((one) => one.name === name);
  if (secret === undefined)
    return { reason: `\`${name}\` is no secret of this deployment, so that nothing says how to make it` };
  const old = deployment.env?.values.get(name)?.trim() ?? "";
  if (old !== "" && findSecretPlaceholder(old) === null && !force) {
    return {
      reason: `\`${name}\` has a value already, and what was signed, encrypted or made with it would be lost; --force replaces it`,
    };
  }
  const value = source.make(secret);
  return value === null ? { reason: `\`${name}\` cannot be made here: ${secret.description}` } : { value };
}

/**
 * Sets one secret in the `.env` of a deployment: in its place, later duplicates removed, comments and line ends kept, mode
 * 0600. Refused where a reader of the file would get another value, or the rules of `.env` find the value unsound.
 *
 * @throws {WriteRefused} and file system errors where the file cannot be written; it is as it was then
 */
export async function setSecret(
  name: string,
  source: ValueSource,
  options: SetSecretOptions,
): Promise<SetSecretOutcome> {
  const { cwd, force } = options;
  const config = configAt(options.path, cwd);
  const path = options.envFile === undefined ? join(dirname(config.path), ".env") : resolve(cwd, options.envFile);
  const file = displayName(path, cwd);
  const first = loadFound(config, { cwd });
  if (first.problem !== undefined) return { kind: "unreadable", problem: first.problem };
  return withLock(path, (): SetSecretOutcome => {
    const read = readTextFile(path, file);
    if (read.problem !== undefined && read.problem.rule !== "input/missing")
      return { kind: "unreadable", problem: read.problem };
    const text = read.file?.text ?? null;
    const before = withEnv(first.deployment, file, text ?? "");
    const made = valueFor(before, name, source, force);
    if ("reason" in made) return { kind: "refused", reason: made.reason };
    const edited = setEnvValue(text ?? "", name, made.value, envFileReaders(before.target));
    if (!edited.ok) return { kind: "refused", reason: edited.refusal.reason };
    const findings = newFindings(before, withEnv(before, file, edited.text));
    if (!force && findings.some(({ severity }) => severity === "error")) return { kind: "unsound", findings, file };
    const isUnchanged = edited.text === text && ((read.file?.mode ?? 0) & 0o077) === 0;
    if (!isUnchanged) writeFileAtomically(path, edited.text, { root: dirname(path), secret: true, expected: text });
    return { kind: isUnchanged ? "unchanged" : "written", file, findings };
  });
}
