/** The provider over the strict plane: O01 to O24 beside what episode.test.ts shows, and public reports (E-…). */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BoxdProvider, type BoxdProviderOptions } from "../../../src/boxd/openenv/index.ts";
import { SecretRedactor } from "../../../src/boxd/openenv/redactor.ts";
import { FakePlane, type ManualClock, scenarios, TEST_KEY } from "../../support/boxd-fake/index.ts";
import { cannotRun, needs, Rig, thrown } from "./rig.ts";

const SECRET = "canary-value-0123456789";

describe("options", () => {
  const client = new FakePlane().client();
  test.each([undefined, false, "true", 1])("O01 `public` %j is refused before boxd is called", async (value) => {
    await using plane = new FakePlane();
    const options = { public: value, client: plane.client(), image: "x" } as unknown as BoxdProviderOptions;
    expect(() => new BoxdProvider(options)).toThrow(/`public` must be true/);
    expect(plane.recorder.calls).toEqual([]);
  });

  test.each<[string, object, RegExp]>([
    ["O03 0", { deleteAfterSeconds: 0 }, /deleteAfterSeconds/],
    ["O03 negative", { deleteAfterSeconds: -1 }, /deleteAfterSeconds/],
    ["O03 fraction", { deleteAfterSeconds: 1.5 }, /deleteAfterSeconds/],
    ["O03 boolean", { deleteAfterSeconds: true }, /deleteAfterSeconds/],
    [
      "O03 more than a timer takes",
      { deleteAfterSeconds: 2_592_001 },
      /deleteAfterSeconds.* from 1 to 2592000, not 2592001/,
    ],
    ["O03 beyond all dates", { deleteAfterSeconds: Number.MAX_SAFE_INTEGER }, /deleteAfterSeconds/],
    ["O03 an idle timer of more than one takes", { autoSuspendSeconds: 2_592_001 }, /autoSuspendSeconds.* from 0 to/],
    ["O04 E-36 a misspelt option", { deleteAfter: 60 }, /unknown option `deleteAfter`/],
    ["O04 variable name", { envVars: { "A-B": SECRET } }, /not a variable name/],
    ["O04 two lines", { envVars: { A: `${SECRET}\nB=1` } }, /single line/],
    ["O04 half a character", { envVars: { A: `${SECRET}\ud800` } }, /well-formed/],
    ["O04 a line that docker cannot read", { envVars: { A: SECRET.repeat(3_000) } }, /fewer than 64 KiB/],
    ["O04 an egress list that boxd takes for everything", { egressAllow: [] }, /must not be empty/],
    ["O04 a time that is none", { startTimeoutMs: Number.NaN }, /startTimeoutMs/],
    ["O04 a time that fires at once", { startTimeoutMs: 2 ** 31 }, /startTimeoutMs/],
    ["O04 size", { vcpu: 3 }, /`vcpu`/],
    ["O04 memory", { memory: "lots" }, /4G, 8G, 16G or 32G/],
    ["O04 a size of two minds", { vcpu: 8, memory: "8G" }, /`memory` 8G is that of 2 vCPU/],
    ["O04 egress that is no host", { egressAllow: ["https://a.example/x"] }, /without scheme, path and blanks/],
    ["O04 nothing and something", { egressAllow: ["none", "a.example"] }, /stands alone/],
    ["O04 two names", { name: "a-b", namePrefix: "a" }, /whole name/],
    ["O04 an image in two lines", { image: "a\nb" }, /on one line/],
    ["O04 prefix", { namePrefix: "Open Env" }, /machine name/],
    ["O04 an image that docker takes for an option", { image: "--privileged" }, /must not start with `-`/],
  ])("%s is refused", (_name, options, message) => {
    const make = (): BoxdProvider => new BoxdProvider({ public: true, client, ...options });
    expect(make).toThrow(message);
    expect(make).not.toThrow(SECRET);
  });
});

