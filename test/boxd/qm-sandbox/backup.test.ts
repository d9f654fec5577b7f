import { describe, expect, test } from "vitest";
import { needsProcesses, Rig, skipWithoutProcesses } from "./rig.ts";
import type { BackupOptions } from "../../../src/boxd/qm-sandbox/index.ts";

const PLACES = [
  { path: ".config/acme", kind: "directory" as const },
  { path: ".acmerc", kind: "file" as const },
];

const FILL = [
  "mkdir -p src node/__pycache__ .cache/x .aws ~/.config/acme ~/.config/other ~/venv/bin ~/.cache ~/deep/.aws",
  "echo 1 > src/a.txt; printf 'n' > 'src/new\nline'; : > src/empty; echo c > node/__pycache__/m.pyc; echo c > .cache/x/y; echo k > .aws/credentials",
  "ln -s a.txt src/link; echo out > ~/outside; ln -s ~/outside src/out-link",
  "echo h > ~/.bashrc; echo g > ~/.config/gh/hosts.yml; echo a > ~/.config/acme/f; echo a > ~/.acmerc; echo o > ~/.config/other/f; echo v > ~/venv/bin/python; echo c > ~/.cache/f; echo k > ~/deep/.aws/k; echo n > ~/.netrc",
].join("\n");

describe.skipIf(skipWithoutProcesses)(`Q22 backup${needsProcesses}`, () => {
  async function names(options: BackupOptions, credentialPaths: typeof PLACES = []): Promise<string[]> {
    await using rig = new Rig({ credentialPaths });
    const handle = await rig.provision();
    expect((await rig.sandbox.run(handle, FILL)).code).toBe(0);
    const entries = await rig.sandbox.backupComputer(handle, options);
    // Nothing of it stays in the machine.
    expect((await rig.sandbox.run(handle, "ls /tmp | grep computer-backup")).code).toBe(1);
    return entries.map(({ area, path }) => `${area}:${path}`).sort();
  }

  test("both areas, without caches, credentials, links, or what belongs to neither", async () => {
    expect(await names({})).toEqual([
      "home:.acmerc",
      "home:.bashrc",
      "home:.config/acme/f",
      "home:.config/other/f",
      "home:outside",
      "workspace:src/a.txt",
      "workspace:src/empty",
      "workspace:src/new\nline",
    ]);
  });

  test("places for credentials are left out as well", async () => {
    expect((await names({ include: ["home"] }, PLACES)).filter((name) => /acme|gh|netrc/.test(name))).toEqual([]);
    const followed = await names({ include: ["home"], followSymlinks: true }, PLACES);
    expect(followed.filter((name) => /acme|gh|netrc/.test(name))).toEqual([]);
  });

  test("links are followed, caches kept and exclusions replaced when asked", async () => {
    expect(
      await names({
        include: ["workspace"],
        followSymlinks: true,
        keepContentCaches: true,
        exclude: ({ path }) => path.startsWith("src/a"),
      }),
    ).toEqual([
      "workspace:.aws/credentials",
      "workspace:.cache/x/y",
      "workspace:node/__pycache__/m.pyc",
      "workspace:src/empty",
      "workspace:src/link",
      "workspace:src/new\nline",
      "workspace:src/out-link",
    ]);
  });

  test("only the paths that are named; missing ones are nothing, ones that lead out an error", async () => {
    expect(await names({ include: ["workspace"], includePaths: ["src/a.txt", "none"] })).toEqual([
      "workspace:src/a.txt",
    ]);
    await using rig = new Rig();
    const handle = await rig.provision();
    await expect(rig.sandbox.backupComputer(handle, { includePaths: ["../.."] })).rejects.toThrow("..");
    expect(
      await rig.sandbox.backupComputer({ ...handle, rootDir: "/home/boxd/none" }, { include: ["workspace"] }),
    ).toEqual([]);
  });

  test("a file that changes while it is read fails nothing, an archive that cannot be made does", async () => {
    const tar = (status: number): string => `#!/bin/sh\n/usr/bin/tar "$@"\n[ "$1" != -c ] || exit ${String(status)}\n`;
    for (const status of [1, 2]) {
      await using rig = new Rig({}, { tools: { tar: tar(status) } });
      const handle = await rig.provision();
      await rig.sandbox.writeFile(handle, "f", "x");
      const attempt = rig.sandbox.backupComputer(handle, { include: ["workspace"] });
      if (status === 1) expect(await attempt).toHaveLength(1);
      else await expect(attempt).rejects.toThrow(/^boxd backup workspace qm-\S+: failed/);
    }
  });

  test("content arrives byte for byte, above the size of one message", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    const data = new Uint8Array(5 * 1024 * 1024).map((_value, index) => (index * 13) % 256);
    await rig.sandbox.writeFileBytes(handle, "big", data);
    const [entry] = await rig.sandbox.backupComputer(handle, { include: ["workspace"] });
    expect(Buffer.compare(entry?.data ?? new Uint8Array(), data)).toBe(0);
  });
});

