import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { playgroundExamples } from "../playground/examples.mjs";
import { ROOT } from "../sources.mjs";
import { terminalSvg } from "./terminal-svg.mjs";

/** What is typed in the picture. */
const ARGUMENTS = ["check", "--quiet"];

/** The picture of a check of the draft with mistakes, from what the built program prints. */
export function terminalPicture() {
  const cwd = mkdtempSync(join(tmpdir(), "qm-deploy-picture-"));
  try {
    const [{ config, files }] = playgroundExamples();
    for (const [path, text] of Object.entries({ "qm.config.jsonc": config, ...files })) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [join(ROOT, "dist", "bin", "qm-deploy.cjs"), ...ARGUMENTS],
      { cwd, encoding: "utf8", env: { PATH: process.env.PATH, FORCE_COLOR: "1" } },
    );
    if (status !== 1) throw new Error(`the check of the draft ended with ${status}: ${stderr}`);
    return terminalSvg(`\u001b[2m$\u001b[22m \u001b[1mqm-deploy ${ARGUMENTS.join(" ")}\u001b[22m\n${stdout}`, {
      title: "qm-deploy check on a terminal",
      description: stdout
        .replaceAll(/\u001b\[[\d;]*m/g, "")
        .trim()
        .split("\n")
        .at(-1),
    });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
