/** A program as an operator would write it, on the public surface alone; `sdk.test.ts` bundles it and runs it in plain Node. */
import { createBoxdSandbox, readBoxdSettings, type WorkspaceSource } from "../../../src/boxd/qm-sandbox/index.ts";

const workspace: WorkspaceSource = { scopeDir: () => "/", list: () => Promise.resolve([]) };

async function main(): Promise<void> {
  await using sandbox = createBoxdSandbox(workspace, {
    ...readBoxdSettings(process.env),
    driver: { times: { pollMs: 20 } },
  });
  const handle = await sandbox.provision([{ scopeId: "demo", mountPath: "", mode: "rw" }], {
    env: { GREETING: "hello" },
  });
  const { stdout } = await sandbox.run(handle, "echo $GREETING from $PWD");
  process.stdout.write(stdout);
  await sandbox.teardown(handle, { destroy: true });
}

main().catch((error: unknown) => {
  process.stdout.write(`${String(error)}\n`);
  process.exitCode = 1;
});
