import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FakePlane, ManualClock, processesSupported } from "../../support/boxd-fake/index.ts";
import { FAULT_KINDS, type FaultKind } from "../../support/boxd-fake/fault-kinds.ts";
import { faultPlans, plannedFault, type FaultPlan } from "../../support/boxd-fake/random-faults.ts";

const METHODS = [
  "create",
  "get",
  "list",
  "delete",
  "start",
  "stop",
  "reboot",
  "pause",
  "resume",
  "hibernate",
  "wake",
  "exec",
  "setDeleteAfter",
  "files.upload",
  "files.download",
];

/** The faults that the driver must live with, and the plans that are each: the kind, and the calls where that matters. */
const FAULTS: readonly (readonly [name: string, kinds: readonly FaultPlan["how"][], methods?: readonly string[]])[] = [
  ["latency", ["slow"]],
  ["latency: the effect comes when nobody waits any more", ["late"]],
  ["latency: the answer comes when nobody waits any more", ["late-answer"]],
  ["create allocates then throws 4", ["lost-4"], ["create"]],
  ["create allocates then throws 14", ["lost-14"], ["create"]],
  ["create allocates then throws: cancelled", ["lost-1"], ["create"]],
  ["create allocates then throws: aborted", ["lost-10"], ["create"]],
  ["create allocates then never answers", ["stalled-after"], ["create"]],
  ["create succeeds but follow-up get fails", ["read-fails"]],
  ["get fails after create", ["refused-14", "lost-14"], ["get"]],
  ["name conflict 6", ["taken-6"]],
  ["name conflict 9", ["taken-9"]],
  ["list stale: absent", ["hidden"]],
  ["get stale: absent", ["denied"]],
  ["list stale: flap absent to present", ["flapping"]],
  ["list stale: pages", ["page"]],
  ["list stale: destroyed rows", ["tombstones"]],
  ["list stale: deleted rows as they were", ["ghosts"]],
  ["list stale: rows of another org", ["other-org"]],
  ["delete accepted but lingering", ["lingering"]],
  ["delete accepted and never done", ["ignored"]],
  ["delete fails k times", ["refused-14", "refused-13", "refused-8"], ["delete"]],
  ["delete 403", ["refused-7"], ["delete"]],
  ["exec stall", ["stalled-before"], ["exec"]],
  ["exec stall after the run", ["stalled-after"], ["exec"]],
  ["lost response after run", ["lost-4", "lost-14"], ["exec"]],
  ["stream without an exit code", ["no-status-field"]],
  ["exit -1", ["no-status"]],
  ["stream cut after output, which reads as exit 0: when the command is over", ["cut-stream"]],
  ["stream cut after output, which reads as exit 0: while the command runs", ["cut-early"]],
  ["create answers what its first call told", ["partial-record"]],
  ["output caps at 4 MiB", ["capped"]],
  ["split UTF-8", ["split-characters"]],
  ["wake refused: resume", ["wake-refused"], ["resume"]],
  ["wake refused: wake", ["wake-refused"], ["wake"]],
  ["wake refused: start", ["wake-refused"], ["start"]],
  ["wake slow", ["wake-slow"]],
  ["boot slow", ["boot-slow"]],
  ["start -> failed", ["boot-fails"], ["start"]],
  ["create -> failed", ["boot-fails"], ["create"]],
  ["timers firing: idle", ["idle-timers-fire"]],
  ["timers firing: delete", ["delete-timers-fire"]],
  ["labels unsupported: dropped", ["labels-dropped"]],
  ["labels unsupported: refused", ["labels-refused"]],
  ["file API unsupported", ["no-file-api"]],
  ["upload short write: fewer bytes confirmed", ["short"]],
  ["upload short write: fewer bytes written", ["cut"]],
  ["upload short write: fewer bytes written than confirmed", ["cut-secretly"]],
  ['URL ""', ["url-empty"]],
  ["URL http", ["url-http"]],
];

