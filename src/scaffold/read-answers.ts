import { redactText } from "../base/redact.ts";
import type { Backend } from "../catalog/backends/backend.ts";
import { BACKENDS, findBackend } from "../catalog/backends/index.ts";
import { declarableTargets } from "../catalog/backends/index.ts";
import { EMAIL_TRANSPORTS } from "../catalog/models.ts";
import { findRelease, RELEASES } from "../catalog/releases/index.ts";
import type { Release } from "../catalog/releases/release.ts";
import { closestName } from "../base/closest-name.ts";
import { readOrigin } from "../config/origin-url.ts";
import {
  MODEL_PROVIDER_NAMES,
  type ModelProviderName,
  TARGET_NAMES,
  type TargetName,
} from "../config/written-config.ts";
import { NO_PLAIN_HTTP } from "../rules/aws/https.ts";

/** An answer as it was read. `reason` completes "--org …"; `help` says what to do. */
export type Choice<T> = { readonly value: T } | { readonly reason: string; readonly help: string };

function oneOf<T extends string>(written: string, names: readonly T[], what: string): Choice<T> {
  const found = names.find((name) => name === written);
  if (found !== undefined) return { value: found };
  const near = closestName(written, names);
  return {
    reason: `names no ${what}: "${redactText(written)}"`,
    help: `${near === null ? "" : `did you mean ${near}? `}there ${names.length === 1 ? "is" : "are"} ${names.join(", ")}`,
  };
}

export function readTarget(written: string): Choice<TargetName> {
  return oneOf(written, TARGET_NAMES, "hosting target");
}

export function readModelProvider(written: string): Choice<ModelProviderName> {
  return oneOf(written, MODEL_PROVIDER_NAMES, "model provider");
}

export function readEmailTransport(written: string): Choice<string> {
  return oneOf(written, EMAIL_TRANSPORTS, "way to send e-mails");
}

export function readReleaseName(written: string): Choice<Release> {
  const choice = oneOf(
    written.replace(/^v(?=\d)/, ""),
    RELEASES.map((release) => release.version),
    "known release of qm",
  );
  return "value" in choice ? { value: findRelease(choice.value) as Release } : choice;
}

/** The backends that a deployment on the target can declare. */
export function backendsFor(target: TargetName, release: Release): readonly Backend[] {
  return BACKENDS.filter((backend) => declarableTargets(backend, release).includes(target));
}

/** Reads a backend that must be declarable on the target; otherwise says every way out. */
export function readBackend(written: string, target: TargetName, release: Release): Choice<Backend> {
  const known = findBackend(written);
  const here = backendsFor(target, release);
  if (known !== undefined && here.includes(known)) return { value: known };
  const names = here.map((backend) => backend.name);
  if (known === undefined) return oneOf(written, names, "sandbox backend") as Choice<Backend>;
  const reason = `names a sandbox backend that ${target} under qm ${release.version} does not take: "${written}"`;
  const targets = declarableTargets(known, release);
  const releases = RELEASES.filter((other) => declarableTargets(known, other).includes(target)).map(
    (other) => other.version,
  );
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

export function readOrg(written: string): Choice<string> {
  if (written.length <= 63 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(written)) return { value: written };
  const near = slug(written);
  const help = "use 1 to 63 lower-case letters, digits and inner hyphens";
  return {
    reason: `is no short name of an organisation: "${redactText(written)}"`,
    help: near === null ? help : `${help}, such as ${near}`,
  };
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
export function readPublicUrl(written: string, target: TargetName): Choice<string> {
  const reading = readOrigin(written);
  if (reading.ok && target === "aws" && !reading.origin.startsWith("https:"))
    return { reason: NO_PLAIN_HTTP.problem, help: NO_PLAIN_HTTP.help };
  if (reading.ok) return { value: reading.origin };
  return {
    reason: reading.reason,
    help: `write scheme and host alone, such as ${reading.canonical ?? "https://qm.acme.dev"}`,
  };
}

/** Reads an AWS account as it is given: its 12 digits, not all zeros. */
export function readAwsAccount(written: string): Choice<string> {
  if (/^\d{12}$/.test(written) && !/^0+$/.test(written)) return { value: written };
  return {
    reason: "is no AWS account",
    help: "give the 12 digits that `aws sts get-caller-identity --query Account` prints",
  };
}
