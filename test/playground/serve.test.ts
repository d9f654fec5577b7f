/** What serves the page on this machine, against addresses that no browser sends. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveFolder } from "../../scripts/playground/serve.mjs";

const outer = mkdtempSync(join(tmpdir(), "qm-deploy-serve-"));
const folder = join(outer, "dist");
let served: Awaited<ReturnType<typeof serveFolder>>;

beforeAll(async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, "index.html"), "the page");
  writeFileSync(join(outer, "secret"), "not of the page");
  served = await serveFolder(folder);
});

afterAll(async () => {
  await served.close();
  rmSync(outer, { recursive: true, force: true });
});

/** The status for a path that is sent as it stands. */
function statusOf(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(served.address, { path }, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end();
  });
}

test.each(["/%", "//", "/%00", "/../secret", "/%2e%2e/secret", "/..%2fsecret", "/nothing"])(
  "%s is not found, and the page is served on",
  async (path) => {
    expect(await statusOf(path)).toBe(404);
    expect(await statusOf("/")).toBe(200);
  },
);
