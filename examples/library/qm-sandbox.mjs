/**
 * What qm's core does with its sandbox backend: a computer for a scope, a command, a file, and its end. With `@boxd-sh/sdk` installed and BOXD_API_KEY set:
 * `node qm-sandbox.mjs`. Without an account, against the fake of the tests: `npm run example:qm-sandbox`.
 */
import { pathToFileURL } from "node:url";
import { createBoxdSandbox } from "qm-deploy/qm-sandbox";

const SCOPE = "channel:example";
/** No files of a deployment; core gives its own store. */
const workspace = { scopeDir: () => "/nowhere", list: async () => [] };

export async function main(options) {
  const sandbox = createBoxdSandbox(workspace, { namePrefix: "example", ...options });
  const handle = await sandbox.provision([{ scopeId: SCOPE, mountPath: "", mode: "rw" }]);
  try {
    console.log(await sandbox.run(handle, "echo kept >note.txt; cat note.txt; exit 3"));
  } finally {
    await sandbox.teardown(handle, { destroy: true });
    console.log("destroyed");
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await main({ apiKey: process.env.BOXD_API_KEY ?? "" });
