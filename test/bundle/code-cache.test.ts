import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ensureBuilt } from "../../scripts/build.mjs";
import { plainEnv, ROOT } from "../cli/built.ts";
import { soundConfig } from "../cli/deployments.ts";
import { tempDirectory } from "../workspace/temp.ts";

await ensureBuilt();

const CACHE = join("cache", `${process.versions.v8}-${process.arch}`);

/** The built program with its files, to be damaged. */
function copyOfDist() {
  const dist = tempDirectory();
  for (const part of ["bin", "cli", "chunks", CACHE])
    cpSync(join(ROOT, "dist", part), join(dist, part), { recursive: true });
  const filesBelow = (part: string, end: string): string[] =>
    readdirSync(join(dist, part), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(end))
      .map((name) => join(dist, part, name));
  return {
    dist,
    sources: [...filesBelow("cli", ".cjs"), ...filesBelow("chunks", ".cjs")],
    caches: filesBelow(CACHE, ".bin"),
  };
}

/** Turns some bits of a file round, at a place from 0 (its start) to 1 (its end). */
function flip(file: string, place: number): void {
  const bytes = readFileSync(file);
  const at = Math.min(Math.floor(bytes.length * place), bytes.length - 1);
  bytes[at] = (bytes[at] as number) ^ 0x5a;
  writeFileSync(file, bytes);
}

type Damage = (files: ReturnType<typeof copyOfDist>) => void;

const ofEach =
  (damage: (cache: string) => void): Damage =>
  ({ caches }) => {
    expect(caches.length).toBeGreaterThan(2);
    for (const cache of caches) damage(cache);
  };

const DAMAGES: readonly (readonly [name: string, damage: Damage])[] = [
  ["nothing", () => undefined],
  ...[0, 0.001, 0.1, 0.35, 0.5, 0.75, 0.999, 1].map((place): readonly [string, Damage] => [
    `bits at ${place}`,
    ofEach((cache) => flip(cache, place)),
  ]),
  ["their ends", ofEach((cache) => truncateSync(cache, 1_000))],
  ["all but three bytes", ofEach((cache) => truncateSync(cache, 3))],
  ["everything", ofEach((cache) => writeFileSync(cache, ""))],
  ["their bytes, which are zeros", ofEach((cache) => writeFileSync(cache, Buffer.alloc(50_000)))],
];

/** Runs `check` on a deployment with an error. */
function check(dist: string) {
  const cwd = tempDirectory({ "qm.config.jsonc": soundConfig({ nonsense: true }) });
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [join(dist, "bin/qm-deploy.cjs"), "check"], {
    cwd,
    env: plainEnv(),
    encoding: "utf8",
  });
  expect([status, signal, stderr]).toEqual([1, null, ""]);
  return stdout;
}

describe("a code cache of which was lost or changed", () => {
  test.each(DAMAGES)("%s: the program runs as without it", (_name, damage) => {
    const files = copyOfDist();
    damage(files);
    expect(check(files.dist)).toContain("config/unknown-key");
  });

  test("its source, in text of the same length: what runs is what stands in the file", () => {
    const { dist, sources } = copyOfDist();
    for (const source of sources)
      writeFileSync(
        source,
        readFileSync(source, "latin1").replaceAll("config/unknown-key", "CONFIG/UNKNOWN-KEY"),
        "latin1",
      );
    expect(check(dist)).toContain("CONFIG/UNKNOWN-KEY");
  });
});
