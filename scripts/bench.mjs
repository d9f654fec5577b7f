/**
 * `npm run bench`: how long commands take, as ratios to `node` on an empty ES module, all measured in this run and
 * interleaved, so that what else the machine does falls on all alike; then what many deployments cost.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { benchGrowth } from "./bench/growth.mjs";
import { ROOT } from "./sources.mjs";
import { ensureInstalled } from "./setup.mjs";

const ROUNDS = 30;
const FLEETS = [100, 1_000, 10_000];
/** One run scatters by a tenth. */
const FLEET_ROUNDS = 5;
const RENDERED = 1_000;

ensureInstalled();
const { ensureBuilt } = await import("./build.mjs");
await ensureBuilt();

const BIN = join(ROOT, "dist", "bin", "qm-deploy.cjs");
/** Node 20 starts three times slower with it. */
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function milliseconds(program, args, cwd) {
  const started = process.hrtime.bigint();
  // Through a pipe, as in CI.
  const { error } = spawnSync(program, args, { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
  if (error !== undefined) throw error;
  return Number(process.hrtime.bigint() - started) / 1e6;
}

function deployment(at) {
  const targets = ["docker", "fly", "aws"];
  const target = targets[at % 3];
  return {
    contract: 1,
    orgId: `org-${at}`,
    publicUrl: `https://qm${at}.acme-corp.dev`,
    target,
    services: ["core", "web-ui", "portal"],
    modelProvider: "anthropic",
    env: { core: { BOXD_ORG: "acme", BOXD_NAME_PREFIX: `a${at.toString(36)}` } },
    sandbox: { backend: "boxd" },
    ...(target === "fly" ? { region: "iad", flyOrg: "acme" } : {}),
    ...(target === "aws" ? { aws: { accountId: "123456789012", region: "us-east-1", cluster: "qm" } } : {}),
  };
}

/** `count` deployments of 3 targets below a directory. */
function makeFleet(directory, count) {
  for (let at = 0; at < count; at++) {
    const path = join(directory, `d${String(at).padStart(5, "0")}`);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "qm.config.jsonc"), `// deployment ${at}\n${JSON.stringify(deployment(at), null, 2)}\n`);
  }
}

/** Prints, as its process ends, CPU time in µs and peak memory in KiB. What getrusage calls the peak is, on Linux, at least that of this process. */
const PROBE = `process.on("exit", () => {
  const fs = require("node:fs");
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  let peak = maxRSS;
  try { peak = Number(/VmHWM:\\s*(\\d+)/.exec(fs.readFileSync("/proc/self/status", "utf8"))[1]); } catch {}
  fs.writeSync(2, "\\n@@" + (userCPUTime + systemCPUTime) + " " + peak);
});`;

