import type { WrittenConfig } from "../../config/written-config.ts";
import type { Deployment, Workload } from "../../deployment/deployment.ts";
import { resolveDeployment } from "../../deployment/resolve.ts";
import type { ConfigPath } from "../../base/config-path.ts";

/** Stands for any value; no config holds it. */
const PROBE = "qm-deploy-probe";

/** The fields that people write environment into, for a workload. */
function candidates({ document }: Deployment, workload: Workload, name: string): ConfigPath[] {
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

/**
 * The fields that would put another value in the place of a workload's entry, found by trying each: the place that the
 * value comes from is left out, and so is what loses against it.
 */
export function overridingFields(deployment: Deployment, workload: Workload, name: string): readonly ConfigPath[] {
  const entry = workload.environment.find((one) => one.name === name);
  const own = entry?.provenance.kind === "config" ? JSON.stringify(entry.provenance.path) : null;
  return candidates(deployment, workload, name).filter((path) => {
    if (JSON.stringify(path) === own) return false;
    const config = withValue(deployment.config, path, PROBE) as WrittenConfig;
    const tried = resolveDeployment(deployment.inputs, { document: deployment.document, config, diagnostics: [] });
    const now = tried.workloads.find((one) => one.name === workload.name)?.environment.find((one) => one.name === name);
    return now?.value === PROBE;
  });
}
