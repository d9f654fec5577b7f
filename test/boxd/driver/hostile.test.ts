import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { grpcError, scenarios } from "../../support/boxd-fake/index.ts";
import { commandRig, needsProcesses, Rig, skipWithoutProcesses } from "./rig.ts";

/** What callers and control planes may do that nobody would do on purpose. */
describe.skipIf(skipWithoutProcesses)(`hostile values${needsProcesses}`, () => {
  const NAMES = [
    'it\'s "quoted"',
    "line\nbreak",
    "tail\n",
    "ünïcödé 猫 🐈",
    "-dash",
    "$(touch pwned)`x`",
    "back\\slash",
    " lead and trail ",
    "*?[a]",
    "a;b&c|d",
    "~",
    "%s",
  ];

  test.each(NAMES)("a file and a directory named %j", async (name) => {
    await using rig = commandRig();
    const { id } = await rig.running();
    const dir = `${rig.driver.home}/${name}`;
    const content = randomBytes(64);
    await rig.driver.upload(id, `${dir}/${name}`, content);
    expect(Buffer.from((await rig.driver.download(id, `${dir}/${name}`)) ?? [])).toEqual(content);
    const outcome = await rig.driver.exec(id, {
      command: ["sh", "-c", 'cat -- "./$1" | sha256sum; ls -A "$HOME"', "sh", name],
      cwd: dir,
    });
    expect(outcome).toMatchObject({ ended: "exit", exitCode: 0 });
    expect(outcome.stdout.slice(0, 64)).toBe(createHash("sha256").update(content).digest("hex"));
    expect(outcome.stdout).not.toContain("pwned\n");
  });

  test("symlinks on the machine: read through, replaced by a write, never followed into a directory", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    const { home } = rig.driver;
    await rig.driver.exec(id, {
      command:
        "printf old > real; ln -s real link; ln -s nowhere dangling; mkdir d; ln -s d dirlink; ln -s loop loop; mkfifo pipe",
    });
    expect(Buffer.from((await rig.driver.download(id, `${home}/link`)) ?? []).toString()).toBe("old");
    expect(await rig.driver.download(id, `${home}/dangling`)).toBeNull();
    expect(await rig.driver.download(id, `${home}/loop`)).toBeNull();
    for (const name of ["dirlink", "pipe"])
      await expect(rig.driver.download(id, `${home}/${name}`)).rejects.toMatchObject({ kind: "invalid" });
    await rig.driver.upload(id, `${home}/link`, "new");
    await expect(rig.driver.upload(id, `${home}/dirlink`, "new")).rejects.toMatchObject({ kind: "invalid" });
    const { stdout } = await rig.driver.exec(id, {
      command: "cat real; [ -L link ] || printf ' %s' \"$(cat link)\"; ls -A d; ls -A | grep -c qm-deploy-",
    });
    expect(stdout).toBe("old new0\n");
  });

  test("a megabyte of environment and of input, with every byte that they may hold", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    const value = "'\"$`\\\n\t\r ~*é🐈".repeat(6_000).slice(0, 100_000);
    const env = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`V${at}`, value]));
    const stdin = Buffer.concat([Buffer.from([...Array(256).keys()]), randomBytes(1024 * 1024), Buffer.from("\n\0")]);
    const outcome = await rig.driver.exec(id, {
      command: 'sha256sum; for v in "$V0" "$V7"; do printf %s "$v" | sha256sum; done',
      env,
      stdin,
    });
    const sums = [stdin, Buffer.from(value), Buffer.from(value)]
      .map((bytes) => `${createHash("sha256").update(bytes).digest("hex")}  -\n`)
      .join("");
    expect(outcome).toMatchObject({ ended: "exit", exitCode: 0, stdout: sums });
  });

  test.each([
    ["name", { "A B": "x" }],
    ["NUL", { A: "a\0b" }],
  ])("an environment with a bad %s is refused before anything is sent", async (_, env) => {
    await using rig = commandRig();
    const { id } = await rig.running();
    await expect(rig.driver.exec(id, { command: "true", env })).rejects.toMatchObject({ kind: "invalid" });
    expect(rig.plane.recorder.methods().filter((method) => /exec|upload/.test(method))).toEqual([]);
  });
});

