/** A program on the driver, to be killed: `node <bundle> <address> <operation> <argument>`. It says the handle of what it makes. */
import { MachineDriver } from "../../../src/boxd/driver/index.ts";
import { TEST_KEY } from "../../support/boxd-fake/index.ts";
import { Boxd } from "../../support/boxd-wire/sdk/index.ts";

const [baseURL = "", operation = "", argument = ""] = process.argv.slice(2);
const client = new Boxd({ apiKey: TEST_KEY, baseURL, maxRetries: 0 });
// The plane lists what is there at once; each look more is a call more to be killed at.
const driver = new MachineDriver({ client, org: "acme", times: { pollMs: 20, listingLagMs: 60 } });

const OPERATIONS: Record<string, () => Promise<unknown>> = {
  create: () =>
    driver.createOwned({
      expiry: { afterSeconds: 900, final: true },
      onHandle: ({ name }) => {
        process.stdout.write(`${name}\n`);
      },
    }),
  keep: () => driver.getOrCreate("qm-a", {}),
  exec: () => driver.exec(argument, { command: "echo x >>/home/boxd/run-0; sync", env: { A: "b" }, stdin: "c" }),
  delete: () => driver.deleteConfirmed(argument),
  deleteNamed: () => driver.deleteNamed(argument, undefined),
};

await OPERATIONS[operation]?.();
await client.close();
