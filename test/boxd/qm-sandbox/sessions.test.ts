import { describe, expect, test } from "vitest";
import { redactCommand } from "../../../src/boxd/qm-sandbox/process-sessions.ts";
import { ended } from "./conformance.ts";
import { needsProcesses, Rig, skipWithoutProcesses, until } from "./rig.ts";

describe.skipIf(skipWithoutProcesses)(`Q22 process sessions${needsProcesses}`, () => {
  test("a session outlives its call and its backend, and is read by bytes that never cut a character", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    const { processId } = await rig.sandbox.startProcess(handle, "printf 'aéz日本'; sleep 300", { cwd: "/tmp" });
    await using other = rig.another();
    let cursor = 0;
    const pieces: string[] = [];
    // 1, 2, 1, 3 and 3 bytes: a limit of 4 falls into the middle of characters.
    while (cursor < 10) {
      const read = await other.readProcess(handle, processId, { sinceCursor: cursor, maxBytes: 4, waitMs: 5000 });
      pieces.push(read.chunks);
      ({ cursor } = read);
    }
    expect([pieces.join(""), cursor]).toEqual(["aéz日本", 10]);
    await other.signalProcess(handle, processId, "KILL");
    expect((await ended(other, handle, processId)).code).toBe(137);
  });

  test("half a character at the end of a finished process is given as it is, and a reader always gets on", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    const { processId } = await rig.sandbox.startProcess(handle, "printf 'ok\\303'");
    expect(await ended(rig.sandbox, handle, processId)).toEqual({ code: 0, output: "ok\ufffd" });
    const narrow = await rig.sandbox.startProcess(handle, "printf '日'");
    await ended(rig.sandbox, handle, narrow.processId);
    expect((await rig.sandbox.readProcess(handle, narrow.processId, { maxBytes: 1 })).cursor).toBe(1);
  });

  test("at most 64 KiB a read, and the rest by the cursor", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    const { processId } = await rig.sandbox.startProcess(handle, "head -c 100000 /dev/zero | tr '\\0' x");
    await ended(rig.sandbox, handle, processId);
    const first = await rig.sandbox.readProcess(handle, processId);
    const second = await rig.sandbox.readProcess(handle, processId, { sinceCursor: first.cursor });
    expect([first.cursor, second.cursor, second.chunks.length]).toEqual([65_536, 100_000, 34_464]);
    expect(await rig.sandbox.readProcess(handle, processId, { sinceCursor: 999_999 })).toMatchObject({
      chunks: "",
      status: { state: "exited", code: 0 },
    });
  });

  test("input arrives byte for byte, and not at one that has ended", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    const { processId } = await rig.sandbox.startProcess(handle, "head -c 70000 | sha256sum");
    const data = "é'\"$`\n".repeat(10_000);
    await rig.sandbox.writeStdin(handle, processId, data);
    await rig.sandbox.writeStdin(handle, processId, "");
    const { createHash } = await import("node:crypto");
    const sum = createHash("sha256").update(Buffer.from(data).subarray(0, 70_000)).digest("hex");
    expect((await ended(rig.sandbox, handle, processId)).output).toBe(`${sum}  -\n`);
    await expect(rig.sandbox.writeStdin(handle, processId, "more")).rejects.toThrow("has ended");
  });

  test.each([
    ["TERM", 143],
    ["SIGINT", 130],
    ["hup", 129],
    ["QUIT", 131],
    ["KILL", 137],
  ])("%s reaches the whole group: status %i", async (signal, status) => {
    await using rig = new Rig();
    const handle = await rig.provision();
    const { processId } = await rig.sandbox.startProcess(handle, "echo up; sleep 300 | sleep 300");
    await until(async () =>
      (await rig.sandbox.readProcess(handle, processId, { waitMs: 1000 })).chunks === "" ? undefined : true,
    );
    await rig.sandbox.signalProcess(handle, processId, signal);
    expect((await ended(rig.sandbox, handle, processId)).code).toBe(status);
    await until(() => (rig.machine.processes().length === 0 ? true : undefined));
    await rig.sandbox.signalProcess(handle, processId, signal);
  });

  test("other signals, other ids and unknown sessions are refused before or by the machine", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    const { processId } = await rig.sandbox.startProcess(handle, "sleep 300");
    await expect(rig.sandbox.signalProcess(handle, processId, "STOP")).rejects.toThrow("unsupported signal: STOP");
    for (const id of ["", "../x", "$(id)", `${processId}/..`])
      await expect(rig.sandbox.readProcess(handle, id)).rejects.toThrow("is not a process id");
    const unknown = "00000000-0000-0000-0000-000000000000";
    const gone = `no such process session: ${unknown}`;
    await expect(rig.sandbox.readProcess(handle, unknown)).rejects.toThrow(gone);
    await expect(rig.sandbox.writeStdin(handle, unknown, "x")).rejects.toThrow(gone);
    await expect(rig.sandbox.signalProcess(handle, unknown, "TERM")).rejects.toThrow(gone);
  });

  test("a directory that is not there fails the start and leaves no session", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    await expect(rig.sandbox.startProcess(handle, "true", { cwd: "/home/boxd/none" })).rejects.toThrow(
      "cannot be entered",
    );
    expect(await rig.sandbox.listProcesses(handle)).toEqual([]);
  });

  test("a process that a restart or a power-off ended reads as killed, and a suspended one goes on", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    const { processId } = await rig.sandbox.startProcess(handle, 'read line; echo "$line"');
    await rig.machine.force("suspended");
    await rig.sandbox.writeStdin(handle, processId, "after\n");
    expect(await ended(rig.sandbox, handle, processId)).toEqual({ code: 0, output: "after\n" });
    const doomed = await rig.sandbox.startProcess(handle, "sleep 300");
    await rig.machine.force("stopped");
    expect((await ended(rig.sandbox, handle, doomed.processId)).code).toBe(137);
    // What is known of the finished one stays.
    expect((await ended(rig.sandbox, handle, processId)).code).toBe(0);
  });

  test("a supervisor that was killed reads as killed, even while its command runs on", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    const { processId } = await rig.sandbox.startProcess(handle, "sleep 300");
    const supervisor = rig.machine.processes().find((found) => found.argv[2]?.includes("flock 5"));
    expect(supervisor).toBeDefined();
    process.kill(-(supervisor?.pid ?? Infinity), "SIGKILL");
    expect((await ended(rig.sandbox, handle, processId)).code).toBe(137);
    expect(rig.machine.processes().map((found) => found.argv[0])).toContain("sleep");
  });

  test("a process makes files like any other, its session is the user's alone", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    const { processId } = await rig.sandbox.startProcess(handle, "touch made");
    await ended(rig.sandbox, handle, processId);
    expect(
      (await rig.sandbox.run(handle, `touch plain; stat -c %a made plain; stat -c %a ~/.agent-proc/${processId}`))
        .stdout,
    ).toMatch(/^(\d+)\n\1\n700\n$/);
  });

  test("a HOME of the handle's own does not hide its sessions", async () => {
    await using rig = new Rig();
    const handle = { ...(await rig.provision()), env: { HOME: "/tmp" } };
    const { processId } = await rig.sandbox.startProcess(handle, "exit 3");
    expect((await ended(rig.sandbox, handle, processId)).code).toBe(3);
  });

  test("the list tells commands without their secrets", async () => {
    await using rig = new Rig();
    const handle = { ...(await rig.provision()), env: { DEPLOY_TOKEN: "tok-123456" } };
    const { processId } = await rig.sandbox.startProcess(
      handle,
      "curl -H 'Authorization: Bearer abc.def' https://u:pw@host; use tok-123456",
    );
    const [listed] = await rig.sandbox.listProcesses(handle);
    expect(listed).toMatchObject({
      processId,
      command: "curl -H 'Authorization: Bearer [redacted]' https://u:[redacted]@host; use [redacted]",
    });
    expect(Math.abs((listed?.startedAt ?? 0) - Date.now())).toBeLessThan(60_000);
  });
});

describe("redacted commands", () => {
  test.each([
    ["deploy --token abc --api-key=def -v", "deploy --token [redacted] --api-key=[redacted] -v"],
    ["export GITHUB_TOKEN='a b' X=1; run", "export GITHUB_TOKEN=[redacted] X=1; run"],
    ['DB_PASSWORD="x y" psql', "DB_PASSWORD=[redacted] psql"],
    ["echo abc | gh auth login --with-token", "echo [redacted] | gh auth login --with-token"],
    ["printf %s 'a b' | docker login --password-stdin", "printf %s [redacted] | docker login --password-stdin"],
    ["echo hello | wc", "echo hello | wc"],
  ])("%s", (command, expected) => {
    expect(redactCommand(command)).toBe(expected);
  });

  test("a value of the environment is masked where its name says that it is secret, before the text is cut", () => {
    expect(redactCommand("a secretvalue production", { MY_KEY: "secretvalue", NODE_ENV: "production" })).toBe(
      "a [redacted] production",
    );
    const cut = redactCommand(`${"x".repeat(495)}secretvalue`, { MY_KEY: "secretvalue" });
    expect(cut).toBe(`${"x".repeat(495)}[reda`);
  });
});
