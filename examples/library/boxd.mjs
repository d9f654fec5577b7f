/**
 * A machine from create to confirmed deletion. With `@boxd-sh/sdk` installed and BOXD_API_KEY set: `node boxd.mjs`.
 * Without an account, against the fake of the tests: `npm run example:boxd`.
 */
import { pathToFileURL } from "node:url";
import { MachineDriver, openBoxd } from "qm-deploy/boxd";

export async function main(client) {
  const driver = new MachineDriver({ client });
  const machine = await driver.createOwned({ namePrefix: "example", isolated: true, expiry: { afterSeconds: 900 } });
  try {
    await driver.upload(machine.id, "/home/boxd/words.txt", "one\ntwo\n");
    console.log(
      await driver.exec(machine.id, { command: "wc -l <words.txt; exit 3", cwd: "/home/boxd" }, { timeoutMs: 10_000 }),
    );
    console.log(
      (await driver.suspend(machine.id)).status,
      "and woken:",
      (await driver.ensureRunning(machine.id)).status,
    );
  } finally {
    console.log(await driver.deleteConfirmed(machine.id));
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const opened = await openBoxd({ apiKey: process.env.BOXD_API_KEY ?? "" });
  await main(opened.client).finally(() => opened.close());
}