describe.skipIf(cannotRun)(`provider${needs}`, () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
  });
  afterEach(async () => {
    await rig[Symbol.asyncDispose]();
    expect(rig.plane.survivors(), "O24").toEqual([]);
  });

  test.each<[string, Parameters<BoxdProvider["startContainer"]>]>([
    ["port", ["x", { port: 80 }]],
    ["unknown option", ["x", { timeout: 1 } as object]],
    ["variable name", ["x", { envVars: { "1": "" } }]],
    ["Dockerfile name", ["dockerfile:/x"]],
    ["encoding", ["dockerfile:%zz?context=%2F"]],
    ["Dockerfile that has gone", ["dockerfile:/nowhere/Dockerfile?context=%2F"]],
  ])("O04 a wrong %s is refused before a machine exists", async (_name, args) => {
    await expect(rig.provider().startContainer(...args)).rejects.toThrow();
    expect(rig.plane.recorder.calls).toEqual([]);
  });

  test("O04 E-19 no image is refused; `waitTimeout` is taken and ignored, as OpenEnv's generic path passes it on", async () => {
    const { image: _, ...bare } = { image: "", public: true as const, client: rig.plane.client() };
    await expect(new BoxdProvider(bare).startContainer()).rejects.toThrow("no image");
    await rig.provider().startContainer(undefined, { port: 8000, waitTimeout: 30 });
  });

  test("O02 O05 O24 what is asked of boxd, in which order, and what the machine is like", async () => {
    const provider = rig.provider({ vcpu: 2, memory: "8G", egressAllow: ["none"], envVars: { TOKEN: SECRET } });
    const url = await provider.startContainer();
    const [create] = rig.plane.recorder.of("machines.create").map(({ args }) => args[0]);
    expect(create).toEqual({
      name: expect.stringMatching(/^openenv-[0-9a-f]{12}$/),
      org: "acme",
      isolated: true,
      labels: { "managed-by": "openenv" },
      config: { vcpu: 2, memory: "8G", autoDestroyTimeout: 3_660 },
    });
    const machine = rig.machine();
    expect(url).toBe(`https://${machine.name}.machines.boxd.test`);
    expect([provider.baseUrl, provider.machineId]).toEqual([url, machine.id]);
    expect(machine).toMatchObject({ botProtection: "off", egressAllow: ["none"] });
    expect(machine.timers.idle).toMatchObject({ suspendAfter: 0, hibernateAfter: 0 });
    expect(machine.timers.deleteAt?.getTime()).toBe(rig.plane.clock.wallNow() + 3_600_000);
    const steps = rig.plane.recorder.calls.flatMap(({ method, args }) => {
      if (method !== "machines.exec") return [method.replace(/^machines\./, "")];
      const { command } = args[1] as { command: string };
      return (
        /docker.{1,12}(pull|run)/.exec(command)?.slice(1, 2) ??
        (/rm.{1,12}-rf.{1,12}\/home\/boxd\/openenv-env-[0-9a-f]{12}(?!\/)/.test(command) ? ["forget"] : [])
      );
    });
    const interesting = new Set([
      "create",
      "setDeleteAfter",
      "setAutoSuspendTimeout",
      "setAutoHibernateTimeout",
      "setBotProtection",
      "proxies.setPort",
      "pull",
      "setEgressAllow",
      "files.upload",
      "run",
      "forget",
    ]);
    expect(steps.filter((step) => interesting.has(step))).toEqual([
      "create",
      "setDeleteAfter",
      "setAutoSuspendTimeout",
      "setAutoHibernateTimeout",
      "setBotProtection",
      "proxies.setPort",
      "pull",
      "setEgressAllow",
      "files.upload",
      "run",
      "forget",
    ]);
  });

  test("O24 `autoSuspendSeconds` is set as asked", async () => {
    await rig.provider({ autoSuspendSeconds: 300 }).startContainer();
    expect(rig.machine().timers.idle).toMatchObject({ suspendAfter: 300, hibernateAfter: 0 });
  });

  test("O03 `null` sets no delete timer", async () => {
    await rig.provider({ deleteAfterSeconds: null }).startContainer();
    expect(rig.machine().timers.deleteAt).toBeNull();
  });

  test("O04 what the caller changes after the check is not taken", async () => {
    const envVars: Record<string, string> = { A: "1" };
    const command = ["one"];
    const provider = rig.provider({ envVars, command });
    envVars["A"] = "1\nB=2";
    command.push("two");
    await provider.startContainer();
    expect([rig.dockerFile("env"), rig.dockerCalls().at(-1)?.at(-1)]).toEqual([{ A: "1" }, "one"]);
  });

  test("O06 E-58 a value of the environment is in one uploaded file and nowhere else", async () => {
    await rig
      .provider({ envVars: { A: "1", B: "provider" } })
      .startContainer(undefined, { envVars: { B: "start", TOKEN: SECRET, SPACED: "  a 'b' #c " } });
    expect(rig.dockerFile("env")).toEqual({ A: "1", B: "start", TOKEN: SECRET, SPACED: "  a 'b' #c " });
    expect(rig.dockerFile("modes"), "only the machine's user reads it").toEqual(["600", "700"]);
    expect(rig.plane.recorder.leaksOf(SECRET)).toEqual([]);
    expect(rig.plane.recorder.uploads().filter(({ data }) => Buffer.from(data).includes(SECRET))).toHaveLength(1);
    expect(JSON.stringify(rig.dockerCalls())).not.toContain(SECRET);
    expect(readdirSync(rig.machine().disk.home).filter((name) => name.startsWith("openenv-env"))).toEqual([]);
  });

  test("O07 the file is removed before anything else when docker refuses to run, O08 then the machine, once", async () => {
    const provider = rig.provider({ image: "unrunnable", envVars: { TOKEN: SECRET } });
    let left: string[] = ["not looked"];
    rig.plane.faults.inject({
      method: "machines.delete",
      hold: async () => {
        left = readdirSync(rig.machine().disk.home).filter((name) => name.startsWith("openenv-"));
      },
    });
    const error = await thrown(provider.startContainer());
    expect(error).toMatchObject({
      name: "ProviderError",
      code: "START_FAILED",
      message: "the container could not be started (status 125)",
    });
    expect(left).toEqual([]);
    expect(rig.plane.recorder.of("machines.delete")).toHaveLength(1);
    expect(() => provider.machineId).toThrow("no container");
  });

  test.each([
    ["pull", () => scenarios.refused("machines.exec", 13, "boom", { nth: 2 })],
    ["route", () => scenarios.refused("machines.proxies.setPort", 7, "no")],
    ["upload", () => scenarios.refused("machines.files.upload", 7, "no")],
    ["delete timer", () => scenarios.refused("machines.setDeleteAfter", 7, "no")],
  ])("O08 a failure at %s deletes the machine once, and the provider can start again", async (_name, fault) => {
    const provider = rig.provider({ envVars: { A: "b" } });

    rig.plane.faults.inject(fault());
    expect(await thrown(provider.startContainer())).toMatchObject({ name: "ProviderError" });
    expect(rig.plane.faults.unused()).toEqual([]);
    expect(rig.plane.recorder.of("machines.delete")).toHaveLength(1);
    await provider.startContainer();
  });

  test.each([4, 14] as const)(
    "O09 E-21 E-23 create makes a machine and its answer is lost (%i): deleted by its name",
    async (code) => {
      rig.plane.faults.inject(scenarios.answerLost("machines.create", code));
      expect(await thrown(rig.provider().startContainer())).toMatchObject({ code: "START_FAILED" });
      expect(rig.plane.allMachines()).toHaveLength(1);
      expect(rig.plane.survivors()).toEqual([]);
    },
  );

  test("O09 O13 O18 E-20 a machine that cannot be deleted is kept: no second start, close tries again, its name is not said", async () => {
    const provider = rig.provider({ image: "unrunnable", times: { pollMs: 20, settleMs: 500, cleanupMs: 300 } });
    rig.plane.faults.inject(scenarios.refused("machines.delete", 7, "denied", { times: Infinity }));
    const failed = await thrown(provider.startContainer());
    expect(failed).toMatchObject({ code: "CLEANUP_FAILED" });
    const blocked = await thrown(provider.startContainer());
    expect(blocked).toMatchObject({ code: "ALREADY_STARTED" });
    const again = await thrown(provider.close());
    expect(again).toMatchObject({ code: "CLEANUP_FAILED" });
    for (const error of [failed, blocked, again])
      expect(`${error.stack}${String(error.cause)}`).not.toContain(rig.machine().name);
    expect(await thrown(provider.startContainer()), "O13").toMatchObject({ code: "ALREADY_STARTED" });
    expect(rig.plane.allMachines()).toHaveLength(1);
    rig.plane.faults.clear();
    await provider.close();
    expect(rig.plane.survivors()).toEqual([]);
    await provider.startContainer("echo-env");
  });

  test.each(["before", "after"] as const)(
    "O10 an abort while create is open (%s its effect) leaves nothing",
    async (when) => {
      const controller = new AbortController();
      const arrived = rig.plane.recorder;
      rig.plane.faults.inject({
        method: "machines.create",
        when,
        hold: async () => {
          controller.abort();
          await new Promise((resolve) => {
            setTimeout(resolve, 150);
          });
        },
      });
      expect(await thrown(rig.provider().startContainer(undefined, { signal: controller.signal }))).toMatchObject({
        code: "ABORTED",
      });
      expect(arrived.of("machines.create")).toHaveLength(1);
      expect(rig.plane.survivors()).toEqual([]);
    },
  );

  const PHASES = [
    "setDeleteAfter",
    "setAutoSuspendTimeout",
    "setBotProtection",
    "proxies.setPort",
    "exec",
    "setEgressAllow",
    "files.upload",
  ];
  test.each(PHASES)(
    "O10 an abort during %s leaves nothing, and a start with an aborted signal makes nothing",
    async (name) => {
      const controller = new AbortController();
      rig.plane.faults.inject({ method: `machines.${name}`, when: "after", hold: async () => controller.abort() });
      const provider = rig.provider({ egressAllow: ["none"], envVars: { A: "b" } });
      expect(await thrown(provider.startContainer(undefined, { signal: controller.signal }))).toMatchObject({
        code: "ABORTED",
      });
      expect(rig.plane.survivors()).toEqual([]);
      expect(await thrown(provider.startContainer(undefined, { signal: controller.signal }))).toMatchObject({
        code: "ABORTED",
      });
      expect(rig.plane.allMachines()).toHaveLength(1);
    },
  );

  test("O10 E-26 stopping while the start is under way ends the start and leaves nothing", async () => {
    const provider = rig.provider();
    const starting = thrown(provider.startContainer());
    await new Promise((resolve) => {
      setTimeout(resolve, 60);
    });
    await provider.stopContainer();
    expect(await starting).toMatchObject({ code: "ABORTED" });
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("O11 O20 E-17 a machine that is gone already is a success; stopping twice, or at once, is one deletion", async () => {
    const provider = rig.provider({ deleteAfterSeconds: 60 });
    await provider.stopContainer();
    await provider.startContainer();
    await Promise.all([provider.stopContainer(), provider.stopContainer()]);
    await provider.stopContainer();
    expect(rig.plane.recorder.of("machines.delete")).toHaveLength(1);
    await provider.startContainer();
    await (rig.plane.clock as ManualClock).advance(60_000);
    await provider.stopContainer();
    expect(() => provider.baseUrl).toThrow("no container");
  });

  test("O12 E-48 a second start is refused and makes no machine", async () => {
    const provider = rig.provider();
    const outcomes = await Promise.allSettled([provider.startContainer(), provider.startContainer()]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(await thrown(provider.startContainer())).toMatchObject({ code: "ALREADY_STARTED" });
    expect(rig.plane.allMachines()).toHaveLength(1);
  });

  test("O14 an image and a command with shell characters are words", async () => {
    const image = "echo;touch $HOME/pwned '\"`id`";
    await rig.provider({ command: ["--flag", "$(id) 'x'"] }).startContainer(image);
    expect(rig.dockerCalls().at(-1)?.slice(-3)).toEqual([image, "--flag", "$(id) 'x'"]);
    expect(existsSync(join(rig.machine().disk.home, "pwned"))).toBe(false);
  });

  test.each(["http", "empty"] as const)("O19 a machine without an https address (%s) is deleted", async (url) => {
    rig.plane.quirks.url = url;
    expect(await thrown(rig.provider().startContainer())).toMatchObject({ code: "INSECURE_URL" });
    expect(rig.plane.allMachines()).toHaveLength(1);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("O17 output of docker is withheld, and shown with secrets masked only when asked for", async () => {
    const hidden = await thrown(rig.provider({ image: "missing:1" }).startContainer());
    expect(hidden.message).toBe("the image could not be pulled (status 1)");
    const shown = await thrown(
      rig
        .provider({ image: "unrunnable", surfaceServerLogs: true, envVars: { A: SECRET, B: SECRET.slice(0, 9) } })
        .startContainer(),
    );
    expect(shown.message).toContain('cannot run, {"A":"[redacted]","B":"[redacted]"}');
    const long = await thrown(
      rig.provider({ image: `missing:${"x".repeat(5_000)}`, surfaceServerLogs: true }).startContainer(),
    );
    expect(long.message, "its end, of at most 2000 characters").toMatch(/its output ends:\nx{1900,2000}$/);
    const given = await thrown(
      rig
        .provider({ image: "unrunnable", surfaceServerLogs: true })
        .startContainer(undefined, { envVars: { A: SECRET } }),
    );
    expect(given.message, "also what only the start knows").toContain('{"A":"[redacted]"}');
    expect(inspect([hidden, shown, given], { depth: Infinity })).not.toContain(rig.machine().name);
  });

  test("O20 `await using` deletes the machine also when the block throws", async () => {
    const failing = async (): Promise<void> => {
      await using provider = rig.provider();
      await provider.startContainer();
      throw new Error("the episode failed");
    };
    expect((await thrown(failing())).message).toBe("the episode failed");
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("O18 the key of a refused client is in no message", async () => {
    const provider = new BoxdProvider({
      public: true,
      image: "x",
      apiKey: "bxd_wrong-key-0123456789",
      client: rig.plane.client({ apiKey: "bxd_wrong-key-0123456789" }),
    });
    const error = await thrown(provider.startContainer());
    expect(`${error.stack}${String(error.cause)}`).not.toMatch(/bxd_wrong|openenv-[0-9a-f]{12}/);
    expect(rig.plane.recorder.leaksOf(TEST_KEY)).toEqual([]);
  });

  test("O18 an error that names the host in a field, or in an error that it carries, is not passed on as a cause", () => {
    const redactor = new SecretRedactor();
    redactor.addUrl("https://secret-host.example");
    for (const carried of [
      { details: "at secret-host.example" },
      { metadata: { to: ["https://secret-host.example"] } },
      { errors: [new Error("secret-host.example")] },
    ]) {
      const covered = redactor.redactError(Object.assign(new Error("failed"), carried), "START_FAILED");
      expect(inspect(covered, { depth: Infinity })).not.toContain("secret-host");
      expect(covered.message).toBe("failed");
    }
    const innocent = new Error("failed");
    expect(redactor.redactError(innocent, "START_FAILED").cause).toBe(innocent);
  });

  test("O16 a base URL that is not https is refused without being shown", async () => {
    const error = await thrown(rig.provider().waitForReady("http://secret-host.example"));
    expect(error).toMatchObject({ name: "TypeError", message: expect.not.stringContaining("secret-host") });
  });
});
