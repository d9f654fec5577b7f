import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Deployment } from "../../src/deployment/deployment.ts";
import { configForQm } from "../../src/render/projection.ts";

const DIST = dirname(fileURLToPath(import.meta.resolve("@yc-software/qm/contract")));

async function internal<T>(path: string): Promise<T> {
  return (await import(pathToFileURL(join(DIST, path)).href)) as T;
}

/** Why qm 0.1.12's own `check` refuses the deployment in a directory, offline and without its network preflights; null when it accepts it. */
export async function refusalOfQmAt(directory: string): Promise<string | null> {
  const { loadConfigAt } = await internal<{ loadConfigAt(path: string): { config: unknown } }>("contract.js");
  const { runChecks } = await internal<{
    runChecks(config: unknown, dir: string, sandbox: string, options: { report: boolean }): unknown;
  }>("commands/check.js");
  const warn = console.warn;
  const error = console.error;
  try {
    console.warn = console.error = () => undefined;
    runChecks(loadConfigAt(join(directory, "qm.config.jsonc")).config, directory, join(directory, "sandbox"), {
      report: false,
    });
    return null;
  } catch (refusal) {
    return refusal instanceof Error ? refusal.message : String(refusal);
  } finally {
    console.warn = warn;
    console.error = error;
  }
}

/** As {@link refusalOfQmAt} for a deployment that lies nowhere. */
export async function refusalOfQm(deployment: Deployment): Promise<string | null> {
  const { sandboxTree, pluginsTree, skillsPaths } = deployment.inputs;
  const directory = mkdtempSync(join(tmpdir(), "qm-peer-"));
  try {
    for (const { path, kind, text } of [...sandboxTree, ...pluginsTree]) {
      const at = join(directory, path);
      mkdirSync(kind === "directory" ? at : dirname(at), { recursive: true });
      if (kind === "file") writeFileSync(at, text ?? "text");
    }
    for (const { written, kind } of skillsPaths)
      if (kind === "directory") mkdirSync(join(directory, written), { recursive: true });
    writeFileSync(join(directory, "qm.config.jsonc"), textForQm(deployment));
    return await refusalOfQmAt(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The text of a deployment's config as the projection tells it to qm; one with syntax errors as it stands. */
export function textForQm(deployment: Deployment): string {
  const { document } = deployment;
  const config = document.diagnostics.length > 0 ? null : configForQm(deployment);
  return config === null ? document.text : JSON.stringify(config);
}
