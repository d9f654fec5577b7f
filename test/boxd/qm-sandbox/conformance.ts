import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  requireCapability,
  supports,
  type Sandbox,
  type SandboxHandle,
  type WorkspaceLayer,
} from "../../../src/boxd/qm-sandbox/index.ts";

/** A backend to be tried, and what it needs around it. */
export interface Candidate {
  sandbox: Sandbox;
  layers: readonly WorkspaceLayer[];
  /** a key for a scratch machine that nobody else uses */
  scratchKey: string;
  /** removes everything that the run has left */
  dispose(): Promise<void>;
}

/** What a group of tests works on; filled in before the first of them runs. */
interface Desk {
  candidate: Candidate;
  sandbox: Sandbox;
  handle: SandboxHandle;
}

/** What any backend of qm's interface must do, whatever it runs on. Capabilities are tried where the backend has them. */
export function conformance(title: string, make: () => Promise<Candidate>): void {
  describe(title, () => {
    const desk = {} as Desk;
    beforeAll(async () => {
      desk.candidate = await make();
      desk.sandbox = desk.candidate.sandbox;
      desk.handle = await desk.sandbox.provision(desk.candidate.layers);
    }, 240_000);
    afterAll(async () => {
      // Either may be missing when making it failed.
      if ((desk as Partial<Desk>).handle !== undefined) await desk.sandbox.teardown(desk.handle, { destroy: true });
      await (desk as Partial<Desk>).candidate?.dispose();
    }, 240_000);
    commands(desk);
    files(desk);
    computers(desk);
    capabilities(desk);
  });
}

function it(name: string, body: () => Promise<void>): void {
  test(name, body, 120_000);
}

