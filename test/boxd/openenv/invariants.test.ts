/** I1 to I6 and I8 (docs/contract/boxd-behaviours.md) through the provider, over random calls, overlapping ones too, and random faults; and the exact length of every wait. I7 is in bytes.test.ts. */
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Clock } from "../../../src/boxd/driver/index.ts";
import { BoxdProvider, EnvClient } from "../../../src/boxd/openenv/index.ts";
import { fastClock, JumpClock, scenarios, TEST_KEY, type Fault } from "../../support/boxd-fake/index.ts";
import {
  eachKind,
  faultPlans,
  kindsBeside,
  plannedFault,
  type FaultPlan,
} from "../../support/boxd-fake/random-faults.ts";
import { inTurn, runs } from "../../support/runs.ts";
import { tempDirectory } from "../../workspace/temp.ts";
import { cannotRun, needs, Rig, thrown } from "./rig.ts";
import { MOVES, Tenant, type Move } from "./tenant.ts";

const SECRET = "canary-secret-0123456789";
const METHODS = [
  "create",
  "get",
  "list",
  "delete",
  "start",
  "resume",
  "wake",
  "exec",
  "setDeleteAfter",
  "setAutoSuspendTimeout",
  "setAutoHibernateTimeout",
  "setBotProtection",
  "setEgressAllow",
  "files.upload",
  "proxies.setPort",
] as const;
const BUILT = "built";

/** What costs machines: a preparation that fails, and deletions that never come true. By chance the two meet too seldom. */
const unprepared: FaultPlan = { method: "proxies.setPort", nth: 1, times: Infinity, how: "refused-7" };
const undeletable = (["refused-7", "ignored", "stalled-before"] as const).map((how): FaultPlan => ({
  method: "delete",
  nth: 1,
  times: Infinity,
  how,
}));
/** The answers of docker's own calls, for pulling and running: the others are the driver's. */
const unanswered = ([2, 6] as const).flatMap((nth) =>
  (["lost-4", "lost-14", "no-status"] as const).map((how): FaultPlan => ({ method: "exec", nth, times: 1, how })),
);
const faultsArbitrary = fc.array(
  fc.oneof(
    { arbitrary: faultPlans(METHODS), weight: 4 },
    { arbitrary: fc.constantFrom(unprepared, ...undeletable, ...unanswered), weight: 1 },
  ),
  { maxLength: 3 },
);
type Chosen = (Move & { who: number })[];
const FIRST = { who: 0, what: "start", image: "echo", overlaps: false } as const;
const move = (what: Move["what"], more: Partial<Move> = {}): Move & { who: number } => ({ ...FIRST, what, ...more });
/** Each of them with something to do; random ones may leave one out. */
const EVERYTHING: Chosen = [
  move("ready"),
  move("episode"),
  move("stop"),
  move("start", { image: BUILT }),
  move("close"),
  move("abort"),
  move("start"),
  move("using"),
  move("start"),
  move("expire"),
];
const faulty = [...undeletable.map((plan) => [unprepared, plan]), [unanswered[0]], [unanswered[4]]].map(
  (plans): [Chosen, FaultPlan[], boolean] => [[FIRST], plans as FaultPlan[], true],
);
/** The other one's wait lets the start come as far as its create call. */
const interrupted: Chosen = [
  { ...move("start", { overlaps: true }), who: 1 },
  move("ready"),
  { ...move("stop"), who: 1 },
];
const examples: [Chosen, FaultPlan[], boolean][] = [
  [EVERYTHING, [], false],
  ...faulty,
  [interrupted, [{ method: "create", nth: 2, times: 1, how: "stalled-before" }], false],
];

