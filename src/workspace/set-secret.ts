import { generateKeyPairSync, randomBytes } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { findReference } from "../base/stand-in.ts";
import type { TargetName } from "../config/written-config.ts";
import { findSecretPlaceholder } from "../config/placeholder.ts";
import type { SecretSource } from "../catalog/secret-row.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { withEnvFile } from "../deployment/resolve.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { type FileReader, setEnvValue } from "../envfile/index.ts";
import { concernOf } from "../rules/blocking.ts";
import { runRules } from "../rules/run-rules.ts";
import { rolloutCommands } from "../views/rollout.ts";
import { loadUsable } from "./load-deployment.ts";
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
  | {
      readonly kind: "written" | "unchanged";
      readonly file: string;
      readonly findings: readonly Diagnostic[];
      /** What hands a value that takes another one's place to what reads it; empty for a first one. */
      readonly rollout: readonly string[];
    }
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

/** The value, or that one is to be made. */
export type NewValue = { readonly given: string } | { readonly generated: true };

/**
 * Makes the value of a secret with the system's CSPRNG: 32 bytes in hex, or a private P-256 key as a JWK on one line.
 * Null where only the operator can get it.
 */
export function generateSecret(source: SecretSource): string | null {
  if (source.kind === "operator") return null;
  if (source.kind === "hex32") return randomBytes(32).toString("hex");
  const { kty, crv, x, y, d } = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  return JSON.stringify({ kty, crv, x, y, d });
}

/**
 * What the values of `.env` give reason for in `after` and did not before; what is only missing is no fault of a new value. What was
 * found at the former value of `name` is no excuse for the same fault of the new one.
 */
function newFindings(name: string, before: Deployment, after: Deployment): Diagnostic[] {
  const others = runRules(before).filter((finding) => !isAt(name, finding, before));
  const known = new Set(others.map(({ rule, message }) => `${rule} ${message}`));
  return runRules(after).filter((finding) => {
    const isNew =
      finding.suppression === undefined && finding.range !== null && !known.has(`${finding.rule} ${finding.message}`);
    return isNew && concernOf(finding, after) === "secret-values";
  });
}

/** True where a finding points into a line of `.env` that sets the name. */
function isAt(name: string, { file, range }: Diagnostic, { env, inputs }: Deployment): boolean {
  if (range === null || file !== inputs.envFile?.file) return false;
  const { start, end } = range;
  return (env?.entries ?? []).some(
    (entry) => entry.key === name && entry.range.start.offset <= start.offset && end.offset <= entry.range.end.offset,
  );
}

/** True for what may be in use: no blank, placeholder or reference. */
function isOwnValue(value: string): boolean {
  return value !== "" && findSecretPlaceholder(value) === null;
}

function valueFor(
  deployment: Deployment,
  name: string,
  wanted: NewValue,
  force: boolean,
): { value: string } | { reason: string } {
  const secret = deployment.secrets.find((one) => one.name === name);
  const old = deployment.env?.values.get(name)?.trim() ?? "";
  const lost = "what was signed, encrypted or made with it would be lost";
  const has = `\`${name}\` has a value already, and ${lost}; --force replaces it`;
  const isLasting = secret?.source.kind === "hex32" && secret.source.lasting === true;
  if ("given" in wanted) {
    const isKept = !isLasting || !isOwnValue(old) || old === wanted.given.trim() || force;
    return isKept ? { value: wanted.given } : { reason: has };
  }
  if (secret === undefined)
    return { reason: `\`${name}\` is no secret of this deployment, so that nothing says how to make it` };
  const value = generateSecret(secret.source);
  // What no flag gets past is said before what --force does.
  if (value === null) return { reason: `\`${name}\` cannot be made here: ${secret.description}` };
  const reference = findReference(old);
  if (reference !== null && !force)
    return { reason: `\`${name}\` ${reference.what}, and a made value would take its place; --force replaces it` };
  return isOwnValue(old) && !force ? { reason: has } : { value };
}

/**
 * Sets one secret in the `.env` of a deployment: in its place, later duplicates removed, comments and line ends kept, mode
 * 0600. Refused where a reader of the file would get another value, or the rules of `.env` find the value unsound.
 *
 * @throws {WriteRefused} and file system errors where the file cannot be written; it is as it was then
 */
export async function setSecret(name: string, wanted: NewValue, options: SetSecretOptions): Promise<SetSecretOutcome> {
  const { cwd, force } = options;
  const config = configAt(options.path, cwd);
  const path = options.envFile === undefined ? join(dirname(config.path), ".env") : resolve(cwd, options.envFile);
  const file = displayName(path, cwd);
  const { deployment, problem } = loadUsable(config, { cwd });
  if (problem !== undefined) return { kind: "unreadable", problem };
  return withLock(path, (): SetSecretOutcome => {
    const read = readTextFile(path, file);
    if (read.problem !== undefined && read.problem.rule !== "input/missing")
      return { kind: "unreadable", problem: read.problem };
    const text = read.file?.text ?? null;
    const withText = (envText: string): Deployment => withEnvFile(deployment, { file, text: envText, mode: 0o600 });
    const before = withText(text ?? "");
    const made = valueFor(before, name, wanted, force);
    if ("reason" in made) return { kind: "refused", reason: made.reason };
    const edited = setEnvValue(text ?? "", name, made.value, envFileReaders(before.target));
    if (!edited.ok) return { kind: "refused", reason: edited.refusal.reason };
    const findings = newFindings(name, before, withText(edited.text));
    if (!force && findings.some(({ severity }) => severity === "error")) return { kind: "unsound", findings, file };
    const isUnchanged = edited.text === text && ((read.file?.mode ?? 0) & 0o077) === 0;
    if (!isUnchanged) writeFileAtomically(path, edited.text, { root: dirname(path), secret: true, expected: text });
    const isOther = isOwnValue(before.env?.values.get(name)?.trim() ?? "") && edited.text !== text;
    const rollout = isOther ? rolloutCommands(withText(edited.text), name) : [];
    return { kind: isUnchanged ? "unchanged" : "written", file, findings, rollout };
  });
}