function commands(desk: Desk): void {
  it("says what it is", async () => {
    const { sandbox, handle } = desk;
    expect(sandbox.profile.backend).toMatch(/^[a-z0-9]+$/);
    expect(handle).toMatchObject({ id: expect.any(String), rootDir: expect.stringMatching(/^\//) });
    expect((await sandbox.run(handle, "pwd")).stdout).toBe(`${handle.rootDir}\n`);
  });

  it("answers exact statuses and both streams apart", async () => {
    const { sandbox, handle } = desk;
    for (const code of [0, 1, 42, 255]) {
      expect(await sandbox.run(handle, `echo out; echo err >&2; exit ${String(code)}`)).toMatchObject({
        code,
        stdout: "out\n",
        stderr: "err\n",
        timedOut: false,
      });
    }
  });

  it("gives a command no input, and the environment of its handle", async () => {
    const { sandbox, handle } = desk;
    const withEnv = { ...handle, env: { GREETING: 'it\'s $HOME\nand "more"' } };
    expect((await sandbox.run(withEnv, 'cat; printf %s "$GREETING"')).stdout).toBe('it\'s $HOME\nand "more"');
    expect((await sandbox.run(handle, 'printf %s "${GREETING-unset} $PAGER $GIT_TERMINAL_PROMPT"')).stdout).toBe(
      "unset cat 0",
    );
  });

  it("runs a command with its signals as they should be", async () => {
    const { sandbox, handle } = desk;
    expect(await sandbox.run(handle, "sh -c 'kill -INT $$; echo ignored'; echo $?")).toMatchObject({ stdout: "130\n" });
  });

  it("ends a command at its timeout and keeps what it wrote", async () => {
    const { sandbox, handle } = desk;
    const result = await sandbox.run(handle, "echo begun; sleep 120; echo never", { timeoutMs: 4000 });
    expect(result).toMatchObject({ code: 124, timedOut: true, stdout: "begun\n" });
  });

  it("ends a command when it is aborted", async () => {
    const { sandbox, handle } = desk;
    const abort = new AbortController();
    const running = sandbox.run(handle, "echo started > abort-mark; sleep 120", { signal: abort.signal });
    for (let tries = 0; tries < 200 && (await sandbox.readFile(handle, "abort-mark")) === null; tries += 1)
      await sleep(50);
    abort.abort();
    expect(await running).toMatchObject({ timedOut: false });
  });

  it("passes large output whole", async () => {
    const { sandbox, handle } = desk;
    const { stdout } = await sandbox.run(handle, "head -c 950000 /dev/zero | tr '\\0' z");
    expect([stdout.length, stdout.replaceAll("z", "")]).toEqual([950_000, ""]);
  });
}

function files(desk: Desk): void {
  for (const size of [0, 1, 200 * 1024, 5 * 1024 * 1024]) {
    it(`keeps a file of ${String(size)} bytes as it is`, async () => {
      const { sandbox, handle } = desk;
      const data = pattern(size);
      await sandbox.writeFileBytes(handle, `deep/er/${String(size)}.bin`, data);
      expect(sha(await sandbox.readFileBytes(handle, `deep/er/${String(size)}.bin`))).toBe(sha(data));
    });
  }

  it("lists, removes and does not find files", async () => {
    const { sandbox, handle } = desk;
    await sandbox.writeFile(handle, "tree/a.txt", "a");
    await sandbox.writeFile(handle, "/tree/b c/-d'.txt", "dé");
    expect(await sandbox.listDir(handle, "tree")).toEqual(["tree/a.txt", "tree/b c/-d'.txt"]);
    expect(await sandbox.readFile(handle, "tree/b c/-d'.txt")).toBe("dé");
    await sandbox.removeDir(handle, "tree/b c");
    expect(await sandbox.listDir(handle, "tree")).toEqual(["tree/a.txt"]);
    expect(await sandbox.readFile(handle, "tree/none.txt")).toBeNull();
    expect(await sandbox.listDir(handle, "nowhere")).toEqual([]);
  });

  it("never leaves the workspace", async () => {
    const { sandbox, handle } = desk;
    await expect(sandbox.readFile(handle, "../x")).rejects.toThrow("..");
    await expect(sandbox.writeFile(handle, "a/../../x", "")).rejects.toThrow("..");
    await expect(sandbox.removeDir(handle, "..")).rejects.toThrow("..");
    await sandbox.writeFile(handle, "kept", "kept");
    for (const root of ["", "/", "."]) await sandbox.removeDir(handle, root);
    expect(await sandbox.readFile(handle, "kept")).toBe("kept");
  });
}

function computers(desk: Desk): void {
  it("hands out the same computer again", async () => {
    const { candidate, sandbox, handle } = desk;
    await sandbox.writeFile(handle, "memo", "still here");
    await sandbox.teardown(handle, { keepWarm: true });
    const again = await sandbox.provision(candidate.layers);
    expect(again).toMatchObject({ id: handle.id, coldStart: false });
    expect(await sandbox.readFile(again, "memo")).toBe("still here");
  });

  it("gives a scratch computer that is another one, and new every time", async () => {
    const { candidate, sandbox, handle } = desk;
    const scratch = { scratch: { key: candidate.scratchKey } };
    const first = await sandbox.provision(candidate.layers, scratch);
    expect(first).toMatchObject({ scratch: true });
    expect(first.id).not.toBe(handle.id);
    await sandbox.writeFile(first, "left", "over");
    await sandbox.teardown(first, { destroy: true });
    const second = await sandbox.provision(candidate.layers, scratch);
    expect(await sandbox.readFile(second, "left")).toBeNull();
    await sandbox.teardown(second, { destroy: true });
  });
}

function capabilities(desk: Desk): void {
  it("process sessions: output, input, signals, list", async (): Promise<void> => {
    const { sandbox, handle } = desk;
    if (!supports(sandbox, "process sessions")) return;
    await sessions(sandbox, handle);
  });

  it("backup: what is there, without caches", async () => {
    const { sandbox, handle } = desk;
    if (!supports(sandbox, "backup")) return;
    await sandbox.writeFile(handle, "saved/é.txt", "saved");
    await sandbox.writeFile(handle, "saved/.cache/x", "not");
    const entries = await requireCapability(sandbox, "backup").backupComputer(handle, {
      include: ["workspace"],
      includePaths: ["saved"],
    });
    expect(entries.map(({ area, path, data }) => [area, path, Buffer.from(data).toString()])).toEqual([
      ["workspace", "saved/é.txt", "saved"],
    ]);
  });

  it("extracts many files at once", async () => {
    const { sandbox, handle } = desk;
    if (sandbox.extractFiles === undefined) return;
    const long = `extracted/${"long".repeat(40)}/ü.txt`;
    await sandbox.extractFiles(handle, [
      { path: "extracted/a", data: pattern(10) },
      { path: long, data: pattern(1000) },
    ]);
    expect(sha(await sandbox.readFileBytes(handle, long))).toBe(sha(pattern(1000)));
    expect(await sandbox.listDir(handle, "extracted")).toHaveLength(2);
  });

  it("restart and status: files stay, processes do not", async () => {
    const { candidate, sandbox, handle } = desk;
    if (!supports(sandbox, "restart") || !supports(sandbox, "computer status")) return;
    const scope = candidate.layers[0]?.scopeId ?? "default";
    await sandbox.writeFile(handle, "before", "restart");
    await sandbox.restartComputer(scope);
    expect(await sandbox.computerStatus(scope)).toEqual({ machine: "running", guestResponsive: true });
    expect(await sandbox.readFile(handle, "before")).toBe("restart");
  });
}

async function sessions(
  sandbox: ReturnType<typeof requireCapability<"process sessions">>,
  handle: SandboxHandle,
): Promise<void> {
  const { processId } = await sandbox.startProcess(handle, 'echo "hello $WHO"; read line; echo "got $line"; exit 7', {
    env: { WHO: "you" },
  });
  const first = await sandbox.readProcess(handle, processId, { waitMs: 10_000 });
  expect(first).toEqual({ chunks: "hello you\n", cursor: 10, status: { state: "running" } });
  await sandbox.writeStdin(handle, processId, "input\n");
  const second = await sandbox.readProcess(handle, processId, { sinceCursor: first.cursor, waitMs: 10_000 });
  expect(second.chunks).toBe("got input\n");
  expect((await ended(sandbox, handle, processId)).code).toBe(7);
  const sleeper = await sandbox.startProcess(handle, "sleep 300 & sleep 300; wait");
  await sandbox.signalProcess(handle, sleeper.processId, "SIGTERM");
  expect((await ended(sandbox, handle, sleeper.processId)).code).toBe(143);
  const listed = await sandbox.listProcesses(handle);
  expect(listed.find((session) => session.processId === sleeper.processId)).toMatchObject({
    command: "sleep 300 & sleep 300; wait",
    status: { state: "exited", code: 143 },
  });
  await expect(sandbox.readProcess(handle, "00000000-0000-0000-0000-000000000000")).rejects.toThrow(
    "no such process session",
  );
}

/** The exit of a process, once it has happened. */
export async function ended(
  sandbox: ReturnType<typeof requireCapability<"process sessions">>,
  handle: SandboxHandle,
  id: string,
): Promise<{ code: number; output: string }> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { status, chunks } = await sandbox.readProcess(handle, id, { maxBytes: 1_000_000 });
    if (status.state === "exited") return { code: status.code, output: chunks };
    await sleep(100);
  }
  throw new Error(`process ${id} did not end`);
}

function pattern(size: number): Uint8Array {
  return new Uint8Array(size).map((_value, index) => (index * 31 + (index >> 8)) % 256);
}

function sha(bytes: Uint8Array | null): string {
  return bytes === null ? "missing" : createHash("sha256").update(bytes).digest("hex");
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
