import { describe, expect, test } from "vitest";
import type { Answer, Ask } from "../../src/live/ask.ts";
import { findDrift } from "../../src/live/findings.ts";
import { askStage } from "../../src/live/stage.ts";
import { type Answers, changed, deployed, DEPLOYMENTS, type RenderedDeployment, told } from "./rig.ts";

/** Calls of programs and what they print, in the order in which a call is looked up; the last word of a key may be `*`. */
type Prints = (call: string) => unknown;

const FAILED = Symbol("failed");

/** An {@link Ask} over a table; `calls` are those that were made. */
function table(prints: Prints): { readonly ask: Ask; readonly calls: string[] } {
  const calls: string[] = [];
  const ask: Ask = (programs, args): Promise<Answer> => {
    const call = [programs[0], ...args].join(" ");
    calls.push(call);
    const printed = prints(call);
    if (printed === undefined) throw new Error(`unexpected: ${call}`);
    const failed = (printed as { [FAILED]?: string })[FAILED];
    return Promise.resolve({
      status: failed === undefined ? 0 : 1,
      stdout: typeof printed === "string" ? printed : failed === undefined ? JSON.stringify(printed) : "",
      stderr: failed ?? "",
      call,
    });
  };
  return { ask, calls };
}

const failure = (stderr: string) => ({ [FAILED]: stderr });

function flyPrints(answers: Answers): Prints {
  return (call) => {
    const app = /--app (\S+)/.exec(call)?.[1] ?? "";
    if (call === "fly apps list --json --org acme-inc") return answers.apps;
    if (call === `fly config show --app ${app}`)
      return answers.details[app].config ?? failure("could not create a fly.toml");
    if (call === `fly machine list --app ${app} --json`) return answers.details[app].machines;
    if (call === `fly secrets list --app ${app} --json`) return answers.details[app].secrets;
    return undefined;
  };
}

function awsPrints(answers: Answers): Prints {
  return (call) => {
    const end = " --region us-west-2 --output json";
    const [, arn] = /^aws ecs describe-task-definition --task-definition (\S+)/.exec(call) ?? [];
    if (call === `aws ecs list-services --cluster acme-qm${end}`) return answers.listServices;
    if (arn !== undefined)
      return answers.describeTaskDefinition.find((one: Answers) => one.taskDefinition.taskDefinitionArn === arn);
    return call.startsWith("aws ecs describe-services --cluster acme-qm --services ") && call.endsWith(end)
      ? answers.describeServices
      : undefined;
  };
}

const ofExample = (name: string) => (DEPLOYMENTS[name] as () => RenderedDeployment)();

describe("what the programs print is what saved answers hold", () => {
  test("fly", async () => {
    const deployment = ofExample("fly-boxd");
    const { ask, calls } = table(flyPrints(deployed(deployment)));
    expect(told(await findDrift(deployment, { ask }, true))).toEqual([]);
    expect(calls).toHaveLength(1 + 5 * 3);
  });

  test("fly, before the first deploy: apps that are not there are not asked about", async () => {
    const deployment = ofExample("fly-boxd");
    const { ask, calls } = table((call) => (call.startsWith("fly apps list") ? [] : undefined));
    const found = await findDrift(deployment, { ask }, true);
    expect(found.map(({ workload, kind }) => `${workload} ${kind}`)).toEqual(
      ["core", "web-ui", "admin", "portal", "auth"].map((name) => `${name} missing`),
    );
    expect(calls).toHaveLength(1);
  });

  test("fly, an app without a release has no configuration to show", async () => {
    const deployment = ofExample("fly-boxd");
    const answers = changed(deployment, ({ details }) =>
      Object.assign(details["acme-admin"], { machines: [], config: null }),
    );
    expect(told(await findDrift(deployment, { ask: table(flyPrints(answers)).ask }, true))).toEqual([
      "admin: does not run: its place is there, with nothing in it",
    ]);
  });

  test("fly, one with machines whose configuration fails to come is no drift, but a failure", async () => {
    const deployment = ofExample("fly-boxd");
    const answers = changed(deployment, ({ details }) => (details["acme-admin"].config = null));
    await expect(findDrift(deployment, { ask: table(flyPrints(answers)).ask }, true)).rejects.toThrow(
      "`fly config show --app acme-admin` failed: could not create a fly.toml",
    );
  });

  test("aws", async () => {
    const deployment = ofExample("aws-boxd");
    const { ask, calls } = table(awsPrints(deployed(deployment)));
    expect(told(await findDrift(deployment, { ask }, true))).toEqual([]);
    expect(calls).toHaveLength(2 + 3);
  });

  test("aws, before the first apply: there is no cluster", async () => {
    const { ask } = table(() =>
      failure(
        "An error occurred (ClusterNotFoundException) when calling the ListServices operation: Cluster not found.",
      ),
    );
    const found = await findDrift(ofExample("aws-boxd"), { ask }, true);
    expect(found.map(({ kind }) => kind)).toEqual(["missing", "missing", "missing"]);
  });

  test("aws, more services than one call takes", async () => {
    const deployment = ofExample("aws-boxd");
    const answers = changed(deployment, ({ listServices }) => {
      for (let at = 0; at < 20; at++)
        listServices.serviceArns.push(`arn:aws:ecs:us-west-2:210987654321:service/acme-qm/other-${at}`);
    });
    const { ask, calls } = table(awsPrints(answers));
    await findDrift(deployment, { ask }, true);
    const described = calls.filter((call) => call.includes("describe-services"));
    expect(described.map((call) => call.split("--services ")[1]?.split(" --region")[0]?.split(" ").length)).toEqual([
      10, 10, 3,
    ]);
  });
});

