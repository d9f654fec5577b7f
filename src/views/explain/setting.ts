import { declarableBackends } from "../../catalog/backends/index.ts";
import { ours } from "../../base/shown.ts";
import { type ConfigPath, readPath, showPath } from "../../base/config-path.ts";
import { applyChanges } from "../../config/edit.ts";
import { loadConfig } from "../../config/load.ts";
import { fieldDoc } from "../../config/schema/field-docs.ts";
import { type FieldInfo, schemaAt } from "../../config/schema/lookup.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { provenancePaths } from "../../deployment/provenance.ts";
import { resolveDeployment } from "../../deployment/resolve.ts";
import type { FindAffected } from "../artifacts.ts";
import { explainName } from "./vocabulary.ts";
import { locationView } from "../provenance.ts";
import { maskConfigValue, valueMask } from "../value-mask.ts";

/** The config field that a path names; empty where the text is no path, or one that neither the config nor the schema has. */
export function explainSetting(deployment: Deployment, thing: string, findAffected: FindAffected) {
  const reading = readPath(thing);
  if (!reading.ok || reading.path.length === 0) return [];
  const { path } = reading;
  const schema = schemaAt(path);
  // A name of the environment is explained as such; the schema takes any name there.
  if (deployment.document.node(path) === undefined && schema === null) return [];
  return [explainField(deployment, path, schema, findAffected)];
}

function explainField(deployment: Deployment, path: ConfigPath, schema: FieldInfo | null, findAffected: FindAffected) {
  const { document, workloads, secrets } = deployment;
  const isWritten = document.node(path) !== undefined;
  const rests = (paths: readonly ConfigPath[]): boolean => isWritten && paths.some((one) => isRelated(one, path));
  const name = String(path.findLast((step) => typeof step === "string") ?? "");
  const setting = explainName(showPath(path))[0];
  return {
    kind: "setting" as const,
    field: showPath(path),
    // Null where the schema knows no such field, and for a setting that qm reads: it is a subject of its own.
    description: setting === undefined && schema !== null ? ours(fieldDoc(path)?.text ?? "") : null,
    // Null when not set.
    value: maskConfigValue(valueMask(deployment), name, document.value(path) ?? null),
    place: locationView(deployment, path),
    // Null where the schema knows no such field.
    takes: setting?.takes ?? backendNames(deployment, path) ?? (schema === null ? null : takes(schema)),
    environment: workloads.flatMap(({ name: workload, environment }) =>
      environment
        .filter(({ provenance }) => rests(provenancePaths(provenance)))
        .map((entry) => ({ workload, name: entry.name })),
    ),
    secrets: secrets.filter(({ because }) => rests(because)).map((secret) => secret.name),
    artifacts: isWritten ? artifactsOf(deployment, path, findAffected) : [],
    overriddenBy: overridingFields(deployment, path),
  };
}

function artifactsOf({ inputs }: Deployment, path: ConfigPath, findAffected: FindAffected): readonly string[] | null {
  const edited = applyChanges(inputs.config.text, [{ kind: "remove", path }]);
  if (!edited.ok) return null;
  const config = { ...inputs.config, text: edited.text };
  return findAffected(resolveDeployment({ ...inputs, config }, loadConfig(config)));
}

/** True when one of two paths is the other or below it. */
function isRelated(a: ConfigPath, b: ConfigPath): boolean {
  const shorter = Math.min(a.length, b.length);
  return a.slice(0, shorter).every((step, at) => step === b[at]);
}

/** What `sandbox.backend` takes, which the release and the target decide; null for another field. */
function backendNames({ target, release }: Deployment, path: ConfigPath): string | null {
  if (showPath(path) !== "sandbox.backend") return null;
  return `one of ${declarableBackends(target, release.release)
    .map(({ name }) => name)
    .join(", ")}`;
}

function takes({ kind, names }: FieldInfo): string {
  switch (kind) {
    case "names":
    case "literal":
      return `one of ${names.join(", ")}`;
    case "object":
    case "union":
      return names.length === 0 ? "a value of several kinds" : `an object with ${names.join(", ")}`;
    case "map":
      return "an object with names of your own";
    case "array":
      return "a list";
    case "string":
      return "text";
    default:
      return `a ${kind}`;
  }
}

/** The field that decides in the place of `sandbox.backend`, where there is one. */
function overridingFields({ sandbox }: Deployment, path: ConfigPath): string[] {
  if (showPath(path) !== "sandbox.backend" || sandbox.effective === null) return [];
  return provenancePaths(sandbox.effective.provenance)
    .map(showPath)
    .filter((field) => field !== "sandbox.backend");
}
