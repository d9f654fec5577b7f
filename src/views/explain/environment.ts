import { type ConfigPath, showPath } from "../../base/config-path.ts";
import type { WrittenConfig } from "../../config/written-config.ts";
import type { Deployment, Workload } from "../../deployment/deployment.ts";
import type { EnvironmentEntry } from "../../deployment/provenance.ts";
import { resolveDeployment } from "../../deployment/resolve.ts";
import type { FindAffected } from "../artifacts.ts";
import { provenanceView } from "../provenance.ts";
import { valueMask, type ValueMask } from "../value-mask.ts";

/** The entries that `NAME` (of every workload) or `workload.NAME` stands for. */
export function explainEnvironment(deployment: Deployment, thing: string, findAffected: FindAffected) {
  const mask = valueMask(deployment);
  return deployment.workloads.flatMap((workload) =>
    workload.environment
      .filter((entry) => thing === entry.name || thing === `${workload.name}.${entry.name}`)
      .map((entry) => explainEntry(deployment, workload, entry, mask, findAffected)),
  );
}

/** One name in the environment of one workload. */
function explainEntry(
  deployment: Deployment,
  workload: Workload,
  entry: EnvironmentEntry,
  mask: ValueMask,
  findAffected: FindAffected,
) {
  const { name, value, provenance } = entry;
  return {
    kind: "environment" as const,
    name,
    workload: workload.name,
    value: mask(name, value),
    origin: provenanceView(deployment, provenance),
    // Weakest first.
    shadowed: entry.shadowed.map((one) => ({
      value: mask(name, one.value),
      origin: provenanceView(deployment, one.provenance),
    })),
    artifacts: findAffected(withoutEntry(deployment, workload, name)),
    overriddenBy: overridingFields(deployment, workload, entry).map(showPath),
    // Null where no secret reaches the workload under the same name; one that does wins.
    secret: secretUnder(deployment, workload.name, name),
  };
}

function withoutEntry(deployment: Deployment, workload: Workload, name: string): Deployment {
  const environment = workload.environment.filter((entry) => entry.name !== name);
  return {
    ...deployment,
    workloads: deployment.workloads.map((one) => (one === workload ? { ...one, environment } : one)),
  };
}

function secretUnder({ secrets }: Deployment, workload: string, name: string): string | null {
  const reaches = ({ destinations }: Deployment["secrets"][number]): boolean =>
    destinations.some((one) => one.workload === workload && one.env === name);
  return secrets.find(reaches)?.name ?? null;
}

/** Stands for any value; no config holds it. */
const PROBE = "qm-deploy-probe";

/**
 * The fields that would put another value in the place of a workload's entry, strongest first. They are found by trying
 * each: the place that the value comes from is left out, and so is what loses against it.
 */
function overridingFields(deployment: Deployment, workload: Workload, entry: EnvironmentEntry): readonly ConfigPath[] {
  const { name, provenance } = entry;
  const own = provenance.kind === "config" ? JSON.stringify(provenance.path) : null;
  return environmentFields(deployment, workload, name).filter((path) => {
    if (JSON.stringify(path) === own) return false;
    const config = withValue(deployment.config, path, PROBE) as WrittenConfig;
    const tried = resolveDeployment(deployment.inputs, { document: deployment.document, config, diagnostics: [] });
    const now = tried.workloads.find((one) => one.name === workload.name)?.environment.find((one) => one.name === name);
    return now?.value === PROBE;
  });
}

function environmentFields({ document }: Deployment, workload: Workload, name: string): ConfigPath[] {
  if (workload.kind === "service") return workload.hosts.map((service) => ["env", service, name]);
  return document.node(workload.path)?.kind === "object" ? [[...workload.path, "env", name]] : [];
}

/** A copy of a value with another one at a path; parts that are missing are made. */
function withValue(value: unknown, path: ConfigPath, leaf: string): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return leaf;
  if (typeof step === "number")
    return (Array.isArray(value) ? value : []).map((item: unknown, at) =>
      at === step ? withValue(item, rest, leaf) : item,
    );
  const copy = Object.assign(Object.create(null), value) as { [key: string]: unknown };
  Object.defineProperty(copy, step, { value: withValue(copy[step], rest, leaf), enumerable: true });
  return copy;
}
