import { nameOf } from "../../catalog/settings/index.ts";
import { type ConfigPath, printPath } from "../../base/config-path.ts";
import { RUNNABLE_SERVICE_NAMES } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { field, type Finding, own, type Rule } from "../rule.ts";
import { missingParts } from "../aws/account.ts";
import { configValues, misplacedValues } from "../secrets/value-in-config.ts";

/** How qm's own check tells a secret by its name, whatever the value (docs/contract/qm-config.md#names-that-hold-secrets). */
const SECRET_ENDING = /(?:_SECRET|_TOKEN|_KEY|_CREDENTIALS?|PASSWORD)$/;

/** What this toolkit takes and qm's own command line does not. */
export const REFUSED_BY_QM_RULES: readonly Rule[] = [
  {
    id: "config/refused-by-qm",
    title: "Harmless value that qm's own command line refuses",
    severity: "info",
    why: "qm's own `check` and `up` refuse some things that change nothing: they judge fields of other targets too, and some values that are blank. Whoever deploys with qm's command line must know.",
    bad: '{ "env": { "core": { "HARNESS": "pi", "ACME_PASSWORD": "" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi" } } }',
    check(deployment, report) {
      if (deployment.broken) return;
      for (const { path, why } of refusedFields(deployment)) report(refused(path, why));
    },
  },
];

interface RefusedField {
  readonly path: ConfigPath;
  /** Completes "qm's own command line refuses …": what it says is wrong. */
  readonly why: string;
}

function refused(path: ConfigPath, why: string): Finding {
  return {
    message: `qm's own command line refuses ${field(path)}: ${why}`,
    help: "remove it where you deploy with qm's own `up`; this toolkit needs no change",
    place: { path },
  };
}

function* refusedFields(deployment: Deployment): Iterable<RefusedField> {
  const { config, services, release, target, document } = deployment;
  const domain = nameOf(release.release, "auth.allowedEmailDomain");
  if (services.includes("auth") && own(config.env?.auth, domain)?.trim() === "")
    yield { path: ["env", "auth", domain], why: "a blank domain is none" };
  const sandbox = document.node(["sandbox"]);
  if (target === "aws" && sandbox?.kind === "object" && document.node(["sandbox", "backend"]) === undefined)
    yield { path: ["sandbox"], why: "on aws it must name its `backend`" };
  if (target !== "fly") yield* refusedMachines(deployment);
  const port = document.node(["basePort"]);
  if (
    target !== "docker" &&
    port !== undefined &&
    !(port.kind === "number" && Number.isInteger(port.value) && port.value > 0)
  )
    yield { path: ["basePort"], why: "it must be a positive whole number on every target" };
  if (target !== "aws" && document.node(["aws"]) !== undefined && missingParts(document).length > 0)
    yield { path: ["aws"], why: "it must be complete on every target" };
  yield* secretsByName(deployment);
}

/** Values that our own rules take for no secret, while qm goes by the name. */
function* secretsByName(deployment: Deployment): Iterable<RefusedField> {
  const named = [...configValues(deployment)].filter(({ name, value }) => isSecretToQm(name, value));
  if (named.length === 0) return;
  const said = new Set(misplacedValues(deployment).map(({ value }) => printPath(value.path)));
  for (const { path } of named)
    if (!said.has(printPath(path))) yield { path, why: "its name ends as those of secrets do" };
}

/** `vms`, which qm judges on every target. */
function* refusedMachines({ document }: Deployment): Iterable<RefusedField> {
  const vms = document.node(["vms"]);
  if (vms === undefined) return;
  if (vms.kind !== "object") yield { path: ["vms"], why: "it must be an object on every target" };
  else
    for (const { key, value } of vms.members) {
      if (!RUNNABLE_SERVICE_NAMES.some((name) => name === key))
        yield { path: ["vms", key], why: "it is no service with a machine" };
      else if (value !== null && value.kind !== "object") yield { path: ["vms", key], why: "it must be an object" };
      else if (value !== null) yield* refusedSizes(document, key);
    }
}

function* refusedSizes(document: Deployment["document"], service: string): Iterable<RefusedField> {
  for (const part of ["size", "memory"]) {
    const path = ["vms", service, part];
    const node = document.node(path);
    if (node !== undefined && node.kind !== "string") yield { path, why: "it must be text on every target" };
  }
}

function isSecretToQm(name: string, value: string): boolean {
  return SECRET_ENDING.test(name) && !name.endsWith("PUBLIC_KEY") && !/^[.~/]/.test(value);
}
