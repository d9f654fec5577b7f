import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The largest config that is read has a megabyte. */
const SIZES = { plugins: [500, 1_000, 2_000, 4_000], others: [1_000, 2_000, 4_000, 8_000, 16_000] };
/** Milliseconds above the floor from which a time says something about growth. */
const SIGNIFICANT = 60;

const DIGEST = "15".repeat(32);

function base() {
  return {
    contract: 1,
    orgId: "acme",
    publicUrl: "https://qm.acme-corp.dev",
    target: "docker",
    modelProvider: "anthropic",
    services: ["core", "web-ui"],
    imageOverrides: { core: `ghcr.io/acme/qm-core@sha256:${DIGEST}` },
    env: { core: { HARNESS: "pi", BOXD_NAME_PREFIX: "acme-d" } },
    secretEnv: { core: {} },
    sandbox: { backend: "boxd" },
  };
}

function times(count, make) {
  return Array.from({ length: count }, (_, at) => make(at));
}

/** As unlike a word as a real secret. */
function randomHex(at) {
  return createHash("sha256").update(String(at)).digest("hex").slice(0, 32);
}

function record(count, make) {
  return Object.fromEntries(times(count, make));
}

/** What may be many in a deployment: each makes `count` of it in a config, or beside it. `variant` differs for the second one of a diff. */
const SUBJECTS = {
  services: (config, count) => ({ ...config, services: [...config.services, ...times(count, () => "web-ui")] }),
  plugins: (config, count, variant) => ({
    ...config,
    plugins: times(count, (at) => ({
      name: `plugin-${at}`,
      image: `ghcr.io/acme/plugin@sha256:${DIGEST}`,
      env: { ACME_MODE: variant },
    })),
  }),
  "env entries": (config, count, variant) => ({
    ...config,
    env: { core: { ...config.env.core, ...record(count, (at) => [`ACME_SETTING_${at}`, variant]) } },
  }),
  secrets: (config, count, variant, directory) => {
    writeFileSync(
      join(directory, ".env"),
      times(count, (at) => `ACME_LOGIN_${variant}_${at}=${randomHex(at)}\n`).join(""),
    );
    return {
      ...config,
      secretEnv: { core: record(count, (at) => [`ACME_LOGIN_${at}`, `ACME_LOGIN_${variant}_${at}`]) },
    };
  },
  "findings of one list": (config, count) => ({ ...config, skills: times(count, () => "skills/support") }),
  "findings of one object": (config, count, variant) => ({
    ...config,
    ...record(count, (at) => [`BOXD_SETTING_${at}`, variant]),
  }),
  "findings everywhere": (config, count) => ({
    ...config,
    plugins: times(count / 4, (at) => ({
      name: `plugin-${at}`,
      image: "acme/plugin:1",
      core_access: "true",
      secrets: ["A", "B"].map((name) => ({ name, required: "true" })),
    })),
  }),
  "files of sandbox/": (config, count, variant, directory) => {
    for (let at = 0; at < count / 2; at++) {
      const skill = join(directory, "sandbox", "skills", `skill-${at}`);
      mkdirSync(skill, { recursive: true });
      writeFileSync(
        join(skill, "SKILL.md"),
        `---\nname: skill-${at}\ndescription: answers question ${at}\n---\n${variant}\n`,
      );
      writeFileSync(join(skill, "table.csv"), "a,b\n".repeat(100));
    }
    return config;
  },
};

const COMMANDS = {
  check: () => ["check", "a"],
  "check --fix=all": () => ["check", "--fix=all", "a"],
  render: () => ["render", "a"],
  "render again": () => ["render", "--check", "a"],
  diff: () => ["diff", "a", "b"],
};

/** The exponent of growth, by least squares over logarithms; null where fewer than three times rise above the floor. */
function exponent(points, floor) {
  const logs = points
    .filter(({ cpu }) => cpu - floor >= SIGNIFICANT)
    .map(({ count, cpu }) => [Math.log(count), Math.log(cpu - floor)]);
  if (logs.length < 3) return null;
  const mean = (at) => logs.reduce((sum, pair) => sum + pair[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const slope = (pairs, value) => pairs.reduce((sum, pair) => sum + (pair[0] - x) * value(pair), 0);
  return slope(logs, ([, b]) => b - y) / slope(logs, ([a]) => a - x);
}

function writePair(directory, subject, count) {
  for (const [name, variant] of [
    ["a", "one"],
    ["b", "two"],
  ]) {
    const deployment = join(directory, name);
    mkdirSync(deployment, { recursive: true });
    const config = SUBJECTS[subject](base(), count, variant, deployment);
    const text = JSON.stringify(config).replaceAll(/(?<=[}"]),(?=[{"])/g, ",\n");
    writeFileSync(join(deployment, "qm.config.jsonc"), `${text}\n`);
    writeFileSync(join(deployment, "package.json"), '{ "dependencies": { "@yc-software/qm": "0.1.12" } }\n');
  }
}

/**
 * Prints how the CPU time of commands grows with what a deployment has many of, as the exponent of a power: 1 is linear.
 * `cpuOf` gives the CPU time (ms) of a command line in a directory.
 */
export function benchGrowth(scratch, cpuOf) {
  const directory = join(scratch, "growth");
  const run = (subject, count) => {
    writePair(directory, subject, count);
    // What fixes comes last, as it changes the config.
    const order = Object.keys(COMMANDS).toSorted((a, b) => Number(a.includes("fix")) - Number(b.includes("fix")));
    const times = new Map(order.map((command) => [command, cpuOf(COMMANDS[command](), directory)]));
    rmSync(directory, { recursive: true, force: true });
    return times;
  };
  const floor = run("services", 0);
  console.log("\ngrowth: CPU time in ms for so many of a thing, and the exponent above the floor");
  for (const subject of Object.keys(SUBJECTS)) {
    const sizes = SIZES[subject] ?? SIZES.others;
    console.log(`  ${subject}: ${sizes.join(", ")}`);
    const runs = sizes.map((count) => ({ count, times: run(subject, count) }));
    for (const command of Object.keys(COMMANDS)) {
      const points = runs.map(({ count, times }) => ({ count, cpu: times.get(command) }));
      const power = exponent(points, floor.get(command));
      console.log(
        `    ${command.padEnd(16)} ${points.map(({ cpu }) => cpu.toFixed(0).padStart(7)).join(" ")}   ${power === null ? "–" : power.toFixed(2)}`,
      );
    }
  }
}
