import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { parse as parseDotenv } from "dotenv";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { RELEASES } from "../../src/catalog/releases/index.ts";
import { parseDocument } from "../../src/config/parse.ts";
import type { Deployment } from "../../src/deployment/deployment.ts";
import type { Artifact } from "../../src/render/artifact.ts";
import { readManifest, textHash } from "../../src/render/manifest.ts";
import { renderDeployment } from "../../src/render/render.ts";
import { example, EXAMPLES, PLAIN } from "./support.ts";

/** `UPDATE_GOLDEN=1` rewrites the files; read the diff. */
const UPDATE = process.env["UPDATE_GOLDEN"] === "1";
const GOLDEN = join(import.meta.dirname, "golden");

/** The deployments among the examples. */
const NAMES = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, "qm.config.jsonc")));

const CASES = NAMES.flatMap((name) =>
  RELEASES.map(({ version }) => ({ name, release: version, directory: join(GOLDEN, `${name}@${version}`) })),
);

/** Text to data, each by a parser that is not the renderer's own; null for prose. */
function reread(deployment: Deployment, artifact: Artifact): void {
  const { name, text } = artifact;
  const workload = deployment.workloads.find((one) => name.startsWith(`${one.name}.`));
  const environment = Object.fromEntries(workload?.environment.map((entry) => [entry.name, entry.value]) ?? []);
  if (name === `${workload?.name}.env` && deployment.target !== "docker") {
    expect(parseEnv(text)).toEqual(environment);
    expect(parseDotenv(text)).toEqual(environment);
  } else if (name.endsWith(".fly.toml")) {
    expect(parseToml(text)["env"]).toEqual(environment);
  } else if (name === "compose.yaml") {
    for (const one of deployment.workloads) {
      const read = parseYaml(text, { logLevel: "error" }).services[one.name].environment as { [key: string]: string };
      expect(
        Object.entries(read).map(([key, value]) => ({ name: key, value: value.replaceAll("$$", () => "$") })),
      ).toEqual(one.environment.map((entry) => ({ name: entry.name, value: entry.value })));
    }
  } else if (name.endsWith(".yml")) {
    expect(parseYaml(text, { version: "1.1" })).toEqual(parseYaml(text));
  } else if (name.endsWith(".jsonc")) {
    expect(parseDocument({ file: name, text }).diagnostics ?? []).toEqual([]);
  } else if (name.endsWith(".task-definition.json")) {
    const container = JSON.parse(text).containerDefinitions[0];
    expect(
      Object.fromEntries(
        container.environment.map((entry: { name: string; value: string }) => [entry.name, entry.value]),
      ),
    ).toEqual(environment);
  } else if (name === "manifest.json") {
    expect(readManifest(text)?.release).toBe(deployment.release.resolved);
  }
}

function goldenFiles(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
}

describe.each(CASES)("$name under $release", ({ name, release, directory }) => {
  const deployment = example(name, { release });
  const { artifacts, refusals, notes } = renderDeployment(deployment, {
    ...PLAIN,
    place: `rendered/${deployment.target}`,
  });
  const report = `${JSON.stringify({ refusals: refusals.map(({ artifact, rule, message }) => ({ artifact, rule, message })), notes }, null, 2)}\n`;
  const files = new Map([
    ...artifacts.map((artifact) => [artifact.name, artifact.text] as const),
    ["report.json", report],
  ]);
  // Git would take these for its own.
  const stored = (file: string): string => (file === ".gitignore" ? "gitignore" : file);

  test("gives the files that were reviewed", () => {
    if (UPDATE) {
      rmSync(directory, { recursive: true, force: true });
      for (const [file, text] of files) {
        mkdirSync(dirname(join(directory, stored(file))), { recursive: true });
        writeFileSync(join(directory, stored(file)), text);
      }
    }
    expect([...files.keys()].map(stored).sort()).toEqual(goldenFiles(directory));
    for (const [file, text] of files) expect(text, file).toBe(readFileSync(join(directory, stored(file)), "utf8"));
  });

  test.each(artifacts.map((artifact) => [artifact.name, artifact] as const))(
    "%s says the same to another reader",
    (_name, artifact) => reread(deployment, artifact),
  );

  test("every artifact that has comments says first that it is generated", () => {
    for (const artifact of artifacts.filter(({ name: file }) => !file.endsWith(".json")))
      expect(artifact.text.split("\n")[0], artifact.name).toMatch(
        /^(?:#|\/\/|<!--) Generated by qm-deploy from qm\.config\.jsonc/,
      );
  });

  test("the manifest has the hash of every other file", () => {
    const manifest = readManifest(files.get("manifest.json") ?? "");
    expect(manifest?.artifacts).toEqual(
      artifacts
        .filter((artifact) => artifact.name !== "manifest.json")
        .map(({ name: file, text }) => ({ name: file, sha256: file === "terraform.tfvars" ? null : textHash(text) })),
    );
  });
});
