import { readPath, showPath, type ConfigPath } from "../../base/config-path.ts";
import { type FieldInfo, schemaAt } from "../../config/schema/lookup.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { provenancePaths } from "../../deployment/provenance.ts";
import { maskConfigValue, valueMask } from "../value-mask.ts";
import { locationView } from "../provenance.ts";
import type { Reach } from "./affected-artifacts.ts";
import type { SettingExplanation } from "./explanation.ts";

/** True when one of two paths is the other or below it. */
function isRelated(a: ConfigPath, b: ConfigPath): boolean {
  const shorter = Math.min(a.length, b.length);
  return a.slice(0, shorter).every((step, at) => step === b[at]);
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
function overriding({ sandbox }: Deployment, path: ConfigPath): string[] {
  if (showPath(path) !== "sandbox.backend" || sandbox.effective === null) return [];
  return provenancePaths(sandbox.effective.provenance)
    .map(showPath)
    .filter((field) => field !== "sandbox.backend");
}

/** The config field that a path names; empty where the text is no path, or one that neither the config nor the schema has. */
export function explainSetting(deployment: Deployment, thing: string, reach: Reach): SettingExplanation[] {
  const reading = readPath(thing);
  if (!reading.ok || reading.path.length === 0) return [];
  const { path } = reading;
  const { document } = deployment;
  const shape = schemaAt(path);
  const isWritten = document.node(path) !== undefined;
  // A name of the environment is explained as such; the schema takes any name there.
  if (!isWritten && shape === null) return [];
  const mask = valueMask(deployment);
  const rests = (paths: readonly ConfigPath[]): boolean => isWritten && paths.some((one) => isRelated(one, path));
  return [
    {
      kind: "setting",
      field: showPath(path),
      value: maskConfigValue(
        mask,
        String(path.findLast((step) => typeof step === "string") ?? ""),
        document.value(path) ?? null,
      ),
      place: locationView(deployment, path),
      takes: shape === null ? null : takes(shape),
      environment: deployment.workloads.flatMap((workload) =>
        workload.environment
          .filter(({ provenance }) => rests(provenancePaths(provenance)))
          .map(({ name }) => ({ workload: workload.name, name })),
      ),
      secrets: deployment.secrets.filter(({ because }) => rests(because)).map(({ name }) => name),
      artifacts: isWritten ? reach.ofField(path) : [],
      overriddenBy: overriding(deployment, path),
    },
  ];
}
