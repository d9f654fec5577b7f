import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../cli/built.ts";
import { bringUp, takeDown } from "./walk.ts";

/** qm's own command line needs it. */
const NODE_24 = process.env["QM_DEPLOY_NODE_24"];
const QM = join(ROOT, "node_modules/@yc-software/qm/dist/bin/qm.js");

describe.skipIf(NODE_24 === undefined)("qm 0.1.12 itself (skipped without QM_DEPLOY_NODE_24)", () => {
  test.each(["docker-boxd", "fly-boxd", "aws-lambda"])("%s: knows every command that the page gives it", (example) => {
    const stage = bringUp({ example, release: "0.1.12", shell: "bash" });
    takeDown(stage);
    // No program is there for it to call, so that it ends where its own part ends.
    const nowhere = mkdtempSync(join(tmpdir(), "qm-nowhere-"));
    const calls = stage.world.calls.filter(([name]) => name === "npx").map(([, _no, _qm, ...argv]) => argv);
    const ends = calls.map((argv) => {
      const env = { PATH: nowhere, HOME: nowhere };
      const { status, stdout, stderr } = spawnSync(NODE_24 ?? "", [QM, ...argv], {
        cwd: stage.directory,
        encoding: "utf8",
        env,
        timeout: 240_000,
      });
      expect(`${stdout}${stderr}`, argv.join(" ")).not.toMatch(
        /unknown (?:flag|command|option|top-level)|usage:|invalid/i,
      );
      return [argv.slice(0, 2).join(" "), status, stdout] as const;
    });
    expect(ends.length).toBeGreaterThan(0);
    const logins = ends.filter(([what]) => what.startsWith("admin-login"));
    expect(logins).toHaveLength(example === "docker-boxd" ? 0 : 1);
    for (const [, status, stdout] of logins) {
      expect(status).toBe(0);
      expect(stdout).toMatch(/^https:\/\/[\w.-]+\/auth\/admin-login#token=/);
    }
  });
});
