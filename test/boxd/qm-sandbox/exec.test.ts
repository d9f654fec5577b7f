import { describe, expect, test } from "vitest";
import { LeapClock, scenarios, untilNoneRuns, untilRuns } from "../../support/boxd-fake/index.ts";
import { LAYERS, needsProcesses, Rig, skipWithoutProcesses, until } from "./rig.ts";

const SECRET = "s3cr3t-t0ken-value";

describe.skipIf(skipWithoutProcesses)(`commands${needsProcesses}`, () => {
  test("Q03 runs in the workspace, with the handle's environment, never waiting for a person; what is set wins", async () => {
    await using rig = new Rig();
    const handle = await rig.sandbox.provision(LAYERS, { env: { PAGER: "less", MULTI: "a\n'b' $c" } });
    const { stdout } = await rig.sandbox.run(
      handle,
      'pwd; echo $PAGER $GIT_PAGER $GIT_EDITOR $DEBIAN_FRONTEND; echo "[$AWS_PAGER]"; echo "$MULTI"; cat',
    );
    expect(stdout).toBe("/home/boxd/workspace\nless cat true noninteractive\n[]\na\n'b' $c\n");
  });

  test("Q03 a workspace that the agent removed is there again for the next command", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    await rig.sandbox.run(handle, "cd .. && rm -rf workspace");
    expect(await rig.sandbox.run(handle, "pwd; ls")).toMatchObject({ code: 0, stdout: "/home/boxd/workspace\n" });
  });

  test("Q04 every exit status arrives as it is, and 900 KiB on each stream", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    for (const code of [0, 1, 2, 44, 125, 126, 127, 128, 137, 255])
      expect((await rig.sandbox.run(handle, `exit ${String(code)}`)).code).toBe(code);
    const { stdout, stderr } = await rig.sandbox.run(
      handle,
      "head -c 921600 /dev/zero | tr '\\0' o; head -c 921601 /dev/zero | tr '\\0' e >&2",
    );
    expect([stdout.length, stderr.length, stdout[0], stderr[0]]).toEqual([921_600, 921_601, "o", "e"]);
  });

  test("Q05 a timeout is 124 with what was written so far, and nothing of the group runs on", async () => {
    const clock = new LeapClock();
    await using rig = new Rig({ driver: { clock, times: { pollMs: 10, listingLagMs: 100, settleMs: 30_000 } } });
    const handle = await rig.provision();
    const command = "echo out; echo err >&2; sleep 300 & sleep 301";
    const running = rig.sandbox.run(handle, command, { timeoutMs: 60_000 });
    await untilRuns(rig.machine, "301");
    clock.leap(60_000);
    expect(await running).toEqual({ stdout: "out\n", stderr: "err\n", code: 124, timedOut: true });
    await untilNoneRuns(rig.machine);
    expect(rig.incidents).toEqual([]);
  });

  test("Q05 a command that the machine does not confirm to have ended is reported", async () => {
    await using rig = new Rig({ driver: { times: { pollMs: 10, settleMs: 500 } } });
    const handle = await rig.provision();
    rig.plane.faults.inject(
      scenarios.refused("machines.exec", 7, "not now", {
        times: Infinity,
        where: (args) => JSON.stringify(args).includes("echo kill"),
      }),
    );
    expect(await rig.sandbox.run(handle, "sleep 300", { timeoutMs: 300 })).toMatchObject({ code: 124, timedOut: true });
    expect(rig.incidents).toEqual([
      { category: "sandbox_exec", code: "command_may_still_run", message: expect.stringContaining(handle.id) },
    ]);
    expect(rig.plane.faults.unused()).toEqual([]);
  });

  test("Q05 E-35 (rakazo #39): a command that itself exits 124 has not timed out", async () => {
    await using rig = new Rig();
    expect(await rig.sandbox.run(await rig.provision(), "timeout 0.1 sleep 5")).toMatchObject({
      code: 124,
      timedOut: false,
    });
  });

  test("Q05 the default timeout applies where none is named", async () => {
    await using rig = new Rig({ defaultTimeoutSec: 0.5 });
    expect(await rig.sandbox.run(await rig.provision(), "sleep 300")).toMatchObject({ code: 124, timedOut: true });
  });

  test("Q11 after a refusal that names a stopped machine the command runs, exactly once", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    // It stops between the look at its state and the command.
    rig.plane.faults.inject({ method: "machines.exec", where: isLedger, hold: () => rig.machine.force("stopped") });
    expect(await rig.sandbox.run(handle, "echo ran >> ledger; cat ledger")).toMatchObject({ code: 0, stdout: "ran\n" });
    expect(rig.plane.faults.unused()).toEqual([]);
  });

  test.each<[string, (rig: Rig) => void]>([
    [
      "the answer is lost",
      (rig) => rig.plane.faults.inject(scenarios.answerLost("machines.exec", 14, { where: isLedger })),
    ],
    [
      "the deadline of the call passes",
      (rig) => rig.plane.faults.inject(scenarios.answerLost("machines.exec", 4, { where: isLedger })),
    ],
  ])("Q11 a command is never run again when %s", async (_title, spoil) => {
    await using rig = new Rig();
    const handle = await rig.provision();
    spoil(rig);
    await expect(rig.sandbox.run(handle, "echo ran >> ledger")).rejects.toThrow(`boxd exec ${handle.id}`);
    expect(await rig.sandbox.readFile(handle, "ledger")).toBe("ran\n");
    expect(rig.plane.faults.unused()).toEqual([]);
  });

  test("Q11 a command has the status that the machine knows, and is never run again, when no status comes", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    rig.plane.faults.inject(scenarios.exitStatusLost({ where: isLedger }));
    expect(await rig.sandbox.run(handle, "echo ran >> ledger; echo said; exit 7")).toMatchObject({ code: 7 });
    expect(await rig.sandbox.readFile(handle, "ledger")).toBe("ran\n");
    expect(rig.plane.faults.unused()).toEqual([]);
  });

  test("Q11 a command whose stream is cut, which reads as a success, is an error that tells its true status, and is never run again", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    rig.plane.faults.inject(scenarios.streamCut({ where: isLedger }));
    const says = `boxd exec ${handle.id}: truncated stream: the command ended with 7`;
    await expect(rig.sandbox.run(handle, "echo ran >> ledger; echo said; exit 7")).rejects.toThrow(says);
    expect(await rig.sandbox.readFile(handle, "ledger")).toBe("ran\n");
    expect(rig.plane.faults.unused()).toEqual([]);
  });

  test("Q20 an abort kills the whole group at once; one that came before runs nothing", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    const abort = new AbortController();
    const running = rig.sandbox.run(handle, "sh -c 'echo begun > mark; sleep 300' & sleep 300", {
      signal: abort.signal,
    });
    await until(async () => (await rig.sandbox.readFile(handle, "mark")) ?? undefined);
    abort.abort();
    expect(await running).toMatchObject({ code: 137, timedOut: false });
    await untilNoneRuns(rig.machine);
    expect(await rig.sandbox.run(handle, "touch never", { signal: abort.signal })).toMatchObject({
      code: 137,
      timedOut: false,
    });
    expect(await rig.sandbox.readFile(handle, "never")).toBeNull();
  });

  test("Q23 the proxy is forced with an address and a token, and an agent's own is dropped", async () => {
    await using rig = new Rig({ egressProxyUrl: "https://proxy.example:8443" });
    const show = 'echo "$HTTPS_PROXY|$http_proxy|$ALL_PROXY|$NO_PROXY|$KEPT"';
    const asked = { env: { ALL_PROXY: "socks5://mine", http_proxy: "http://mine", KEPT: "kept" } };
    const forced = await rig.sandbox.provision(LAYERS, { ...asked, egressToken: SECRET });
    const url = `https://x:${SECRET}@proxy.example:8443`;
    expect((await rig.sandbox.run(forced, show)).stdout).toBe(`${url}|${url}||localhost,127.0.0.1,::1|kept\n`);
    const { processId } = await rig.sandbox.startProcess(forced, "echo $HTTPS_PROXY; echo $GIT_HTTP_PROXY_AUTHMETHOD");
    const output = await until(async () => {
      const read = await rig.sandbox.readProcess(forced, processId, { waitMs: 5000 });
      return read.status.state === "exited" ? read.chunks : undefined;
    });
    expect(output).toBe(`${url}\nbasic\n`);
    const free = await rig.sandbox.provision(LAYERS, asked);
    expect((await rig.sandbox.run(free, show)).stdout).toBe("||||kept\n");
    await using open = rig.another({});
    expect((await open.run(await open.provision(LAYERS, { ...asked, egressToken: SECRET }), show)).stdout).toBe(
      "||||kept\n",
    );
  });

  test("no secret of the environment is on a command line, in an error or in an incident", async () => {
    await using rig = new Rig({ egressProxyUrl: "https://proxy.example" });
    const handle = await rig.sandbox.provision(LAYERS, { env: { API_TOKEN: SECRET }, egressToken: `${SECRET}-2` });
    await rig.sandbox.run(handle, "env | grep -c TOKEN");
    await rig.sandbox.startProcess(handle, "sleep 0.1");
    expect(rig.plane.recorder.leaksOf(SECRET)).toEqual([]);
    rig.plane.faults.inject(scenarios.refused("machines.exec", 13, `agent said ${SECRET}`, { times: Infinity }));
    const error = await rig.sandbox.run(handle, "true").then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(error).toBeInstanceOf(Error);
    expect(JSON.stringify([error?.message, String(error?.cause), rig.incidents])).not.toContain(SECRET);
  });
});

/** The call that carries the agent's command, among those of the driver. */
function isLedger(args: readonly unknown[]): boolean {
  return JSON.stringify(args).includes("ledger");
}
