import { createHash, randomBytes } from "node:crypto";
import { expectSame, shell, type SmokeStep } from "./step.ts";

const FIVE_MIB = 5 * 1024 * 1024;

/** A file above the control plane's message size, up and down, compared by SHA-256 on both sides. */
export const FILE_STEPS: readonly SmokeStep[] = [
  {
    title: "send and fetch a file of 5 MiB",
    limitMs: 180_000,
    async run(context, budget) {
      const { driver, id } = context;
      const path = `${driver.home}/qm-deploy-smoke.bin`;
      const content = randomBytes(FIVE_MIB);
      await driver.upload(id, path, content, {}, budget);
      const { stdout } = await shell(context, budget, `sha256sum < "${path}"`);
      expectSame("SHA-256 on the machine", sha256(content), stdout.slice(0, 64));
      const back = await driver.download(id, path, budget);
      expectSame("SHA-256 after fetching it", sha256(content), back === null ? null : sha256(back));
      expectSame(
        "a file that is not there",
        null,
        (await driver.download(id, `${path}.missing`, budget)) === null ? null : "content",
      );
    },
  },
];

function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
