import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readEnvFile } from "../../src/envfile/index.ts";
import { privateJwkProblem } from "../../src/rules/envfile/jwk.ts";
import { HAS_TERMINAL, onTerminal } from "../support/terminal.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { BIN, plainEnv, type Ran } from "./built.ts";
import { runInProcess } from "./in-process.ts";
import { soundConfig } from "./deployments.ts";

const NAME = "qm.config.jsonc";
const KEY = "bx_live_2f8c1d9e7a6b5c4d3e2f1a0b9c8d7e6f";

function deployment(env?: string, more: object = {}): string {
  return tempDirectory({ [NAME]: soundConfig(more), ...(env === undefined ? {} : { ".env": env }) });
}

function envOf(cwd: string): string {
  return readFileSync(join(cwd, ".env"), "utf8");
}

const modeOf = (cwd: string): number => statSync(join(cwd, ".env")).mode & 0o777;

describe("secrets set", () => {
  test("makes a .env for its owner alone, and says nothing of the value", async () => {
    const cwd = deployment();
    const { status, stdout, stderr } = await runInProcess(["secrets", "set", "BOXD_API_KEY"], {
      cwd,
      input: `${KEY}\n`,
    });
    expect([status, stdout, stderr]).toEqual([0, "set BOXD_API_KEY in .env\n", ""]);
    expect(envOf(cwd)).toBe(`BOXD_API_KEY=${KEY}\n`);
    expect(modeOf(cwd)).toBe(0o600);
  });

  test("says what hands another value to what reads it", async () => {
    const cwd = deployment("CORE_SIGNING_SECRET=a-former-value-of-thirty-two-letters\n");
    const { status, stderr } = await runInProcess(["secrets", "set", "CORE_SIGNING_SECRET"], {
      cwd,
      input: "0f".repeat(32),
    });
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /former value of CORE_SIGNING_SECRET[^]*\n {2}qm-deploy render --secrets\n {2}docker compose .*up/,
    );
    const again = await runInProcess(["secrets", "set", "CORE_SIGNING_SECRET"], { cwd, input: "0f".repeat(32) });
    expect(again.stderr).toBe("");
  });

  test("replaces what is kept for ever only by --force: no other copy of the former value may be left", async () => {
    const env = `CONNECTOR_SECRET_KEY=${"3e".repeat(32)}\n`;
    const cwd = deployment(env);
    const input = "4f".repeat(32);
    const { status, stderr } = await runInProcess(["secrets", "set", "CONNECTOR_SECRET_KEY"], { cwd, input });
    expect([status, envOf(cwd)]).toEqual([1, env]);
    expect(stderr).toContain("--force replaces it");
    expect((await runInProcess(["secrets", "set", "CONNECTOR_SECRET_KEY", "--force"], { cwd, input })).status).toBe(0);
    expect(envOf(cwd)).toBe(`CONNECTOR_SECRET_KEY=${input}\n`);
  });

  test("replaces in place, takes later duplicates out, keeps comments and line ends", async () => {
    const cwd = deployment(
      "# ours\r\nexport BOXD_API_KEY=old\r\n\r\n# the rest\r\nANTHROPIC_API_KEY=x\r\nBOXD_API_KEY=older\r\n",
    );
    chmodSync(join(cwd, ".env"), 0o644);
    expect((await runInProcess(["secrets", "set", "BOXD_API_KEY"], { cwd, input: KEY })).status).toBe(0);
    expect(envOf(cwd)).toBe(`# ours\r\nexport BOXD_API_KEY=${KEY}\r\n\r\n# the rest\r\nANTHROPIC_API_KEY=x\r\n`);
    expect(modeOf(cwd)).toBe(0o600);
  });

  test.each([
    ["as a second argument", ["BOXD_API_KEY", KEY]],
    ["behind the name", [`BOXD_API_KEY=${KEY}`]],
    ["that begins with a hyphen", ["BOXD_API_KEY", `-${KEY}`]],
    ["that is a private key", ["AUTH_SIGNING_JWK", `-----BEGIN PRIVATE KEY-----\n${KEY}\n-----END PRIVATE KEY-----`]],
    ["that looks like an option", ["BOXD_API_KEY", `--${KEY}`]],
    ["before the name", [`--${KEY}`, "BOXD_API_KEY"]],
    ["of an option that takes none", ["BOXD_API_KEY", `--generate=${KEY}`]],
    ["behind `--`", ["BOXD_API_KEY", "--", `-${KEY}`]],
    ["in the place of the name", [`--${KEY}`]],
  ])("a value %s is refused and not repeated", async (_, args) => {
    const cwd = deployment();
    const { status, stdout, stderr } = await runInProcess(["secrets", "set", ...args], { cwd, input: "x\n" });
    expect(status).toBe(2);
    expect(stderr).toContain("stdin");
    expect(stdout + stderr).not.toContain(KEY);
    expect(existsSync(join(cwd, ".env"))).toBe(false);
  });

  test("a misspelt option is taken for what was meant, not for a value", async () => {
    const cwd = deployment();
    const { status, stderr } = await runInProcess(["secrets", "set", "CAPABILITY_SECRET", "--genrate"], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("did you mean --generate?");
    expect(stderr).not.toContain("genrate");
  });

  test.each([
    ["blank", "BOXD_API_KEY", " \n", "blank"],
    ["too short", "CAPABILITY_SECRET", "short\n", "env-file/too-short"],
    ["a placeholder", "BOXD_API_KEY", "replace-me\n", "env-file/placeholder"],
    ["NUL", "BOXD_API_KEY", "abc\0d", "NUL"],
    ["no text", "BOXD_API_KEY", Buffer.from([0x61, 0xff]), "UTF-8"],
    ["what qm's reader cannot carry", "BOXD_API_KEY", "a'b\"c\nd$e`f\\n\n", "in the way"],
    ["in its quotes", "BOXD_API_KEY", `"${KEY}"\n`, "env-file/unsendable-key"],
    ["behind its name", "BOXD_API_KEY", `BOXD_API_KEY=${KEY}\n`, "env-file/unsendable-key"],
    ["two lines", "BOXD_API_KEY", `${KEY}\n${KEY}\n`, "env-file/unsendable-key"],
    ["before a tab", "BOXD_API_KEY", `${KEY}\t\n`, "env-file/unsendable-key"],
    ["behind a space", "BOXD_API_KEY", ` ${KEY}\n`, "env-file/unsendable-key"],
    ["no ASCII", "BOXD_API_KEY", "zażółć\n", "env-file/unsendable-key"],
    ["before an escape", "BOXD_API_KEY", `${KEY}\\n`, "env-file/unsendable-key"],
    ["two words", "ANTHROPIC_API_KEY", "sk-ant-acme BBBB\n", "env-file/unsendable-key"],
  ])("a value that is %s is refused by name", async (_, name, input, says) => {
    const cwd = deployment("A=1\n");
    const { status, stderr } = await runInProcess(["secrets", "set", name], { cwd, input });
    expect(status).toBe(1);
    expect(stderr).toContain(says);
    expect(envOf(cwd)).toBe("A=1\n");
  });

  test("--force writes what only the rules mind", async () => {
    const cwd = deployment();
    expect(
      (await runInProcess(["secrets", "set", "CAPABILITY_SECRET", "--force"], { cwd, input: "short" })).status,
    ).toBe(0);
    expect(envOf(cwd)).toBe("CAPABILITY_SECRET=short\n");
  });

  test("one value for two keys is refused", async () => {
    const cwd = deployment(`CORE_SIGNING_SECRET=${"5e".repeat(32)}\n`);
    const { status, stderr } = await runInProcess(["secrets", "set", "CAPABILITY_SECRET"], {
      cwd,
      input: "5e".repeat(32),
    });
    expect(status).toBe(1);
    expect(stderr).toContain("env-file/reused-value");
    expect(stderr).not.toContain("5e5e");
  });

  test("a name that nothing consumes is written with a warning that says what was meant", async () => {
    const cwd = deployment();
    const { status, stderr } = await runInProcess(["secrets", "set", "BOXD_API_KEYS"], { cwd, input: KEY });
    expect(status).toBe(0);
    expect(stderr).toContain("env-file/unused-name");
    expect(stderr).toContain("did you mean `BOXD_API_KEY`?");
  });

  test("a name in other letters is said to be another name, be it that the right one has a value", async () => {
    const cwd = deployment(`BOXD_API_KEY=${KEY}\n`);
    const { stderr } = await runInProcess(["secrets", "set", "boxd_api_key"], { cwd, input: KEY });
    expect(stderr).toContain("did you mean `BOXD_API_KEY`?");
  });

  test("a fault that the former value had as well is still one", async () => {
    const cwd = deployment("CAPABILITY_SECRET=short\n");
    const { status, stderr } = await runInProcess(["secrets", "set", "CAPABILITY_SECRET"], { cwd, input: "shorter" });
    expect([status, envOf(cwd)]).toEqual([1, "CAPABILITY_SECRET=short\n"]);
    expect(stderr).toContain("env-file/too-short");
  });

  test("many at once lose no write", async () => {
    const cwd = deployment("# ours\n");
    const names = ["A_TOKEN", "B_TOKEN", "C_TOKEN", "D_TOKEN"];
    const ends = names.map(
      (name) =>
        new Promise((done) => {
          const child = spawn(process.execPath, [BIN, "secrets", "set", name], { cwd, env: plainEnv() }).on(
            "close",
            done,
          );
          child.stdin.end(`${name}-value-1`);
        }),
    );
    expect(await Promise.all(ends)).toEqual([0, 0, 0, 0]);
    expect([...readEnvFile(envOf(cwd)).values.keys()].sort()).toEqual(names);
  });

  test("a .env that is a link is left alone", async () => {
    const cwd = deployment();
    symlinkSync("elsewhere", join(cwd, ".env"));
    const { status, stderr } = await runInProcess(["secrets", "set", "BOXD_API_KEY"], { cwd, input: KEY });
    expect(status).toBe(2);
    expect(stderr).not.toContain(KEY);
    expect(existsSync(join(cwd, "elsewhere"))).toBe(false);
  });

  test("--env-file names the file; no deployment ends with 2", async () => {
    const cwd = deployment();
    expect(
      (await runInProcess(["secrets", "set", "BOXD_API_KEY", "--env-file", "prod.env"], { cwd, input: KEY })).status,
    ).toBe(0);
    expect(readFileSync(join(cwd, "prod.env"), "utf8")).toBe(`BOXD_API_KEY=${KEY}\n`);
    expect((await runInProcess(["secrets", "set", "BOXD_API_KEY"], { cwd: tempDirectory(), input: KEY })).status).toBe(
      2,
    );
  });
});

