import { describe, expect, test } from "vitest";
import { processesSupported } from "../../support/boxd-fake/index.ts";
import { failure, needsProc, until, withMachine } from "./harness.ts";

describe.skipIf(!processesSupported)(`exec${needsProc}`, () => {
  test.each([0, 1, 42, 124, 255])("answers exit code %i and both streams apart", async (code) => {
    await withMachine({}, async ({ sh }) => {
      expect(await sh(`echo out; echo err >&2; exit ${String(code)}`)).toEqual({
        stdout: "out\n",
        stderr: "err\n",
        exitCode: code,
        success: code === 0,
      });
    });
  });

  test("a shell killed by a signal answers 128 and the signal", async () => {
    await withMachine({}, async ({ sh }) => {
      expect((await sh("kill -TERM $$")).exitCode).toBe(143);
    });
  });

  test("runs in /home/boxd as the machine sees it, with nothing of this process's environment", async () => {
    process.env["FAKE_CANARY"] = "leaked";
    await withMachine({}, async ({ sh }) => {
      const { stdout } = await sh(
        'pwd; echo $HOME; echo "$USER"; echo "[$FAKE_CANARY]"; cd /home/boxd && pwd; mktemp -p /tmp x.XXXX | cut -c1-5',
      );
      expect(stdout).toBe("/home/boxd\n/home/boxd\nboxd\n[]\n/home/boxd\n/tmp/\n");
    });
  });

  test("keeps nothing from one command to the next but files", async () => {
    await withMachine({}, async ({ sh }) => {
      await sh("mkdir d; cd d; X=1; export X; echo kept > f");
      expect((await sh('echo "[$X]"; ls; cat d/f')).stdout).toBe("[]\nd\nkept\n");
    });
  });

  test("standard input is at its end, unless the quirk leaves it open and silent", async () => {
    await withMachine({}, async ({ sh, plane }) => {
      expect(await sh("cat; echo read")).toMatchObject({ stdout: "read\n", exitCode: 0 });
      plane.quirks.stdin = "silent";
      expect(await failure(sh("cat", 150))).toMatchObject({ name: "BoxdError", message: "exec timed out after 150ms" });
    });
  });

  test("the client's deadline has no code and the command runs on, unless the quirk says otherwise", async () => {
    for (const deadlineKills of [false, true]) {
      await withMachine({ quirks: { deadlineKills } }, async ({ sh, machine }) => {
        const error = await failure(sh("sleep 300", 300));
        expect(error.grpcCode).toBeUndefined();
        await until(() => machine.processes().some((found) => found.argv[0] === "sleep") === !deadlineKills);
      });
    }
  });

  test("a background process that holds the streams keeps the call open", async () => {
    await withMachine({}, async ({ sh }) => {
      expect(await failure(sh("sleep 300 & exit 0", 150))).toMatchObject({ name: "BoxdError" });
      expect((await sh("sleep 300 >/dev/null 2>&1 & exit 7", 5000)).exitCode).toBe(7);
    });
  });

  test("a long command line is refused by the kernel, a longer one by the wire", async () => {
    await withMachine({}, async ({ sh }) => {
      expect(await failure(sh(`: ${"x".repeat(140_000)}`))).toMatchObject({
        grpcCode: 13,
        message: expect.stringContaining("too long"),
      });
      expect(await failure(sh(`: ${"x".repeat(4_194_304)}`))).toMatchObject({ name: "RateLimitError", grpcCode: 8 });
      expect((await sh(`: ${"x".repeat(100_000)}; echo fine`)).stdout).toBe("fine\n");
    });
  });

  test("large output arrives whole; with the quirk it is cut in silence", async () => {
    await withMachine({}, async ({ sh, plane }) => {
      expect((await sh("head -c 2000000 /dev/zero | tr '\\0' x")).stdout.length).toBe(2_000_000);
      plane.quirks.outputCap = 10;
      expect((await sh("printf %s aaaaaaaaaé")).stdout).toBe("aaaaaaaaa\ufffd");
    });
  });

  test("a test's own commands and the built-in sudo, node and boot id work", async () => {
    await withMachine({ tools: { docker: '#!/bin/sh\necho "docker $*"\n' } }, async ({ sh }) => {
      expect((await sh("sudo -n docker ps; sudo A=b sh -c 'echo $A'; node -p 1+1")).stdout).toBe("docker ps\nb\n2\n");
    });
  });

  test("machines do not see each other's files", async () => {
    await withMachine({}, async ({ sh, plane, client }) => {
      const other = await plane.seed({ name: "m2" });
      await sh("echo mine > /home/boxd/f; echo mine > /tmp/f");
      expect((await client.machines.exec(other.id, { command: "cat /home/boxd/f /tmp/f" })).exitCode).toBe(1);
    });
  });
});

describe("files", () => {
  const MIB = 1024 * 1024;

  test.each([0, 1, 3 * MIB, 4 * MIB - 5])("%i bytes come back as they were, as a view", async (size) => {
    await withMachine({}, async ({ client, id }) => {
      const data = new Uint8Array(size).map((_value, index) => (index * 7) % 256);
      expect(await client.machines.files.upload(id, "/home/boxd/f", data)).toBe(size);
      const back = await client.machines.files.download(id, "/home/boxd/f");
      expect(Buffer.compare(back, data)).toBe(0);
      expect(back.buffer.byteLength).toBeGreaterThan(back.byteLength);
    });
  });

  test("without streaming, what does not fit one message is refused both ways", async () => {
    await withMachine({}, async ({ client, id, sh, plane }) => {
      const error = await failure(client.machines.files.upload(id, "/home/boxd/f", new Uint8Array(4 * MIB - 4)));
      expect(error).toMatchObject({
        name: "RateLimitError",
        grpcCode: 8,
        message: "Received message larger than max (4194305 vs 4194304)",
      });
      await sh("head -c 4194300 /dev/zero > f");
      expect(await failure(client.machines.files.download(id, "/home/boxd/f"))).toMatchObject({
        name: "RateLimitError",
      });
      plane.quirks.fileCap = Infinity;
      expect((await client.machines.files.download(id, "/home/boxd/f")).length).toBe(4_194_300);
    });
  });

  test.each<[string, string, number]>([
    ["a missing file", "/home/boxd/none", 5],
    ["a directory", "/home/boxd", 13],
    ["a relative path", "f", 3],
    ["a path outside", "/home/boxd/../../etc/passwd", 7],
  ])("%s cannot be read", async (_title, path, code) => {
    await withMachine({}, async ({ client, id }) => {
      expect((await failure(client.machines.files.download(id, path))).grpcCode).toBe(code);
    });
  });

  test("a missing parent is not made, the mode of an old file is kept, a new one is 0644", async () => {
    await withMachine({}, async ({ client, id, sh }) => {
      const { files } = client.machines;
      expect((await failure(files.upload(id, "/home/boxd/no/f", new Uint8Array(1)))).grpcCode).toBe(5);
      await sh("touch old; chmod 600 old");
      await files.upload(id, "/home/boxd/old", new Uint8Array(1));
      await files.upload(id, "/home/boxd/new", new Uint8Array(1));
      expect((await sh("stat -c %a old new")).stdout).toBe("600\n644\n");
    });
  });

  test("an old agent has no file calls", async () => {
    await withMachine({ quirks: { fileApi: false } }, async ({ client, id }) => {
      expect((await failure(client.machines.files.download(id, "/home/boxd/f"))).grpcCode).toBe(12);
    });
  });
});
