import { existsSync } from "node:fs";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const installed = existsSync(join(ROOT, "node_modules/@boxd-sh/sdk/package.json"));

/**
 * Every call that the driver makes, with the most arguments it ever passes. The SDK's own declarations must take them, and its client must be a
 * `BoxdClient` without a cast.
 */
const PROGRAM = `
import { Boxd } from "@boxd-sh/sdk";
import type { BoxdClient } from "../src/boxd/driver/client.ts";

export async function bind(): Promise<void> {
  const boxd = new Boxd({ apiKey: "bxd_x", baseURL: "https://boxd.sh:9443", maxRetries: 0 });
  const port: BoxdClient = boxd;
  const { id } = await boxd.machines.create({
    name: "a", org: "acme", image: "ubuntu", isolated: true, restartPolicy: "never", labels: { a: "b" }, config: { vcpu: 2, memory: "8G", disk: "100G" },
  });
  await boxd.machines.create({ name: "a", fromSnapshot: "base" });
  await boxd.machines.get(id);
  await boxd.machines.list({ org: "acme" });
  await boxd.machines.list({});
  await boxd.machines.start(id);
  await boxd.machines.stop(id);
  await boxd.machines.reboot(id);
  await boxd.machines.pause(id);
  await boxd.machines.resume(id);
  await boxd.machines.wake(id);
  await boxd.machines.exec(id, { command: "true", timeout: 1000 });
  await boxd.machines.streamExec(id, { command: "true", closeStdin: true }).wait();
  await boxd.machines.setDeleteAfter(id, 900);
  await boxd.machines.setAutoSuspendTimeout(id, 0);
  await boxd.machines.setAutoHibernateTimeout(id, 0);
  await boxd.machines.setEgressAllow(id, ["none"]);
  await boxd.machines.setBotProtection(id, false);
  await boxd.machines.files.upload(id, "/x", new Uint8Array());
  await boxd.machines.files.download(id, "/x");
  await boxd.machines.proxies.setPort(id, 8000);
  await boxd.machines.delete(id);
  await port.close();
}
`;

const title = "the SDK's declarations take every call that the driver makes";

test.skipIf(!installed)(installed ? title : `${title} (skipped: @boxd-sh/sdk is not installed)`, () => {
  const dir = mkdtempSync(join(ROOT, ".sdk-contract-"));
  try {
    writeFileSync(join(dir, "bind.ts"), PROGRAM);
    writeFileSync(
      join(dir, "tsconfig.json"),
      JSON.stringify({
        extends: "../tsconfig.json",
        compilerOptions: { exactOptionalPropertyTypes: false },
        include: ["bind.ts"],
      }),
    );
    const problems = typecheck(dir);
    expect(problems).toBe("");
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

/** What tsc says; empty when it is content. */
function typecheck(dir: string): string {
  try {
    execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", dir], {
      encoding: "utf8",
    });
    return "";
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error);
  }
}
