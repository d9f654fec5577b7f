import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DeploymentDiff, diffDeployments } from "../../src/views/diff/diff.ts";
import { deployments } from "../render/random-deployments.ts";
import { SOUND_CONFIGS } from "../rules/sound.ts";
import { deploymentFrom, deploymentOf } from "../support/fragment.ts";
import { pathsOf, replacedAt } from "../support/mutate.ts";
import { runs } from "../support/runs.ts";

type Deployment = ReturnType<typeof deploymentFrom>;

function diffOf(before: Deployment, after: Deployment): DeploymentDiff {
  return diffDeployments({ named: "a", deployment: before }, { named: "b", deployment: after });
}

/** What brings a changed file into force, as a word of a step's title or commands; null: being committed is all. */
const IN_FORCE: readonly (readonly [file: RegExp, does: (name: string) => RegExp])[] = [
  [/^docker\/compose\.yaml$/, () => /docker compose (?:-f \S+ up |-p \S+ down)/],
  [/^fly\/.+\.fly\.toml$/, (name) => new RegExp(`fly deploy .*--config ${name}|fly apps destroy`)],
  [/^aws\/.+\.task-definition\.json$/, (name) => new RegExp(`register-task-definition .*${name}|take down`)],
  [/^aws\/terraform\.tfvars$/, () => /terraform -chdir=infra apply/],
  [/slack-[a-z]+-manifest\.yml$/, () => /api\.slack\.com/],
  [/.*/, () => /qm-deploy render/],
];

