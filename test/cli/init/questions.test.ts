import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { run } from "../../../src/cli/commands/init/init.ts";
import { INIT } from "../../../src/cli/commands/init/init.command.ts";
import { HAS_TERMINAL, onTerminal, type Typed } from "../../support/terminal.ts";
import { tempDirectory } from "../../workspace/temp.ts";
import { BIN, plainEnv } from "../built.ts";
import { fakeIo } from "../fake-io.ts";
import { everything, textOf } from "./directory.ts";

describe("questions", () => {
  /** A terminal that nobody may ask anything: reading from it fails the test. */
  function terminalIo(cwd: string, env: { readonly [name: string]: string }) {
    const refuse = (): never => {
      throw new Error("asked");
    };
    const stdin = { isTTY: true, [Symbol.asyncIterator]: refuse };
    const io = fakeIo([], { cwd, env, stdin });
    return Object.assign(io, { stdout: { ...io.stdout, isTTY: true } });
  }

  test.each([
    ["CI", { CI: "true" }, {}],
    ["--yes", {}, { yes: true as const }],
  ])("are never asked under %s", async (_name, env, options) => {
    const cwd = tempDirectory();
    const called = { args: [], options: { org: "acme", ...options }, command: INIT, commands: [INIT] };
    expect(await run({ io: terminalIo(cwd, env), ...called })).toBe(0);
    expect(existsSync(join(cwd, "qm.config.jsonc"))).toBe(true);
  });

  function asked(cwd: string, typed: readonly Typed[], args: readonly string[], env = {}) {
    return onTerminal([process.execPath, BIN, "init", ...args], typed, { cwd, env: { ...plainEnv(), ...env } });
  }

  test.skipIf(!HAS_TERMINAL)(
    "are asked on a terminal for what was not given, with answers ready (needs python3 for a terminal)",
    () => {
      const cwd = tempDirectory();
      const typed: readonly Typed[] = [
        ["Short name", "acme\r"],
        ["services run?", "\x1b[B\r"],
        ["release of qm?", "\r"],
        ["agents work?", "\r"],
        ["models do they use?", "\r"],
        ["e-mails sent?", "\r"],
        ["open qm?", "\r"],
      ];
      const { status, screen } = asked(cwd, typed, []);
      expect(status, screen).toBe(0);
      const config = textOf(cwd, "qm.config.jsonc");
      for (const part of [
        '"orgId": "acme"',
        '"target": "fly"',
        '"backend": "boxd"',
        '"publicUrl": "https://acme-portal.fly.dev"',
        '"AUTH_EMAIL_TRANSPORT": "resend"',
      ])
        expect(config).toContain(part);
    },
  );

  test.skipIf(!HAS_TERMINAL)(
    "can be left open where only the operator knows: the AWS account (needs python3 for a terminal)",
    () => {
      const cwd = tempDirectory();
      const { status, screen } = asked(
        cwd,
        [
          ["open qm?", "https://qm.acme.dev\r"],
          ["AWS account", "\r"],
        ],
        [
          "--org",
          "acme",
          "--target",
          "aws",
          "--release",
          "0.1.12",
          "--backend",
          "boxd",
          "--model-provider",
          "openai",
          "--email-transport",
          "smtp",
        ],
      );
      expect(status, screen).toBe(0);
      expect(screen).toContain("`aws.accountId`");
      expect(textOf(cwd, "qm.config.jsonc")).toContain('"publicUrl": "https://qm.acme.dev"');
    },
  );

  test.skipIf(!HAS_TERMINAL)(
    "are plain lines on a terminal that cannot move its cursor, and end with Ctrl-C all the same (needs python3 for a terminal)",
    () => {
      const cwd = tempDirectory();
      const given = [
        "--release",
        "0.1.12",
        "--backend",
        "boxd",
        "--model-provider",
        "openai",
        "--email-transport",
        "resend",
      ];
      const typed: readonly Typed[] = [
        ["Short name", "Acme!\n"],
        ["inner hyphens", "acme\n"],
        ["services run? [docker]", "mainframe\n"],
        ["answer with one of docker, fly, aws", "\n"],
        ["open qm?", "https://qm.acme.dev\n"],
      ];
      const { status, screen } = asked(cwd, typed, given, { TERM: "dumb" });
      expect(status, screen).toBe(0);
      expect(screen).not.toContain("\u001b");
      expect(screen).toContain("  fly (apps on Fly.io)");
      expect(textOf(cwd, "qm.config.jsonc")).toContain('"target": "docker"');
      const stopped = asked(tempDirectory(), [["Short name", "\u0003"]], given, { TERM: "dumb" });
      expect(stopped.status, stopped.screen).toBe(130);
      expect(stopped.screen).toContain("nothing was written");
    },
  );

  test.skipIf(!HAS_TERMINAL)("are plain lines where a terminal has no width (needs python3 for a terminal)", () => {
    const options = { cwd: tempDirectory(), env: plainEnv(), columns: 0 };
    const { status, screen } = onTerminal([process.execPath, BIN, "init"], [["Short name", "\u0003"]], options);
    expect(status, screen).toBe(130);
    expect(screen).not.toContain("\u001b");
  });

  test.skipIf(!HAS_TERMINAL)(
    "end with Ctrl-C and nothing written; what was given is not asked (needs python3 for a terminal)",
    () => {
      const cwd = tempDirectory();
      const { status, screen } = asked(cwd, [["services run?", "\x03"]], ["--org", "acme"]);
      expect(status).toBe(130);
      expect(screen).not.toContain("Short name");
      expect(screen).toContain("nothing was written");
      expect(everything(cwd)).toEqual([]);
    },
  );
});