test.each([
  ["fly-boxd", "Error: No access token available. Please login with 'flyctl auth login'"],
  ["aws-boxd", 'Unable to locate credentials. You can configure credentials by running "aws configure".'],
  ["docker-boxd", "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"],
])("%s: a program that is refused is no drift", async (name, stderr) => {
  const { ask } = table(() => failure(stderr));
  await expect(findDrift(ofExample(name), { ask }, true)).rejects.toThrow(stderr);
});

describe("answers that are none are told with their place", () => {
  test.each([
    ["docker-boxd", (answers: Answers) => (answers.containers = "x"), "`containers` is not a list"],
    ["docker-boxd", ({ containers }: Answers) => (containers[0] = 3), "a container is not an object"],
    ["docker-boxd", ({ containers }: Answers) => delete containers[0].Name, "`Name` of a container is not a text"],
    ["fly-boxd", (answers: Answers) => (answers.apps = { Name: "x" }), "the list of apps is not a list"],
    ["fly-boxd", ({ details }: Answers) => delete details["acme-core"].machines, "`machines` is not a list"],
    [
      "fly-boxd",
      ({ details }: Answers) => (details["acme-core"].config = "x"),
      "an app's configuration is not an object",
    ],
    [
      "fly-boxd",
      ({ details }: Answers) => delete details["acme-core"].machines[0].config,
      "the host of machine 3d8d9014a32789 does not answer",
    ],
    ["aws-boxd", (answers: Answers) => delete answers.describeServices, "the description of services is not an object"],
    ["aws-boxd", (answers: Answers) => (answers.describeTaskDefinition = []), "task-definition/acme-core:7"],
  ])("%s %#", async (name, change, message) => {
    const deployment = ofExample(name);
    const saved = changed(deployment, change as (answers: Answers) => void);
    await expect(findDrift(deployment, { saved }, true)).rejects.toThrow(message);
  });
});

describe("the stage is", () => {
  const stageOf = (name: string, prints: Prints) => askStage(ofExample(name).context.deployment, table(prints).ask);

  test.each([
    ["fly-boxd", "before", () => []],
    ["fly-boxd", "before", (call: string) => (call.includes("machine") ? [] : [{ Name: "acme-core" }])],
    ["fly-boxd", "after", (call: string) => (call.includes("machine") ? [{ id: "1" }] : [{ Name: "acme-core" }])],
    ["fly-boxd", "unknown", () => failure("no access token")],
    ["aws-boxd", "before", () => failure("(ClusterNotFoundException)")],
    ["aws-boxd", "before", () => ({ services: [{ desiredCount: 0 }] })],
    ["aws-boxd", "before", () => ({ services: [], failures: [{ reason: "MISSING" }] })],
    ["aws-boxd", "after", () => ({ services: [{ desiredCount: 1 }] })],
    ["aws-boxd", "unknown", () => failure("no credentials")],
    ["docker-boxd", "before", () => ""],
    ["docker-boxd", "moving-in", (call: string) => (call.includes("label=qm.org=acme") ? "0123\n" : "")],
    ["docker-boxd", "after", () => "0123\n4567\n"],
    ["docker-boxd", "unknown", () => failure("no daemon")],
  ] as const)("of %s %s", async (name, stage, prints: Prints) => {
    expect(await stageOf(name, prints)).toBe(stage);
  });
});