describe("secrets set --generate", () => {
  test("makes random keys and a signing key that the rules accept, and shows neither", async () => {
    const cwd = deployment(undefined, {
      services: ["core", "web-ui", "portal", "auth"],
      env: { auth: { AUTH_EMAIL_TRANSPORT: "resend" } },
    });
    const printed: Ran[] = [];
    for (const name of ["CORE_SIGNING_SECRET", "CAPABILITY_SECRET", "AUTH_SIGNING_JWK"])
      printed.push(await runInProcess(["secrets", "set", name, "--generate"], { cwd }));
    expect(printed.map(({ status }) => status)).toEqual([0, 0, 0]);
    const { values } = readEnvFile(envOf(cwd));
    expect(values.get("CORE_SIGNING_SECRET")).toMatch(/^[0-9a-f]{64}$/);
    expect(values.get("CAPABILITY_SECRET")).not.toBe(values.get("CORE_SIGNING_SECRET"));
    expect(privateJwkProblem(values.get("AUTH_SIGNING_JWK") ?? "")).toBeNull();
    const all = printed.map(({ stdout, stderr }) => stdout + stderr).join("");
    for (const value of values.values()) expect(all).not.toContain(value);
  });

  test("replaces no value without --force, and makes no key of somebody else", async () => {
    const old = `CORE_SIGNING_SECRET=${"7a".repeat(32)}\n`;
    const cwd = deployment(old);
    expect((await runInProcess(["secrets", "set", "CORE_SIGNING_SECRET", "--generate"], { cwd })).status).toBe(1);
    expect((await runInProcess(["secrets", "set", "BOXD_API_KEY", "--generate"], { cwd })).status).toBe(1);
    expect(envOf(cwd)).toBe(old);
    const filled = deployment(`BOXD_API_KEY=${KEY}\n`);
    const { stderr } = await runInProcess(["secrets", "set", "BOXD_API_KEY", "--generate"], { cwd: filled });
    expect(stderr).toMatch(/cannot be made here(?![^]*--force)/);
    expect(
      (await runInProcess(["secrets", "set", "CORE_SIGNING_SECRET", "--generate", "--force"], { cwd })).status,
    ).toBe(0);
    expect(envOf(cwd)).not.toBe(old);
  });
});

