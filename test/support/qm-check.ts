import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const DIST = dirname(fileURLToPath(import.meta.resolve("@yc-software/qm/contract")));

async function internal<T>(path: string): Promise<T> {
  return (await import(pathToFileURL(join(DIST, path)).href)) as T;
}

/** Why qm 0.1.12's own `check` refuses a config, offline and without its network preflights; null when it accepts it. */
export async function refusalOfQm(config: unknown): Promise<string | null> {
  const { loadConfigAt } = await internal<{ loadConfigAt(path: string): { config: unknown } }>("contract.js");
  const { runChecks } = await internal<{ runChecks(config: unknown, dir: string, sandbox: string, options: { report: boolean }): unknown }>("commands/check.js");
  const dir = mkdtempSync(join(tmpdir(), "qm-peer-"));
  try {
    const path = join(dir, "qm.config.jsonc");
    writeFileSync(path, JSON.stringify(config));
    mkdirSync(join(dir, "sandbox"));
    runChecks(loadConfigAt(path).config, dir, join(dir, "sandbox"), { report: false });
    return null;
  } catch (refusal) {
    return refusal instanceof Error ? refusal.message : String(refusal);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
