import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { ensureBuilt } from "../../scripts/build.mjs";
import { makeTree } from "../../scripts/release-tree/gate.mjs";
import { commitAll, git } from "../support/git.ts";

await ensureBuilt({ types: true });

/** The tag that the tree is served under. */
export const TAG = "v0.1.0";

/** The release tree as a repository that others clone from, tagged. */
export const SERVED = realpathSync(mkdtempSync(join(tmpdir(), "qm-deploy-served-")));

await makeTree(SERVED);
commitAll(SERVED);
git(SERVED, "tag", TAG);
afterAll(() => rmSync(SERVED, { recursive: true, force: true }));