describe.skipIf(skipWithoutProcesses)(`hostile control planes${needsProcesses}`, () => {
  test("ensure and delete at the same time: each ends, and what ensure names is there", async () => {
    for (let round = 0; round < 5; round += 1) {
      await using rig = new Rig();
      const { machine } = await rig.driver.getOrCreate("qm-a", {});
      const [ensured, deleted] = await Promise.allSettled([
        rig.driver.getOrCreate("qm-a", {}),
        rig.driver.deleteConfirmed(machine.id),
      ]);
      expect(deleted.status).toBe("fulfilled");
      const alive = rig.plane.survivors().map(({ id }) => id);
      if (ensured.status === "fulfilled" && ensured.value.created) expect(alive).toEqual([ensured.value.machine.id]);
      else expect(alive).toEqual([]);
    }
  });

  test("a name that somebody takes between the look and the call is theirs, also when the answer is lost", async () => {
    await using rig = new Rig();
    rig.plane.faults.inject({
      method: "machines.create",
      hold: () => rig.plane.seed({ name: "box-1", labels: { "managed-by": "somebody" } }),
    });
    await expect(rig.driver.createOwned({ name: "box-1" })).rejects.toMatchObject({
      kind: "conflict",
      conflict: "name-taken",
    });
    expect(rig.plane.survivors().map(({ params }) => params.labels)).toEqual([{ "managed-by": "somebody" }]);
    const takeAndLose = async (): Promise<never> => {
      await rig.plane.seed({ name: "box-2", labels: { "managed-by": "somebody" } });
      throw grpcError(14, "unavailable");
    };
    rig.plane.faults.inject({ method: "machines.create", hold: takeAndLose });
    await expect(rig.driver.createOwned({ name: "box-2" })).rejects.toMatchObject({
      kind: "cleanup-unconfirmed",
      left: { name: "box-2" },
    });
    expect(rig.plane.survivors().every(({ params }) => params.labels?.["managed-by"] === "somebody")).toBe(true);
  });

  test("a deadline that a call may miss is refused before anything is made", async () => {
    await using rig = new Rig();
    for (const ms of [2_500, 0, -1, Number.NaN]) {
      const at = new Date(rig.driver.clock.wallNow() + ms);
      await expect(rig.driver.createOwned({ expiry: { at } })).rejects.toMatchObject({ kind: "invalid" });
      await expect(rig.driver.getOrCreate("qm-a", { expiry: { at } })).rejects.toMatchObject({ kind: "invalid" });
    }
    expect(rig.plane.recorder.calls).toEqual([]);
  });

  test("a deletion whose listing flaps between there and not there gives its receipt only for good", async () => {
    await using rig = new Rig();
    const { id } = await rig.running();
    const [row] = await rig.driver.list();
    await rig.plane.client().machines.delete(id);
    for (const nth of [1, 3, 5])
      if (row !== undefined) rig.plane.faults.inject(scenarios.listShows([row], { nth, times: 1 }));
    expect(await rig.driver.deleteConfirmed(id)).toEqual({ id, state: "destroyed" });
    expect(rig.plane.recorder.methods().filter((method) => method === "machines.list").length).toBeGreaterThanOrEqual(
      6,
    );
  });

  test.each(["other-org row first", "other-org row alone"])(
    "a machine of another org with the same name is nobody to us: %s",
    async (title) => {
      await using rig = new Rig();
      rig.plane.faults.inject(scenarios.listShowsOtherOrg({ times: Infinity }));
      if (title.endsWith("first")) await rig.running("qm-a");
      else await (await rig.running("qm-a")).delete();
      rig.plane.steps.destroy = 0;
      const { machine } = await rig.driver.getOrCreate("qm-a", {});
      expect(machine.id).toBe(rig.plane.machine("qm-a").id);
      expect((await rig.driver.find("qm-a"))?.id).toBe(machine.id);
      await rig.driver.deleteConfirmed(machine.id);
      expect(await rig.driver.find("qm-a")).toBeUndefined();
      expect(
        rig.plane.recorder.calls.filter(({ method, args }) => method !== "machines.get" && args[0] === "rival-qm-a"),
      ).toEqual([]);
    },
  );

  test("of several rows of one name the one that get knows counts, not the first", async () => {
    await using rig = new Rig();
    const { id } = await rig.running();
    rig.plane.faults.inject({
      method: "machines.list",
      change: (rows) => [{ id: "ghost-1", name: "box-1", status: "running" }, ...(rows as object[])],
    });
    expect((await rig.driver.find("box-1"))?.id).toBe(id);
  });

  test("a failed creation is found and deleted among another org's machines of its name", async () => {
    await using rig = new Rig();
    rig.plane.faults.inject(scenarios.listShowsOtherOrg());
    rig.plane.faults.inject(scenarios.answerLost("machines.create", 14));
    await expect(rig.driver.createOwned({})).rejects.toMatchObject({ kind: "transient" });
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("a record whose org is named otherwise than by its slug is ours still", async () => {
    await using rig = new Rig();
    const { id } = await rig.running("qm-a");
    const named = (rows: unknown): unknown =>
      (rows as object[]).map((row) => ({ ...row, org: { id: "org_1", name: "Acme, Inc." } }));
    rig.plane.faults.inject({ method: "machines.list", times: Infinity, change: named });
    expect(await rig.driver.getOrCreate("qm-a", {})).toMatchObject({ created: false, machine: { id } });
  });

  test("what a cleanup error names without an id is deleted by that name, though boxd takes only ids", async () => {
    await using rig = new Rig();
    await rig.running("box-1");
    expect(await rig.driver.deleteConfirmed("box-1", { timeoutMs: 20_000 })).toEqual({
      id: "box-1",
      state: "destroyed",
    });
    expect(rig.plane.survivors()).toEqual([]);
  });
});