/** CPU time (ms) and peak memory (MiB) of one command line, which may end with findings. */
function resources(args, cwd) {
  const directory = mkdtempSync(join(tmpdir(), "qm-deploy-probe-"));
  try {
    writeFileSync(join(directory, "probe.cjs"), PROBE);
    const { stderr, status } = spawnSync(process.execPath, ["--require", join(directory, "probe.cjs"), BIN, ...args], {
      cwd,
      env,
      stdio: ["ignore", "ignore", "pipe"],
      encoding: "utf8",
    });
    const [, cpu, peak] = /@@(\d+) (\d+)/.exec(stderr) ?? [];
    if (cpu === undefined) throw new Error(`qm-deploy ${args.join(" ")} ended with ${status}: ${stderr}`);
    return { cpu: Number(cpu) / 1000, peak: Number(peak) / 1024 };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function benchStart(scratch) {
  writeFileSync(join(scratch, "empty.mjs"), "");
  const rows = [
    ["node on an empty module", process.execPath, [join(scratch, "empty.mjs")]],
    ["--version", process.execPath, [BIN, "--version"]],
    ["--help", process.execPath, [BIN, "--help"]],
    ["check", process.execPath, [BIN, "check"]],
    ["check --format json", process.execPath, [BIN, "check", "--format", "json"]],
    ["secrets", process.execPath, [BIN, "secrets"]],
  ];
  const node24 = env.QM_DEPLOY_NODE_24;
  if (node24 !== undefined) {
    const peer = join(scratch, "peer");
    mkdirSync(peer);
    const { env: __, sandbox: ___, ...plain } = deployment(0);
    writeFileSync(join(peer, "qm.config.jsonc"), JSON.stringify(plain));
    rows.push(["node 24 on an empty module", node24, [join(scratch, "empty.mjs")]]);
    rows.push([
      "qm check (the peer, on Node 24)",
      node24,
      [join(ROOT, "node_modules", "@yc-software", "qm", "dist", "bin", "qm.js"), "check"],
      peer,
    ]);
  }
  const times = rows.map(() => []);
  for (let round = -3; round < ROUNDS; round++) {
    for (const [at, [, program, args, cwd]] of rows.entries()) {
      const time = milliseconds(program, args, cwd ?? ROOT);
      if (round >= 0) times[at].push(time);
    }
  }
  const floor = median(times[0]);
  console.log(`\none command, ${ROUNDS} rounds, median (min), ratio to the first row`);
  for (const [at, [name]] of rows.entries()) {
    console.log(
      `  ${name.padEnd(34)} ${median(times[at]).toFixed(1).padStart(7)} ms (${Math.min(...times[at]).toFixed(1)})  ${(median(times[at]) / floor).toFixed(2)}`,
    );
  }
  if (node24 === undefined) console.log("  the peer's check is left out: QM_DEPLOY_NODE_24 names no Node 24");
}

/** One `render` that must succeed; milliseconds. */
function renderOnce(cwd, more) {
  const started = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, [BIN, "render", "--release", "0.1.12", ...more], {
    cwd,
    env,
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`qm-deploy render in ${cwd} ended with ${status}: ${stderr}`);
  return Number(process.hrtime.bigint() - started) / 1e6;
}

/** Copies of the examples that render in full. */
function makeExamples(directory, count) {
  const names = ["docker-boxd", "fly-boxd", "aws-boxd"];
  for (let at = 0; at < count; at++)
    cpSync(join(ROOT, "examples", names[at % 3]), join(directory, `d${String(at).padStart(5, "0")}`), {
      recursive: true,
    });
}

/** `render` takes one deployment, so that each costs a start; the first row is of all, the others of a sample. */
function benchRender(scratch) {
  const fleet = join(scratch, "rendered-fleet");
  makeExamples(fleet, RENDERED);
  const all = readdirSync(fleet).map((name) => join(fleet, name));
  const sample = all.slice(0, 100);
  console.log("\nrender, one deployment after another");
  for (const [what, deployments, more] of [
    ["first", all, []],
    ["again", sample, []],
    ["--check", sample, ["--check"]],
  ]) {
    const times = deployments.map((cwd) => renderOnce(cwd, more));
    const sum = times.reduce((total, time) => total + time, 0);
    console.log(
      `  ${String(times.length).padStart(6)} ${what.padEnd(7)} median ${median(times).toFixed(1)} ms, slowest ${Math.max(...times).toFixed(1)} ms, ${(sum / 1000).toFixed(1)} s in all`,
    );
  }
  rmSync(fleet, { recursive: true, force: true });
}

function benchFleets(scratch) {
  console.log(`\nmany deployments in one run, median of ${FLEET_ROUNDS}`);
  for (const count of FLEETS) {
    const fleet = join(scratch, `fleet-${count}`);
    makeFleet(fleet, count);
    for (const format of ["pretty", "json"]) {
      const runs = Array.from({ length: FLEET_ROUNDS }, () => resources(["check", "--format", format, "."], fleet));
      const cpu = median(runs.map((run) => run.cpu));
      const peak = Math.max(...runs.map((run) => run.peak));
      console.log(
        `  ${String(readdirSync(fleet).length).padStart(6)} ${format.padEnd(7)} ${(cpu / count).toFixed(3)} ms of CPU each, ${(cpu / 1000).toFixed(2)} s in all, peak ${peak.toFixed(0)} MiB`,
      );
    }
    rmSync(fleet, { recursive: true, force: true });
  }
}

const scratch = mkdtempSync(join(tmpdir(), "qm-deploy-bench-"));
try {
  const only = process.argv[2];
  if (only === undefined || only === "start") benchStart(scratch);
  if (only === undefined || only === "fleets") benchFleets(scratch);
  if (only === undefined || only === "render") benchRender(scratch);
  if (only === undefined || only === "growth") benchGrowth(scratch, (args, cwd) => resources(args, cwd).cpu);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
