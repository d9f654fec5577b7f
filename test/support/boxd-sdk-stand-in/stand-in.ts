import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "rolldown";
import type { StandInReport } from "./process-plane.ts";
import type { PlainFault, StandInSettings } from "./settings.ts";

export type { StandInReport } from "./process-plane.ts";
export type { PlainFault, StandInSettings } from "./settings.ts";

const FAST_TIME = join(import.meta.dirname, "..", "fast-time.mjs");

/** How a child process of a test gets `@boxd-sh/sdk`. */
export interface StandIn {
  /** arguments of `node` before the program */
  readonly nodeArgs: readonly string[];
  /** puts it below a package's node_modules, as npm would */
  installInto(packageFolder: string): void;
  /** environment for one run; the report of an earlier run is gone afterwards */
  env(settings?: StandInSettings, faults?: readonly PlainFault[]): Record<string, string>;
  /** what the last run left; throws when it never made a client */
  report(): StandInReport;
  /** removes everything, and kills what a run that was itself killed has left */
  dispose(): void;
}

/** Bundles the stand-in (plain Node cannot read TypeScript) into a temporary directory. Once per test file is enough. */
export async function makeStandIn(): Promise<StandIn> {
  const dir = mkdtempSync(join(tmpdir(), "boxd-stand-in-"));
  const bundle = join(dir, "sdk.mjs");
  const register = join(dir, "register.mjs");
  const reportFile = join(dir, "report.json");
  await build({
    input: join(import.meta.dirname, "index.ts"),
    platform: "node",
    logLevel: "warn",
    output: { file: bundle, format: "esm" },
  });
  writeFileSync(
    register,
    [
      `import ${JSON.stringify(pathToFileURL(FAST_TIME).href)};`,
      `import { register } from "node:module";`,
      `register(${JSON.stringify(pathToFileURL(join(import.meta.dirname, "hooks.mjs")).href)}, { data: { url: ${JSON.stringify(pathToFileURL(bundle).href)} } });`,
      "",
    ].join("\n"),
  );
  return {
    nodeArgs: ["--import", register],
    installInto(packageFolder) {
      const folder = join(packageFolder, "node_modules", "@boxd-sh", "sdk");
      mkdirSync(folder, { recursive: true });
      copyFileSync(bundle, join(folder, "sdk.mjs"));
      const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8")) as object;
      writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, exports: "./sdk.mjs" }));
    },
    env(settings = {}, faults = []) {
      rmSync(reportFile, { force: true });
      return {
        FAKE_BOXD: JSON.stringify(settings),
        FAKE_BOXD_FAULTS: JSON.stringify(faults),
        FAKE_BOXD_REPORT: reportFile,
        FAST_TIME: String(settings.rate ?? 1),
        // Planes put their machines here, so that what is left of them can be told from other tests'.
        TMPDIR: dir,
      };
    },
    report: () => JSON.parse(readFileSync(reportFile, "utf8")) as StandInReport,
    dispose() {
      killMarked(dir);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Processes whose machine lies below `dir`. */
function killMarked(dir: string): void {
  const mark = `FAKE_BOXD_MACHINE=${dir}/`;
  const pids = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1")
          .split("\0")
          .some((entry) => entry.startsWith(mark));
      } catch {
        return false;
      }
    });
  if (pids.length > 0) execFileSync("/bin/sh", ["-c", `kill -9 ${pids.join(" ")} 2>/dev/null || :`]);
}
