/** Opt-in: `BOXD_LIVE_TEST=1 BOXD_API_KEY=bxd_… OPENENV_IMAGE=… npx vitest run test/openenv/live.test.ts`, with `@boxd-sh/sdk` installed. It makes and deletes a machine. */
import { expect, test } from "vitest";
import { isErrorKind, MachineDriver, openBoxd } from "../../../src/boxd/driver/index.ts";

import { BoxdProvider, EnvClient } from "../../../src/boxd/openenv/index.ts";

const KEY = process.env["BOXD_API_KEY"] ?? "";
const IMAGE = process.env["OPENENV_IMAGE"] ?? "";
const isOff = process.env["BOXD_LIVE_TEST"] !== "1" || KEY === "" || IMAGE === "";

test.skipIf(isOff)(
  "live: an episode on boxd itself, the metadata address unreachable, nothing left (needs BOXD_LIVE_TEST=1, BOXD_API_KEY and OPENENV_IMAGE)",
  async () => {
    const opened = await openBoxd({ apiKey: KEY });
    const driver = new MachineDriver({ client: opened.client, secrets: [KEY] });
    const provider = new BoxdProvider({
      public: true,
      image: IMAGE,
      client: opened.client,
      apiKey: KEY,
      deleteAfterSeconds: 1_800,
    });
    let id = "";
    try {
      const client = await EnvClient.fromProvider(provider);
      id = provider.machineId;
      expect(await client.reset()).toHaveProperty("observation");
      expect(await client.state()).toHaveProperty("step_count");
      // From the machine; docker leads a container of its default network through it.
      const metadata = await driver.exec(
        id,
        { command: "curl -s -m 5 http://169.254.169.254/" },
        { timeoutMs: 60_000 },
      );
      expect(metadata.ended === "exit" && metadata.exitCode === 0, "the metadata address answered").toBe(false);
      await client.close();
      expect(await driver.isGone(id)).toBe(true);
    } catch (error) {
      expect(isErrorKind(error, "auth"), "the key is refused").toBe(false);
      throw error;
    } finally {
      await provider.close();
      await opened.close();
    }
  },
  1_200_000,
);