/** What is wrong with the steps of a diff; nothing where each change has its step, and each step its change. */
function faultsOf(diff: DeploymentDiff): string[] {
  const { steps, artifacts, secrets, workloads, data, from, to } = diff;
  if (diff.same) return steps.length === 0 ? [] : ["there are steps although nothing changes"];
  const texts = steps.map(({ title, detail, commands }) => [title, detail, ...commands].join("\n"));
  const faults: string[] = [];
  const moves =
    texts.some((text) => text.startsWith("bring ") && text.includes("in the new place")) || to.target === null;
  const demand = (what: string, isDone: (text: string, at: number) => boolean): void => {
    if (!texts.some(isDone)) faults.push(`no step for ${what}`);
  };
  // What cannot be rendered any longer cannot be deployed either.
  const isMended = (text: string, name: string): boolean => text.startsWith("mend ") && text.includes(`\`${name}\``);
  for (const { name, change } of artifacts ?? []) {
    demand(name, (_, at) => steps[at]?.because.includes(name) === true);
    const file = name.slice("rendered/".length);
    const [, does] = IN_FORCE.find(([pattern]) => pattern.test(file)) as (typeof IN_FORCE)[number];
    const isOfOldPlace = change === "removed" && from.target !== to.target;
    if (!moves && !isOfOldPlace)
      demand(`${name} (in force)`, (text) => does(name.replaceAll(".", "\\.")).test(text) || isMended(text, name));
  }
  const named = [...secrets.add, ...secrets.change].map(({ name }) => name);
  for (const name of [...named, ...secrets.retire])
    demand(name, (text, at) => (moves || text.includes(name)) && steps[at]?.because.includes(name) === true);
  for (const { name } of workloads) demand(name, (_, at) => steps[at]?.because.includes(name) === true || moves);
  const changed = new Set([
    ...[...(artifacts ?? []), ...workloads].map(({ name }) => name),
    ...[...named, ...secrets.retire],
    ...(data.length > 0 ? ["data"] : []),
    ...(from.backend === to.backend ? [] : ["backend"]),
    ...(from.release === to.release ? [] : ["release"]),
  ]);
  for (const { title, because } of steps) {
    if (because.length === 0) faults.push(`nothing asks for: ${title}`);
    for (const one of because) if (!changed.has(one)) faults.push(`${one} did not change: ${title}`);
  }
  if (data.length > 0 && steps[0]?.because[0] !== "data") faults.push("data is not saved first");
  faults.push(...flyFaultsOf(steps.flatMap(({ commands }) => commands)));
  for (const text of texts)
    if (/undefined|\[object|(?<!\/dev\/)null/.test(text)) faults.push(`a fact is missing: ${text}`);
  return faults;
}

/** Commands that fly would refuse since the app is gone by then, or that take away what an earlier one has given. */
function flyFaultsOf(commands: readonly string[]): string[] {
  const [faults, gone]: [string[], Set<string>] = [[], new Set()];
  for (const command of commands) {
    const app = /^fly .*--app (\S+)/.exec(command)?.[1];
    if (app !== undefined && gone.has(app)) faults.push(`${app} is destroyed before: ${command}`);
    const destroyed = /^fly apps destroy (\S+)/.exec(command)?.[1];
    if (destroyed !== undefined) gone.add(destroyed);
    const created = /^fly apps create (\S+)/.exec(command)?.[1];
    if (created !== undefined) gone.delete(created);
  }
  return faults;
}

/** Two unlike deployments, or one and what a small change makes of it. */
const pairs = fc
  .record({
    before: deployments,
    after: deployments,
    isSmall: fc.boolean(),
    at: fc.nat(),
    put: fc.constantFrom("acme2", undefined, "docker", "2gb", "https://new.acme.dev"),
  })
  .map(({ before, after, isSmall, at, put }) => {
    if (!isSmall) return [before, after] as const;
    const config: unknown = JSON.parse(before.text);
    const paths = [...pathsOf(config)];
    const changed = replacedAt(config, paths[at % paths.length] ?? ["orgId"], put);
    return [before, { ...before, text: JSON.stringify(changed) }] as const;
  });

describe("the steps of a diff", () => {
  test("are one for each change and none without one, over random pairs", () => {
    fc.assert(
      fc.property(pairs, ([before, after]) => {
        const [old, now] = [before, after].map(({ text, context }) => deploymentFrom(text, context));
        expect(faultsOf(diffOf(old as Deployment, now as Deployment))).toEqual([]);
      }),
      { numRuns: runs(60, 700) },
    );
  });

  test("a diff that has steps of none of its changes, or none for one, is caught", () => {
    const [before, after] = [{}, { env: { core: { HARNESS: "mock" } } }].map((fields) =>
      deploymentOf(JSON.stringify(fields), { release: "0.1.12" }),
    ) as [Deployment, Deployment];
    const diff = diffOf(before, after);
    expect(faultsOf(diff)).toEqual([]);
    for (const at of diff.steps.keys())
      expect(faultsOf({ ...diff, steps: diff.steps.filter((_, index) => index !== at) }).length).toBeGreaterThan(0);
    expect(faultsOf({ ...diff, artifacts: [] }).length).toBeGreaterThan(0);
  });
});

/** A change of one field, and what of the checklist it must have. */
const CHANGES: readonly (readonly [
  title: string,
  target: string,
  before: object,
  after: object,
  wanted: readonly RegExp[],
])[] = [
  ["a region on fly", "fly", {}, { region: "iad" }, [/fly deploy .*core\.fly\.toml/, /fly scale count 1 --region iad/]],
  [
    "the size of a machine",
    "fly",
    {},
    { vms: { core: { size: "performance-2x", memory: "8gb" } } },
    [/^deploy `core`/],
  ],
  ["a port on docker", "docker", {}, { basePort: 9000 }, [/docker compose -f \S+ up/]],
  [
    "the size of a task",
    "aws",
    {},
    { aws: { services: { core: { cpu: 1024, memory: 2048 } } } },
    [/terraform .*apply/, /register-task-definition/, /update-service (?!.*desired-count)/],
  ],
  [
    "a plugin on fly",
    "fly",
    {},
    {
      plugins: [
        {
          name: "bot",
          image: `ghcr.io/acme/bot@sha256:${"15".repeat(32)}`,
          secrets: [{ name: "BOT_LOGIN", required: true }],
        },
      ],
    },
    [/fly apps create acme-bot/, /BOT_LOGIN/, /fly secrets import .*acme-bot/, /fly deploy .*acme-bot/],
  ],
  [
    "a plugin that goes",
    "fly",
    { plugins: [{ name: "bot", image: `ghcr.io/acme/bot@sha256:${"15".repeat(32)}` }] },
    {},
    [/fly apps destroy acme-bot/],
  ],
  ["a service that goes on docker", "docker", {}, { services: ["core"] }, [/--remove-orphans/]],
  ["a name of the bot", "docker", {}, { botName: "Robin" }, [/slack-app-manifest\.yml/, /^deploy `core`/]],
  [
    "a secret of a workload",
    "fly",
    {},
    { secretEnv: { core: { ACME: "ACME_TOKEN" } } },
    [/get `ACME_TOKEN`/, /fly secrets import .*acme-core/, /fly deploy .*acme-core/],
  ],
  [
    "a secret that goes elsewhere",
    "fly",
    { secretEnv: { core: { ACME: "ACME" } } },
    { secretEnv: { "web-ui": { ACME: "ACME" } } },
    [/fly secrets import .*acme-web-ui/, /fly secrets unset .*acme-core ACME/],
  ],
  [
    "a secret that another one takes the place of",
    "fly",
    { secretEnv: { core: { ACME: "ACME_OLD" } } },
    { secretEnv: { core: { ACME: "ACME_NEW" } } },
    [/get `ACME_NEW`/, /fly secrets import .*acme-core/, /^retire `ACME_OLD`(?![^]*fly secrets unset)/],
  ],
  [
    "a plugin that goes with its secret, and one that another has too",
    "fly",
    {
      secretEnv: { core: { ACME: "ACME_BOTH" } },
      plugins: [
        {
          name: "bot",
          image: `ghcr.io/acme/bot@sha256:${"15".repeat(32)}`,
          secrets: [
            { name: "BOT_LOGIN", required: true },
            { name: "ACME_BOTH", required: true },
          ],
        },
      ],
    },
    { secretEnv: { core: { ACME: "ACME_BOTH" } } },
    [/fly apps destroy acme-bot/, /^retire `BOT_LOGIN`/],
  ],
  [
    "two secrets of one workload that go",
    "fly",
    { secretEnv: { core: { ACME: "ACME_ONE", ACME2: "ACME_TWO" } } },
    {},
    [/^retire [^]*fly secrets unset --app acme-core ACME ACME2$/],
  ],
  [
    "another prefix of apps",
    "fly",
    {},
    { appPrefix: "acme2" },
    [/^back up the database/, /in the new place/, /fly apps destroy acme-core/],
  ],
  [
    "another target",
    "docker",
    {},
    { target: "fly", ...SOUND_CONFIGS["fly"], flyOrg: "acme", region: "sjc", appPrefix: "acme" },
    [/^back up the database/, /rendered\/fly\/bring-up\.md/, /docker compose -p qm-acme down/],
  ],
];

test.each(CHANGES)("%s", (_, target, before, after, wanted) => {
  const [old, now] = [before, after].map((fields) =>
    deploymentOf(JSON.stringify({ target, ...fields }), { release: "0.1.12" }),
  ) as [Deployment, Deployment];
  const diff = diffOf(old, now);
  expect(faultsOf(diff)).toEqual([]);
  const texts = diff.steps.map(({ title, detail, commands }) => [title, detail, ...commands].join("\n"));
  for (const pattern of wanted)
    expect(
      texts.filter((text) => pattern.test(text)),
      String(pattern),
    ).not.toEqual([]);
});
