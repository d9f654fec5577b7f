import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Deployment } from "../../src/deployment/deployment.ts";
import type { DeploymentInputs } from "../../src/deployment/inputs.ts";

const DIST = dirname(fileURLToPath(import.meta.resolve("@yc-software/qm/contract")));

async function internal<T>(path: string): Promise<T> {
  return (await import(pathToFileURL(join(DIST, path)).href)) as T;
}

/** Why qm 0.1.12's own `check` refuses the deployment in a directory, offline and without its network preflights; null when it accepts it. */
export async function refusalOfQmAt(directory: string): Promise<string | null> {
  const { loadConfigAt } = await internal<{ loadConfigAt(path: string): { config: unknown } }>("contract.js");
  const { runChecks } = await internal<{ runChecks(config: unknown, dir: string, sandbox: string, options: { report: boolean }): unknown }>("commands/check.js");
  const warn = console.warn;
  const error = console.error;
  try {
    console.warn = console.error = () => undefined;
    runChecks(loadConfigAt(join(directory, "qm.config.jsonc")).config, directory, join(directory, "sandbox"), { report: false });
    return null;
  } catch (refusal) {
    return refusal instanceof Error ? refusal.message : String(refusal);
  } finally {
    console.warn = warn;
    console.error = error;
  }
}

/** As {@link refusalOfQmAt} for a config, and what else lies in the deployment directory. */
export async function refusalOfQm(config: unknown, inputs?: Pick<DeploymentInputs, "sandboxTree" | "pluginsTree" | "skillsPaths">): Promise<string | null> {
  const directory = mkdtempSync(join(tmpdir(), "qm-peer-"));
  try {
    for (const { path, kind, text } of [...(inputs?.sandboxTree ?? []), ...(inputs?.pluginsTree ?? [])]) {
      const at = join(directory, path);
      mkdirSync(kind === "directory" ? at : dirname(at), { recursive: true });
      if (kind === "file") writeFileSync(at, text ?? "text");
    }
    for (const { written, kind } of inputs?.skillsPaths ?? []) if (kind === "directory") mkdirSync(join(directory, written), { recursive: true });
    writeFileSync(join(directory, "qm.config.jsonc"), JSON.stringify(config));
    return await refusalOfQmAt(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

type Plain = { [key: string]: unknown };

/** A config as qm's own command line can be told of boxd, by the environment; what else `sandbox` holds is left there. */
export function forQm(written: Plain): Plain {
  const { $schema: _schema, ...config } = written as Plain & { sandbox?: Plain; env?: { core?: Plain } };
  if (config.sandbox?.["backend"] !== "boxd") return config;
  const { backend, ...rest } = config.sandbox;
  const { sandbox: _sandbox, ...others } = config;
  const core = { SANDBOX_BACKEND: backend, ...config.env?.core };
  return { ...others, ...(Object.keys(rest).length === 0 ? {} : { sandbox: rest }), env: { ...config.env, core } };
}

/** The text of a deployment's config for qm; one with syntax errors as it stands. */
export function configForQm({ document }: Deployment): string {
  const value = document.value([]);
  if (document.diagnostics.length > 0 || typeof value !== "object" || value === null) return document.text;
  return JSON.stringify(forQm(JSON.parse(JSON.stringify(value)) as Plain));
}