describe("on a terminal", () => {
  test.skipIf(!HAS_TERMINAL)("asks, and echoes nothing (needs python3 for a terminal)", () => {
    const cwd = deployment();
    const { status, screen } = onTerminal(
      [process.execPath, BIN, "secrets", "set", "BOXD_API_KEY"],
      [["not shown", `${KEY}\r`]],
      { cwd, env: plainEnv() },
    );
    expect(screen).toContain("BOXD_API_KEY");
    expect(screen).not.toContain(KEY.slice(0, 8));
    expect(screen).not.toContain("•");
    expect(status).toBe(0);
    expect(envOf(cwd)).toBe(`BOXD_API_KEY=${KEY}\n`);
  });

  test.skipIf(!HAS_TERMINAL).each(["xterm", "dumb"])(
    "shows no value on a %s terminal, and ends with Ctrl-C",
    (term) => {
      const cwd = deployment();
      const set = [process.execPath, BIN, "secrets", "set", "BOXD_API_KEY"];
      const env = { ...plainEnv(), TERM: term };
      const stopped = onTerminal(set, [["not shown", "\u0003"]], { cwd, env });
      expect(stopped.status, stopped.screen).toBe(130);
      const { status, screen } = onTerminal(set, [["not shown", `${KEY}\r`]], { cwd, env });
      expect(status, screen).toBe(0);
      expect(screen).not.toContain(KEY.slice(0, 8));
      expect(screen.includes("\u001b")).toBe(term !== "dumb");
      expect(envOf(cwd)).toBe(`BOXD_API_KEY=${KEY}\n`);
    },
  );
});
