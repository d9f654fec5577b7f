import { isDnsLabel } from "../catalog/grammar/dns.ts";
import { redactText } from "../base/redact.ts";
import type { Backend } from "../catalog/backends/backend.ts";
import { declarableBackends, declarableTargets, findBackend } from "../catalog/backends/index.ts";
import { findRelease, RELEASE_VERSIONS, RELEASES } from "../catalog/releases/index.ts";
import type { Release } from "../catalog/releases/release.ts";
import { closestName } from "../base/closest-name.ts";
import { nearestRelease } from "../deployment/release/choose.ts";
import { parseVersion } from "../deployment/release/version.ts";
import { readOrigin } from "../config/origin-url.ts";
import type { ModelProviderName, TargetName } from "../config/written-config.ts";
import { NO_PLAIN_HTTP } from "../rules/aws/account.ts";

/** The package that this toolkit is installed as where nothing else is said. */
export const OWN_NAME = "qm-deploy";

/** How a deployment's package.json depends on this toolkit. */
export interface Toolkit {
  readonly name: string;
  readonly spec: string;
}

/** What package.json is made from. */
export interface PackageAnswers {
  /** 1 to 63 lower-case letters, digits and inner hyphens. */
  readonly org: string;
  readonly release: Release;
  readonly toolkit: Toolkit | null;
  /** This toolkit's GitHub Action, as `owner/repo@tag`, for the workflow; null: what package.json installs is run. */
  readonly action: string | null;
}

/** Everything that a new deployment is made from, decided and sound. */
export interface Answers extends PackageAnswers {
  readonly target: TargetName;
  readonly backend: Backend;
  readonly modelProvider: ModelProviderName;
  /** How the sign-in broker sends its e-mails; null: no sign-in by e-mail (docker only). */
  readonly emailTransport: string | null;
  /** Null: the target's own, see {@link defaultPublicUrl}. */
  readonly publicUrl: string | null;
  /** 12 digits; null: the operator fills it in later. */
  readonly awsAccount: string | null;
}

/** An answer as it was read. `reason` completes "--org …"; `help` says what to do. */
export type AnswerReading<T> = { readonly value: T } | { readonly reason: string; readonly help: string };

/** Reads one of a few names. */
export function oneOf<T extends string>(written: string, names: readonly T[], what: string): AnswerReading<T> {
  const found = names.find((name) => name === written);
  if (found !== undefined) return { value: found };
  return noneOf(written, names, what, closestName(written, names));
}

function noneOf(written: string, names: readonly string[], what: string, near: string | null): AnswerReading<never> {
  return {
    reason: `names no ${what}: "${redactText(written)}"`,
    help: `${near === null ? "" : `did you mean ${near}? `}there ${names.length === 1 ? "is" : "are"} ${names.join(", ")}`,
  };
}

export function readReleaseName(written: string): AnswerReading<Release> {
  const found = findRelease(written.replace(/^v(?=\d)/, ""));
  if (found !== undefined) return { value: found };
  // Versions are near by their order, not by their letters.
  const version = parseVersion(written);
  const near = version === null ? null : nearestRelease(version).version;
  return noneOf(written, RELEASE_VERSIONS, "known release of qm", near);
}

/** Reads a backend that must be declarable on the target; otherwise says every way out. */
export function readBackend(written: string, target: TargetName, release: Release): AnswerReading<Backend> {
  const known = findBackend(written);
  const here = declarableBackends(target, release);
  if (known !== undefined && here.includes(known)) return { value: known };
  const names = here.map((backend) => backend.name);
  if (known === undefined) return oneOf(written, names, "sandbox backend") as AnswerReading<Backend>;
  const reason = `names a sandbox backend that ${target} under qm ${release.version} does not take: "${written}"`;
  const targets = declarableTargets(known, release);
  const taking = RELEASES.filter((other) => declarableTargets(known, other).includes(target));
  const releases = taking.map((other) => other.version);
  const ways = [
    `use one that it does: ${names.join(", ")}`,
    ...(targets.length === 0 ? [] : [`deploy on ${targets.join(" or ")} (--target)`]),
    ...(releases.length === 0 ? [] : [`take qm ${releases.join(" or ")} (--release)`]),
    ...(targets.length === 0 && releases.length === 0
      ? ["scaffold with another one and name this in `env.core.SANDBOX_BACKEND` afterwards"]
      : []),
  ];
  return { reason, help: ways.join("; or ") };
}

