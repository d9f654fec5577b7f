import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parse } from "smol-toml";
import { hasFiles } from "../../../src/deployment/inputs.ts";
import type { Deployment } from "../../../src/deployment/deployment.ts";

/** A config that qm has loaded: opaque, but for what this harness reads of it. */
export interface QmConfig {
  readonly services: readonly string[];
  readonly plugins: readonly { readonly name: string; readonly image?: string }[];
}

export interface QmSecret {
  readonly name: string;
  readonly required: boolean;
  readonly managedBy: string;
}

export type StringEnv = { readonly [name: string]: string };

interface Contract {
  loadConfigAt(path: string): { readonly config: QmConfig };
  renderTaskDefinition(
    config: QmConfig,
    service: string,
    image: string,
  ): { containerDefinitions: { environment: { name: string; value: string }[] }[] };
}

const CONTRACT = fileURLToPath(import.meta.resolve("@yc-software/qm/contract"));
const DIST = dirname(CONTRACT);
const TEMPLATES = join(DIST, "..", "..", "templates", "fly");
const IMAGE = `registry.example.com/any@sha256:${"a".repeat(64)}`;

async function internal<T>(path: string): Promise<T> {
  return (await import(pathToFileURL(join(DIST, path)).href)) as T;
}

/** Loads a config with qm 0.1.12's own loader; throws what it throws. */
export async function loadWithQm(config: unknown): Promise<QmConfig> {
  const { loadConfigAt } = await internal<Contract>("contract.js");
  return inTempDir((dir) => {
    const path = join(dir, "qm.config.jsonc");
    writeFileSync(path, JSON.stringify(config));
    return loadConfigAt(path).config;
  });
}

/** The secrets catalogue that qm computes. */
export async function qmSecrets(
  config: QmConfig,
): Promise<{ secrets: readonly QmSecret[]; destinations: ReadonlyMap<string, readonly string[]> }> {
  const module = await internal<{
    computedSecrets(config: QmConfig): QmSecret[];
    secretDestinations(secret: QmSecret, plugins: readonly string[]): Map<string, Set<string>>;
  }>("secrets.js");
  const secrets = module.computedSecrets(config);
  const destinations = new Map(
    secrets.map((secret) => {
      const all = [...module.secretDestinations(secret, [])].flatMap(([workload, names]) =>
        [...names].map((name) => `${workload}.${name}`),
      );
      return [secret.name, all.sort()] as const;
    }),
  );
  return { secrets, destinations };
}

/** The environments of all workloads of a deployment, as qm has them. docker's plugins are left out: `qm up` watches each of them for five seconds. */
export async function qmEnvironments(
  deployment: Deployment,
  config: QmConfig,
): Promise<ReadonlyMap<string, StringEnv>> {
  if (deployment.target === "docker") {
    const layer = ["skills", "tools"].filter((name) => hasFiles(deployment.inputs, `sandbox/${name}`));
    return qmDockerEnv(config, layer);
  }
  const one = deployment.target === "aws" ? qmAwsEnv : qmFlyEnv;
  return new Map(
    await Promise.all(deployment.workloads.map(async ({ name }) => [name, await one(config, name)] as const)),
  );
}

/** The environment of a task on aws. */
async function qmAwsEnv(config: QmConfig, workload: string): Promise<StringEnv> {
  const { renderTaskDefinition } = await internal<Contract>("contract.js");
  const [container] = renderTaskDefinition(config, workload, IMAGE).containerDefinitions;
  return Object.fromEntries((container?.environment ?? []).map(({ name, value }) => [name, value]));
}

/** The `[env]` of a fly.toml, of a service or a plugin. */
async function qmFlyEnv(config: QmConfig, workload: string): Promise<StringEnv> {
  const fly = await internal<{
    derivedTomlFor(config: QmConfig, service: string, root: string): string;
    derivedPluginTomlFor(config: QmConfig, plugin: unknown): string;
  }>("backends/fly.js");
  const plugin = config.plugins.find((each) => each.name === workload);
  const toml = inTempDir((dir) => {
    symlinkSync(TEMPLATES, join(dir, "deploy"));
    return plugin === undefined ? fly.derivedTomlFor(config, workload, dir) : fly.derivedPluginTomlFor(config, plugin);
  });
  return parse(toml)["env"] as StringEnv;
}

/**
 * What `qm up` hands to `docker run` for each service, seen by a docker that only writes down how it was called. Values
 * that travel in qm's secret files are not in it, as they are not in our environment.
 */
async function qmDockerEnv(config: QmConfig, layer: readonly string[] = []): Promise<ReadonlyMap<string, StringEnv>> {
  const docker = await internal<{ dockerUp(config: QmConfig, dir: string): Promise<void> }>("backends/docker.js");
  const { secrets } = await qmSecrets(config);
  const dir = mkdtempSync(join(tmpdir(), "qm-peer-"));
  const before = { ...process.env };
  const log = console.log;
  try {
    for (const name of layer) mkdirSync(join(dir, "sandbox", name), { recursive: true });
    writeFileSync(
      join(dir, ".env"),
      ["DATABASE_URL", ...secrets.map((secret) => secret.name)]
        .map((name) => `${name}=${name === "ADMIN_GRANTS" ? "ada@acme.com:org_admin" : "v".repeat(40)}`)
        .join("\n"),
    );
    writeFakeDocker(dir);
    process.env["PATH"] = `${dir}:${before["PATH"]}`;
    process.env["HOME"] = dir;
    // qm wants to see the socket that it mounts into core; any file will do.
    writeFileSync(join(dir, "docker.sock"), "");
    process.env["DOCKER_HOST"] = `unix://${dir}/docker.sock`;
    console.log = () => undefined;
    await docker.dockerUp(config, dir);
    return readRuns(readFileSync(join(dir, "calls"), "utf8"));
  } finally {
    console.log = log;
    process.env = before;
    rmSync(dir, { recursive: true });
  }
}

/** Each call is its arguments, NUL-ended, then a line of its own. */
function writeFakeDocker(dir: string): void {
  const ready = "listening on :8080\nsurface on http\npublic front door on 8080\n";
  const script = `#!/bin/sh\nprintf '%s\\0' "$@" >> ${dir}/calls\nprintf '\\n\\0' >> ${dir}/calls\n[ "$1" = logs ] && printf '${ready.replaceAll("\n", "\\n")}'\nexit 0\n`;
  writeFileSync(join(dir, "docker"), script, { mode: 0o755 });
}

function readRuns(calls: string): ReadonlyMap<string, StringEnv> {
  const runs = new Map<string, StringEnv>();
  for (const call of calls.split("\0\n\0").map((text) => text.split("\0"))) {
    if (call[0] !== "run") continue;
    const name = call[call.indexOf("--network-alias") + 1] as string;
    const pairs = call.flatMap((word, at) => (call[at - 1] === "-e" ? [word] : []));
    runs.set(
      name,
      Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)])),
    );
  }
  return runs;
}

function inTempDir<T>(work: (dir: string) => T): T {
  const dir = mkdtempSync(join(tmpdir(), "qm-peer-"));
  try {
    return work(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}
