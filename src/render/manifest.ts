import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { isJsonObject, parseJson } from "../base/json.ts";
import { compareText } from "../base/text-order.ts";
import type { Secret } from "../deployment/deployment.ts";
import { MANIFEST } from "../deployment/rendered-names.ts";
import { type Artifact, jsonText, publicArtifact, type RenderContext } from "./artifact.ts";
import { TFVARS } from "./aws/tfvars.ts";
import { isDatabaseUrl, routesDatabase } from "./database.ts";

/** One file that render wrote. `sha256` null: an operator edits it too, so that its bytes say nothing. */
export interface ManifestEntry {
  readonly name: string;
  readonly sha256: string | null;
}

/** What `manifest.json` says: which files are ours, and what they were when they were written. */
export interface Manifest {
  readonly release: string;
  /** The `.env` names that shaped these files, sorted; never values. */
  readonly envNames: readonly string[];
  readonly artifacts: readonly ManifestEntry[];
}

/** SHA-256 of a text's UTF-8 bytes, in hex. */
export function textHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** The manifest of these artifacts; files with secrets are not in it. */
export function manifestOf(release: string, envNames: readonly string[], artifacts: readonly Artifact[]): Manifest {
  const entries = artifacts
    .filter((artifact) => !artifact.secret && artifact.name !== MANIFEST)
    .map(({ name, text }) => ({ name, sha256: name === TFVARS ? null : textHash(text) }));
  return { release, envNames, artifacts: entries.sort((a, b) => compareText(a.name, b.name)) };
}

/**
 * The secrets whose having a value decides how some committed artifact reads, by name, sorted. `manifest.json` records
 * them, so that the same files come out where `.env` is not at hand.
 */
export function recordedEnvNames({ deployment, target, options }: RenderContext): readonly string[] {
  const shapesArtifacts = (secret: Secret): boolean => {
    if (target === "aws") return !secret.required && secret.destinations.length > 0;
    return target === "docker" && isDatabaseUrl(secret, deployment) && !routesDatabase(deployment);
  };
  const names = deployment.secrets
    .filter((secret) => shapesArtifacts(secret) && options.secretsWithValue.has(secret.name))
    .map((secret) => secret.name);
  return [...new Set(names)].sort(compareText);
}

/** `manifest.json`. */
export function manifestArtifact({ release, envNames, artifacts }: Manifest): Artifact {
  return publicArtifact(MANIFEST, jsonText({ version: 1, release, envNames, artifacts }));
}

/** Reads a `manifest.json`; null for anything that is not one of ours. Names that lead elsewhere are left out. */
export function readManifest(text: string): Manifest | null {
  const parsed = parseJson(text);
  const { version, release, envNames, artifacts } = isJsonObject(parsed) ? parsed : {};
  if (version !== 1 || typeof release !== "string" || !Array.isArray(artifacts)) return null;
  return {
    release,
    envNames: Array.isArray(envNames) ? envNames.filter((name) => typeof name === "string") : [],
    artifacts: artifacts.filter(isEntry).map(({ name, sha256: hash }) => ({ name, sha256: hash })),
  };
}

function isEntry(value: unknown): value is ManifestEntry {
  if (!isJsonObject(value)) return false;
  const { name, sha256: hash } = value;
  return typeof name === "string" && isArtifactName(name) && (hash === null || typeof hash === "string");
}

/** True for a relative path that stays where it is. */
function isArtifactName(name: string): boolean {
  return name.split("/").every((part) => part !== "" && part !== "." && part !== ".." && !/[\\:\0]/.test(part));
}