const moves = fc.array(
  fc.record<Move & { who: number }>({
    who: fc.constantFrom(0, 0, 1),
    what: fc.constantFrom(...MOVES),
    image: fc.constantFrom("echo", "echo", "unrunnable", "exits", BUILT),
    overlaps: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

/** What two providers are asked under faults, and what they may be held to. Answers what did what it was for, and the faults that did not strike. */
async function hold(
  chosen: Chosen,
  faults: readonly FaultPlan[],
  surfaceServerLogs: boolean,
): Promise<{ done: Move["what"][]; unused: readonly Fault[] }> {
  await using rig = await Rig.start();
  const options = {
    apiKey: TEST_KEY,
    envVars: { TOKEN: SECRET },
    egressAllow: ["none"],
    surfaceServerLogs,
    clock: rig.jumpClock(),
  };
  const tenants = [new Tenant(rig, "oe-first", options), new Tenant(rig, "oe-second", options)] as const;
  for (const fault of faults) rig.plane.faults.inject(plannedFault(fault, `${TEST_KEY} ${SECRET}`));
  const open: Promise<void>[] = [];
  for (const { who, ...asked } of chosen) {
    const made = (tenants[who] as Tenant).make(asked);
    open.push(made);
    if (!asked.overlaps) await made;
    else made.catch(() => undefined);
  }
  await Promise.all(open);
  const unused = rig.plane.faults.unused();
  for (const tenant of tenants) await tenant.settle();
  const ran = rig.ledger().filter((line) => /^(pull|build|run) /.test(line));
  expect(ran, "I3: each command at most once").toEqual([...new Set(ran)]);
  const texts = tenants.flatMap((tenant) => tenant.texts).join("\n");
  for (const secret of [SECRET, TEST_KEY, ...rig.plane.allMachines().map(({ name }) => name)])
    expect(texts, "I4").not.toContain(secret);
  expect(rig.plane.recorder.leaksOf(SECRET), "I4").toEqual([]);
  return { done: tenants.flatMap((tenant) => [...tenant.done]), unused };
}

const LIFE: Chosen = [move("start"), move("ready"), move("stop")];
/** Its calls, each with the number of the one to strike: of `exec`, docker's pull. */
const CALLS = { create: 1, get: 1, list: 1, delete: 1, exec: 2, "files.upload": 1 };
const eachFault = eachKind(CALLS, ["create", "exec", "delete"]);

describe.skipIf(cannotRun)(`invariants through the provider${needs}`, () => {
  test("I1 I2 I3 I4 I6 I8 over random calls of two providers and random faults", async () => {
    const root = tempDirectory({ "server/Dockerfile": "FROM x\nCOPY app.py /\n", "app.py": "app" });
    const built = BoxdProvider.imageFromDockerfile(join(root, "server/Dockerfile"));
    const done = new Set<Move["what"]>();
    await fc.assert(
      fc.asyncProperty(moves, faultsArbitrary, fc.boolean(), async (chosen, faults, surfaceServerLogs) => {
        const asked = [FIRST, ...chosen].map((each) => ({ ...each, image: each.image === BUILT ? built : each.image }));
        for (const what of (await hold(asked, faults, surfaceServerLogs)).done) done.add(what);
      }),
      { numRuns: examples.length + runs(2, 20), endOnFailure: true, examples },
    );
    expect([...done].sort(), "each did now and then what it is for").toEqual([...new Set(MOVES)].sort());
  }, 600_000);

  test("every kind of fault but those of waking is one of a container's life: its machine is never parked", () => {
    expect(kindsBeside(eachFault)).toEqual(["wake-refused", "wake-slow"]);
  });

  // A third of them in the quick tier, another one for each adapter.
  test.each(inTurn(eachFault, 3, 0))("I1 I2 I3 I4 I6 over a container's life under $how of $method", async (plan) => {
    const { unused } = await hold(LIFE, [plan], true);
    expect(unused, "the fault did strike").toEqual([]);
  });

  const disturbed: [string, () => Fault | undefined][] = [
    ["undisturbed", () => undefined],
    ["when an answer of create is lost", () => scenarios.answerLost("machines.create", 14)],
    ["when the first deletion is not answered", () => scenarios.answerLost("machines.delete", 4)],
    ["when the first deletion is acknowledged and does not happen", () => scenarios.deleteIgnored()],
    ["when a listing is stale", () => scenarios.listHides(() => true)],
  ];
  test.each(disturbed)(
    "I8 two starts at once make one machine, two stops at once both succeed, and another provider is not touched: %s",
    async (_name, fault) => {
      await using rig = await Rig.start();
      const [provider, other] = [rig.provider(), rig.provider()];
      await other.startContainer();
      const injected = fault();
      if (injected !== undefined) rig.plane.faults.inject(injected);
      const starts = await Promise.allSettled([provider.startContainer(), provider.startContainer()]);
      const [first, second] = starts.map((start) =>
        start.status === "rejected" ? (start.reason as { code: string }).code : "started",
      );
      expect(second).toBe("ALREADY_STARTED");
      expect(first).toBe(injected?.method === "machines.create" ? "START_FAILED" : "started");
      if (first !== "started") await provider.startContainer();
      expect(rig.plane.survivors()).toHaveLength(2);
      const again = new EnvClient(provider.baseUrl, { connection: rig.connection });
      await provider.waitForReady(provider.baseUrl);
      await again.connect();
      await Promise.all([provider.stopContainer(), provider.stopContainer(), provider.close()]);
      expect(await thrown(again.reset())).toMatchObject({ name: "EnvError" });
      expect(rig.plane.survivors().map(({ id }) => id)).toEqual([other.machineId]);
      await other.waitForReady(other.baseUrl);
      await using client = new EnvClient(other.baseUrl, { connection: rig.connection });
      await client.connect();
      expect(await client.reset()).toMatchObject({ done: false });
    },
  );

  test.each([1, 2, 4, 6, 9, 12, 14, 16, 18, 20, 22])(
    "I5 O16 nothing answers from call %i on: every wait ends within its deadline and a second",
    async (nth) => {
      await using rig = await Rig.start();
      const clock = new JumpClock(rig.plane, 0);
      const took = async (work: () => Promise<unknown>): Promise<number> => {
        rig.plane.faults.clear();
        rig.plane.faults.inject(scenarios.stalled("*", "before", { nth, times: Infinity }));
        const before = clock.now();
        await Promise.allSettled([work()]);
        return clock.now() - before;
      };
      const provider = rig.provider({ clock, startTimeoutMs: 30_000, envVars: { A: "b" }, egressAllow: ["none"] });
      // Its deadline; then ending docker's command (3 s here), forgetting the environment's file, and deleting the machine.
      expect(await took(() => provider.startContainer())).toBeLessThanOrEqual(30_000 + 3_000 + 5_000 + 20_000 + 1_000);
      expect(await took(() => provider.stopContainer())).toBeLessThanOrEqual(61_000);
      expect(await took(() => provider.close())).toBeLessThanOrEqual(61_000);
      expect(
        await took(() =>
          rig.provider({ clock }).waitForReady("https://nobody.machines.boxd.test", { timeoutMs: 5_000 }),
        ),
      ).toBeLessThanOrEqual(6_000);
    },
  );

  test.each([1, 2, 4, 6, 9, 12])(
    "I5 O16 stopping during a start, nothing answers from its call %i on: the stop ends within its minute and a second",
    async (nth) => {
      await using rig = await Rig.start();
      const clock = new JumpClock(rig.plane, 0);
      const provider = rig.provider({ clock, startTimeoutMs: 30_000, envVars: { A: "b" } });
      let calls = 0;
      let reached = (): void => undefined;
      const here = new Promise<void>((resolve) => {
        reached = resolve;
      });
      rig.plane.faults.inject(
        scenarios.stalled("*", "before", {
          nth,
          times: Infinity,
          where: () => {
            calls += 1;
            if (calls === nth) reached();
            return true;
          },
        }),
      );
      const starting = thrown(provider.startContainer());
      await here;
      const before = clock.now();
      await thrown(provider.stopContainer());
      expect(clock.now() - before).toBeLessThanOrEqual(61_000);
      expect(await starting).toMatchObject({ name: "ProviderError", code: "CLEANUP_FAILED" });
    },
  );

  test("I5 O16 a container that runs: waiting for it and stopping it end in time on a plane that answers nothing", async () => {
    await using rig = await Rig.start();
    let clock: Clock = fastClock(1);
    const switched: Clock = {
      now: () => clock.now(),
      wallNow: () => clock.wallNow(),
      sleep: (ms, signal) => clock.sleep(ms, signal),
    };
    const provider = rig.provider({ image: "sick", clock: switched });
    const base = await provider.startContainer();
    clock = new JumpClock(rig.plane, 0);
    const forget = rig.plane.faults.inject(scenarios.stalled("*", "before", { times: Infinity }));
    expect(await thrown(provider.waitForReady(base, { timeoutMs: 90_000 }))).toMatchObject({ code: "NOT_READY" });
    expect(clock.now()).toBeLessThanOrEqual(91_000);
    const before = clock.now();
    expect(await thrown(provider.close())).toMatchObject({ code: "CLEANUP_FAILED" });
    expect(clock.now() - before).toBeLessThanOrEqual(61_000);
    forget();
    clock = fastClock(1);
    await provider.close();
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("I5 O16 E-29 E-37 a stalled exec does not stretch the wait", async () => {
    await using rig = await Rig.start();
    const provider = rig.provider({ image: "sick" });
    const base = await provider.startContainer();
    rig.plane.faults.inject(scenarios.stalled("machines.exec", "before", { times: Infinity }));
    // Without a limit of its own the call would take its 15 s, which is more than this test has.
    expect(await thrown(provider.waitForReady(base, { timeoutMs: 800 }))).toMatchObject({ code: "NOT_READY" });
    rig.plane.faults.clear();
  });
});
