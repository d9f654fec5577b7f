/** I7 (docs/contract/boxd-behaviours.md) through the provider and the client: whatever carries bytes carries them whole or fails, at the sizes where messages and parts end. */
import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BoxdProvider, EnvClient } from "../../../src/boxd/openenv/index.ts";
import { scenarios, type Fault, type Strike } from "../../support/boxd-fake/index.ts";
import { tempDirectory } from "../../workspace/temp.ts";
import { cannotRun, needs, Rig, thrown } from "./rig.ts";
import { BYTE_SIZES } from "../../support/byte-sizes.ts";

const MIB = 1024 * 1024;
const UPLOAD = "machines.files.upload";

function sha256(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** An image with a context of one file of `size` bytes, and a Dockerfile of that size too where a Dockerfile can have it. */
function imageOf(size: number): { image: string; sums: unknown } {
  const root = tempDirectory({ "server/Dockerfile": "" });
  const data = randomBytes(size);
  const head = "FROM x\nCOPY data /\n#";
  const dockerfile = head + "x".repeat(Math.max(0, size - head.length));
  writeFileSync(join(root, "data"), data);
  writeFileSync(join(root, "server/Dockerfile"), dockerfile);
  const sums = {
    context: { data: sha256(data), "server/Dockerfile": sha256(dockerfile) },
    dockerfile: sha256(dockerfile),
  };
  return { image: BoxdProvider.imageFromDockerfile(join(root, "server/Dockerfile")), sums };
}

/** Variables whose file (`NAME=value`, a line each) has exactly `size` bytes. */
function envOf(size: number): Record<string, string> {
  const line = 60_000;
  const count = Math.max(1, Math.ceil(size / line));
  const names = Array.from({ length: count }, (_, at) => `V${at}`);
  const lengths = names.map((_, at) => (at < count - 1 ? line : size - line * (count - 1)));
  return Object.fromEntries(
    names.map((name, at) => [name, "v".repeat(Math.max(0, (lengths[at] ?? 0) - name.length - 2))]),
  );
}

describe.skipIf(cannotRun)(`I7 bytes arrive as they are${needs}`, () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
  });
  afterEach(async () => {
    await rig[Symbol.asyncDispose]();
    expect(rig.plane.survivors()).toEqual([]);
  });

  test.each(BYTE_SIZES)("I7 a build context with a file of %i bytes, and a Dockerfile of as many", async (size) => {
    const { image, sums } = imageOf(size);
    await rig.provider().startContainer(image);
    expect(rig.dockerFile("sums")).toEqual(sums);
  });

  test.each([5, 3 * MIB - 1, 3 * MIB, 3 * MIB + 1, 4 * MIB, 5 * MIB])(
    "I7 a file of %i bytes with the container's environment",
    async (size) => {
      const envVars = envOf(size);
      const file = Object.entries(envVars)
        .map(([name, value]) => `${name}=${value}\n`)
        .join("");
      expect(file.length).toBe(size);
      await rig.provider({ envVars }).startContainer();
      expect(rig.dockerFile("env-sum")).toBe(sha256(file));
    },
  );

  const LAST = 2;
  /** The file on the machine really lacks its end; the answer says so, or claims that it does not. */
  const shortened = (claims: boolean, strike: Strike): Fault => ({
    ...strike,
    method: UPLOAD,
    change: (written, [id, path, bytes]) => {
      rig.plane.find(id as string).upload(path as string, (bytes as Uint8Array).subarray(0, -1));
      return claims ? written : (written as number) - 1;
    },
  });
  const passing: [string, () => Fault][] = [
    ["an upload that reports too few bytes", () => scenarios.shortUpload({ nth: LAST })],
    ["an upload that wrote too few bytes and says so", () => shortened(false, { nth: LAST })],
    ["a refused upload", () => scenarios.refused(UPLOAD, 14, "unavailable", { nth: LAST })],
    ["a lost answer (4) of an upload", () => scenarios.answerLost(UPLOAD, 4, { nth: LAST })],
    ["a lost answer (14) of an upload", () => scenarios.answerLost(UPLOAD, 14, { nth: LAST })],
    [
      "a lost answer of the step that puts parts together",
      () => scenarios.answerLost("machines.exec", 14, { where: isAssembly }),
    ],
    ["no exit status of the step that puts parts together", () => scenarios.exitStatusLost({ where: isAssembly })],
  ];
  test.each(passing)("I7 a context of two parts survives %s", async (_name, fault) => {
    const { image, sums } = imageOf(3 * MIB + 1);
    rig.plane.faults.inject(fault());
    await rig.provider().startContainer(image);
    expect(rig.dockerFile("sums")).toEqual(sums);
    expect(rig.plane.faults.unused()).toEqual([]);
  });

  const lasting: [string, () => Fault][] = [
    ["uploads that always report too few bytes", () => scenarios.shortUpload({ nth: LAST, times: Infinity })],
    ["an upload that wrote too few bytes and claims all of them", () => shortened(true, { nth: LAST })],
    ["uploads that are never answered in time", () => scenarios.answerLost(UPLOAD, 4, { nth: LAST, times: Infinity })],
  ];
  test.each(lasting)("I7 nothing is built from a context that did not arrive: %s", async (_name, fault) => {
    const { image } = imageOf(3 * MIB + 1);
    rig.plane.faults.inject(fault());
    expect(await thrown(rig.provider().startContainer(image))).toMatchObject({ code: "START_FAILED" });
    expect(rig.ledger()).toEqual([]);
    expect(rig.plane.survivors()).toEqual([]);
    expect(rig.plane.faults.unused()).toEqual([]);
  });

  test("I7 messages of every size go over the client and come back, whatever characters they have", async () => {
    await using client = await EnvClient.fromProvider(rig.provider(), { connection: rig.connection });
    for (const size of BYTE_SIZES) {
      const message = `${size}-€ü"\\\u{1f600}\u0000 `
        .repeat(Math.ceil(size / 8))
        .slice(0, size)
        .toWellFormed();
      const { observation, reward } = await client.step({ message });
      expect([String(observation["echo"]).length, reward], String(size)).toEqual([size, size]);
      expect(sha256(String(observation["echo"])), String(size)).toBe(sha256(message));
    }
  });

  test("I7 an answer above the limit is refused whole, and ends the session", async () => {
    await using client = await EnvClient.fromProvider(rig.provider(), {
      connection: rig.connection,
      maxMessageBytes: 4 * MIB,
    });
    expect(await client.step({ message: "x".repeat(3 * MIB) })).toMatchObject({ reward: 3 * MIB });
    expect(await thrown(client.step({ message: "x".repeat(4 * MIB) }))).toMatchObject({
      name: "EnvError",
      code: "CONNECTION_LOST",
    });
    expect(await thrown(client.state())).toMatchObject({ code: "CONNECTION_LOST" });
  });
});

function isAssembly(args: readonly unknown[]): boolean {
  return (args[1] as { command: string }).command.includes("sha256sum");
}
