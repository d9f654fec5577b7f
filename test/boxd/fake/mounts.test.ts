import { describe, expect, test } from "vitest";
import { mountsSupported } from "../../support/boxd-fake/index.ts";
import { until, withMachine } from "./harness.ts";

const supported = mountsSupported();

describe.skipIf(!supported)(
  `machines with mounts${supported ? "" : " (skipped: needs root or user namespaces)"}`,
  () => {
    test("their paths hold inside files and programs", () =>
      withMachine(
        { mounts: true, tools: { hello: "#!/bin/sh\necho hello from $0 in $PWD" } },
        async ({ sh, client, id }) => {
          const script = Buffer.from(
            '#!/bin/sh\nmkdir -p /home/boxd/a && echo "$HOME" >/home/boxd/a/b && cp /home/boxd/a/b /tmp/c\n',
          );
          await client.machines.files.upload(id, "/home/boxd/run", script);
          expect(await sh("sh ~/run && cat /tmp/c && hello && exit 3")).toEqual({
            stdout: "/home/boxd\nhello from /home/.machine/bin/hello in /home/boxd\n",
            stderr: "",
            exitCode: 3,
            success: false,
          });
          expect(Buffer.from(await client.machines.files.download(id, "/tmp/c")).toString()).toBe("/home/boxd\n");
        },
      ));

    test("a boot changes the boot id and keeps what was synced; a stop ends every process", () =>
      withMachine({ mounts: true }, async ({ sh, client, id, machine, read }) => {
        const bootId = async () => (await sh("cat /proc/sys/kernel/random/boot_id")).stdout;
        const first = await bootId();
        await sh("echo kept >a; sync");
        await sh("echo lost >b; sleep 300 >/dev/null 2>&1 &");
        expect(machine.processes()).not.toEqual([]);
        await client.machines.stop(id);
        await until(async () => (await read()).status === "stopped");
        expect(machine.processes()).toEqual([]);
        await client.machines.start(id);
        await until(async () => (await read()).status === "running");
        expect(await bootId()).not.toBe(first);
        expect((await sh("cat a b")).stdout).toBe("kept\n");
      }));
  },
);
