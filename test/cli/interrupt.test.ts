import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hangingProgram } from "../support/hanging-program.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { BIN, plainEnv, type Ran } from "./built.ts";

const CONFIG = JSON.stringify({
  contract: 1,
  orgId: "acme",
  publicUrl: "https://qm.acme.dev",
  target: "docker",
  services: ["core", "web-ui"],
  sandbox: { backend: "boxd" },
});

describe.skipIf(process.platform === "win32")("an interrupt while git hangs", () => {
  const COMMANDS: readonly (readonly [command: string, args: readonly string[]])[] = [
    ["diff", ["diff", "HEAD:"]],
    ["init", ["init", "acme"]],
    ["doctor", ["doctor"]],
  ];

  test.each(
    COMMANDS.flatMap(([command, args]) =>
      (["SIGINT", "SIGTERM"] as const).map((signal) => [command, signal, args] as const),
    ),
  )("ends %s and git (%s)", async (command, signal, args) => {
    const git = hangingProgram("git");
    const cwd = tempDirectory(command === "init" ? {} : { "qm.config.jsonc": CONFIG });
    const before = readdirSync(cwd);
    const child = spawn(process.execPath, ["--", BIN, ...args], { cwd, env: plainEnv({ PATH: git.path }) });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => void (stderr += chunk.toString()));
    const ended = new Promise<Ran["status"]>((resolve) => child.on("close", resolve));
    await git.started();
    child.kill(signal);
    expect(await ended).toBe(signal === "SIGINT" ? 130 : 143);
    expect(stderr).toBe("error: interrupted\n");
    await git.ended();
    expect(readdirSync(cwd)).toEqual(before);
  });
});