export function readOrg(written: string): AnswerReading<string> {
  if (isDnsLabel(written)) return { value: written };
  const near = slug(written);
  const help = `use 1 to 63 lower-case letters, digits and inner hyphens${near === null ? "" : `, such as ${near}`}`;
  return { reason: `is no short name of an organisation: "${redactText(written)}"`, help };
}

/** A short name made from any text; null where nothing of it can stand in one. */
export function slug(text: string): string | null {
  const made = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 63)
    .replace(/^-+|-+$/g, "");
  return made === "" ? null : made;
}

/** Reads the address of a deployment on the target; one that is scaffolded on aws has a portal. */
export function readPublicUrl(written: string, target: TargetName): AnswerReading<string> {
  const reading = readOrigin(written);
  if (reading.ok && target === "aws" && !reading.origin.startsWith("https:"))
    return { reason: NO_PLAIN_HTTP.problem, help: NO_PLAIN_HTTP.help };
  if (reading.ok) return { value: reading.origin };
  const help = `write scheme and host alone, such as ${reading.canonical ?? "https://qm.acme.dev"}`;
  return { reason: reading.reason, help };
}

/** Reads an AWS account as it is given: its 12 digits, not all zeros. */
export function readAwsAccount(written: string): AnswerReading<string> {
  if (/^\d{12}$/.test(written) && !/^0+$/.test(written)) return { value: written };
  const help = "give the 12 digits that `aws sts get-caller-identity --query Account` prints";
  return { reason: "is no AWS account", help };
}

const NAMED_SPEC = /^((?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*)(?:@(.+))?$/;
/** A path, a tarball, an address or a GitHub repository, which names no package itself. */
const LOCATION_SPEC = /^(?:[a-z+]+:|\.{0,2}\/|~\/)|\.t(?:ar\.)?gz$|^[\w.-]+\/[\w.-]+(?:#.+)?$/i;
const VERSION = /^[~^]?\d+\.\d+\.\d+/;

/**
 * Reads an npm spec: `name@version`, a version alone, a tarball, a directory, a git or an http address. A bare name is
 * refused: it means whatever is newest on the day of the install.
 */
export function readToolkit(written: string): AnswerReading<Toolkit> {
  const help = "give a name and a version (qm-deploy@0.1.0), a tarball, a directory or an address";
  if (written === "") return { reason: "is empty", help };
  if (/\s/.test(written)) return { reason: "has spaces in it, which no npm spec has", help };
  if (VERSION.test(written) || LOCATION_SPEC.test(written)) return { value: { name: OWN_NAME, spec: written } };
  const [, name, spec] = NAMED_SPEC.exec(written) ?? [];
  if (name === undefined) return { reason: "is no npm spec", help };
  if (spec === undefined)
    return { reason: `names no version of ${name}, so that every install could bring another`, help };
  return { value: { name, spec } };
}

/** Reads how a workflow names an action of GitHub's. */
export function readAction(written: string): AnswerReading<string> {
  if (/^[\w-]+\/[\w.-]+(?:\/[\w.-]+)*@[\w.][\w./-]*$/.test(written)) return { value: written };
  return { reason: "names no action", help: "give owner/repo@tag, or a commit for the tag" };
}

/** The path of a spec that is a file or directory, absolute or from the working directory; null for any other spec. */
export function localSpecPath(spec: string): string | null {
  const path = spec.replace(/^file:(?:\/\/(?=\/))?/, "");
  if (path !== spec) return path;
  const isTarball = /\.t(?:ar\.)?gz$/.test(spec) && !/^(?:[a-z+]+:|~)/i.test(spec);
  return isTarball || /^\.{0,2}\//.test(spec) ? spec : null;
}