describe("random faults", () => {
  const plans = fc.sample(faultPlans(METHODS), { numRuns: 20_000, seed: 5 });

  test.each(FAULTS.map(([name, kinds, methods = METHODS]) => ({ name, kinds, methods })))(
    "has the fault: $name",
    ({ kinds, methods }) => {
      expect(plans.some(({ how, method }) => kinds.includes(how) && methods.includes(method))).toBe(true);
    },
  );

  test("has no kind that is none of these", () => {
    expect(Object.keys(FAULT_KINDS).sort()).toEqual([...new Set(FAULTS.flatMap(([, kinds]) => kinds))].sort());
  });

  test("strikes only calls that it was given, beside creating and deleting", () => {
    const methods = new Set(fc.sample(faultPlans(["exec"]), { numRuns: 2_000, seed: 5 }).map(({ method }) => method));
    expect([...methods].sort()).toEqual(["create", "delete", "exec"]);
  });
});

/** Every call once or twice, on two machines, and what each answered; random ids are named. */
async function workload(plane: FakePlane): Promise<unknown[]> {
  const { machines } = plane.client();
  const answers: unknown[] = [];
  const ids = new Map<string, string>();
  const ask = async (what: string, work: Promise<unknown>): Promise<unknown> => {
    const given = new Promise((resolve) => {
      setTimeout(resolve, 1_000, "no answer");
    });
    const answer = await Promise.race([work.catch((error: Error) => error.message), given]);
    answers.push([what, answer]);
    return answer;
  };
  const made = async (name: string): Promise<string> => {
    await ask("create", machines.create({ name, labels: { a: "b" } }));
    const id = plane.allMachines().at(-1)?.id ?? "none";
    ids.set(id, name);
    return id;
  };
  const a = await made("a");
  const b = await made("b");
  const read = async (): Promise<void> => {
    for (let reads = 0; reads < 4; reads += 1) {
      await ask("get", machines.get(a));
      await ask("list", machines.list());
    }
  };
  await read();
  await ask("exec", machines.exec(a, { command: "head -c 5000000 /dev/zero | tr '\\0' a; printf é" }));
  await ask("setDeleteAfter", machines.setDeleteAfter(a, 80_000));
  await ask("files.upload", machines.files.upload(a, "/home/boxd/f", Buffer.from("content")));
  await ask(
    "files.download",
    machines.files.download(a, "/home/boxd/f").then((bytes) => Buffer.from(bytes).toString()),
  );
  for (const verbs of [["pause", "resume"], ["hibernate", "wake"], ["reboot"], ["stop", "start"]] as const) {
    for (const verb of verbs) {
      await ask(verb, machines[verb](a));
      await read();
    }
  }
  for (const id of [a, b]) await ask("delete", machines.delete(id));
  await read();
  const text = JSON.stringify(answers, (key, value: unknown) => (key === "stdout" ? String(value).length : value));
  return JSON.parse([...ids].reduce((whole, [id, name]) => whole.replaceAll(id, `id of ${name}`), text)) as unknown[];
}

describe.skipIf(!processesSupported)(
  `the fault of every kind${processesSupported ? "" : " (skipped: the fake's machines need /proc)"}`,
  () => {
    /** Slow answers are the same answers, late. */
    const SLOW: readonly string[] = ["slow", "late", "late-answer"];
    /** Timers must have been set, and ghosts must have died. */
    const WHERE: { readonly [how: string]: Pick<FaultPlan, "method" | "times"> } = {
      "idle-timers-fire": { method: "pause", times: 1 },
      "delete-timers-fire": { method: "pause", times: 1 },
      ghosts: { method: "list", times: Infinity },
    };

    test("strikes, and makes a difference that can be seen in the answers", async () => {
      const answers = async (plan?: FaultPlan): Promise<unknown[]> => {
        await using plane = new FakePlane({ clock: new ManualClock(0) });
        if (plan !== undefined) plane.faults.inject(plannedFault(plan, "secret"));
        const told = await workload(plane);
        expect(plane.faults.unused(), plan?.how).toEqual([]);
        return told;
      };
      const usual = await answers();
      expect(await answers()).toEqual(usual);
      for (const how of Object.keys(FAULT_KINDS) as FaultPlan["how"][]) {
        const kind: FaultKind = FAULT_KINDS[how];
        const plan = { how, nth: 1, times: 2, method: kind.on?.[0] ?? "create", ...WHERE[how] };
        if (SLOW.includes(how)) expect(await answers(plan), how).toEqual(usual);
        else expect(await answers(plan), how).not.toEqual(usual);
      }
    }, 300_000);
  },
);