describe.skipIf(skipWithoutProcesses)(`credential links${needsProcesses}`, () => {
  test("lead to ephemeral storage that only the user reads; what stood there is kept aside", async () => {
    await using rig = new Rig({ credentialPaths: PLACES });
    const plain = rig.another({ credentialPaths: [] });
    const before = await plain.provision([{ scopeId: "channel:C123", mountPath: "", mode: "rw" }]);
    await plain.run(before, "mkdir -p ~/.config/acme; echo old > ~/.config/acme/hosts.yml; ln -s /elsewhere ~/.acmerc");
    const handle = await rig.provision();
    const { stdout } = await rig.sandbox.run(
      handle,
      [
        "readlink ~/.config/acme ~/.acmerc ~/.aws ~/.netrc",
        "stat -c %a /tmp/agent-creds",
        "echo token > ~/.config/acme/hosts.yml; cat /tmp/agent-creds/.config/acme/hosts.yml",
        "cat ~/.displaced-credentials/.config/acme.*/hosts.yml; readlink ~/.displaced-credentials/.acmerc.*",
      ].join("\n"),
    );
    expect(stdout).toBe(
      [".config/acme", ".acmerc", ".aws", ".netrc"].map((path) => `/tmp/agent-creds/${path}\n`).join("") +
        "700\ntoken\nold\n/elsewhere\n",
    );
  });

  test("a storage that others can look into is closed, one that is a link is replaced", async () => {
    await using rig = new Rig({ credentialPaths: PLACES });
    const handle = await rig
      .another({ credentialPaths: [] })
      .provision([{ scopeId: "channel:C123", mountPath: "", mode: "rw" }]);
    await rig.sandbox.run(handle, "mkdir -m 777 /tmp/agent-creds");
    await rig.provision();
    expect(
      (
        await rig.sandbox.run(
          handle,
          "stat -c %a /tmp/agent-creds /tmp/agent-creds/.config /tmp/agent-creds/.config/gh",
        )
      ).stdout,
    ).toBe("700\n700\n700\n");
    await rig.sandbox.run(handle, "rm -rf /tmp/agent-creds; mkdir ~/open; ln -s ~/open /tmp/agent-creds");
    await rig.provision();
    expect((await rig.sandbox.run(handle, "stat -c %F /tmp/agent-creds; ls ~/open")).stdout).toBe("directory\n");
  });

  test("are made again after a reboot, when the storage is empty, and otherwise left alone", async () => {
    await using rig = new Rig({ credentialPaths: PLACES });
    const handle = await rig.provision();
    await rig.sandbox.run(handle, "echo token > ~/.config/gh/t");
    await rig.provision();
    expect((await rig.sandbox.run(handle, "cat ~/.config/gh/t; ls -A ~ | grep -c displaced")).stdout).toBe(
      "token\n0\n",
    );
    await rig.sandbox.restartComputer("channel:C123");
    await rig.provision();
    expect(
      (await rig.sandbox.run(handle, "ls ~/.config/gh; echo new > ~/.config/gh/t && cat ~/.config/gh/t")).stdout,
    ).toBe("new\n");
  });
});
