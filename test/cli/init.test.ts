import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { run } from "../../src/cli/commands/init.ts";
import { addFiles, tempDirectory } from "../workspace/temp.ts";
import { BIN, plainEnv, runCli } from "./built.ts";
import { fakeIo } from "./fake-io.ts";

const GIT = spawnSync("git", ["--version"]).status === 0;

function textOf(directory: string, path: string): string {
  return readFileSync(join(directory, path), "utf8");
}

function everything(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted();
}

describe("an empty directory", () => {
  test.each([
    ["docker", "boxd"],
    ["fly", "boxd"],
    ["aws", "boxd"],
    ["docker", "local"],
  ])("becomes a deployment on %s with %s that its own gate accepts once values are filled in", (target, backend) => {
    const cwd = tempDirectory();
    const made = runCli(["init", "acme", "--target", target, "--backend", backend, "--public-url", "https://qm.acme.dev", "--aws-account", "210987654321"], { cwd });
    expect(made.status).toBe(0);
    const directory = join(cwd, "acme");
    const env = textOf(directory, ".env");
    // Blank values are listed, and nothing that was made is shown.
    for (const [, name = "", value = ""] of env.matchAll(/^([A-Z_]+)=(.*)$/gm)) {
      if (value === "") expect(made.stdout).toContain(`  ${name} `);
      else expect(made.stdout + made.stderr).not.toContain(value);
    }
    expect(runCli(["render", "--check"], { cwd: directory })).toMatchObject({ status: 0 });
    writeFileSync(join(directory, ".env"), env.replaceAll(/^(ANTHROPIC_API_KEY|BOXD_API_KEY)=$/gm, "$1=sk-4f9a1c7e2b8d6035").replace(/^PUBLIC_API_URL=$/m, `PUBLIC_API_URL=https://${target === "aws" ? "qm" : "core"}.acme.dev`));
    const checked = runCli(["check", "--format", "json"], { cwd: directory });
    const { diagnostics } = JSON.parse(checked.stdout).deployments[0];
    expect(diagnostics.filter(({ severity }: { severity: string }) => severity === "error")).toEqual([]);
    expect(checked.status).toBe(0);
    if (backend === "boxd") expect(made.stdout).toContain("Core needs an image that implements boxd");
  });

  test("two deployments of one org get machines of different names", () => {
    const cwd = tempDirectory();
    const prefixes = ["one", "two"].map((name) => {
      runCli(["init", name, "--org", "acme"], { cwd });
      return /"BOXD_NAME_PREFIX": "([^"]+)"/.exec(textOf(cwd, `${name}/qm.config.jsonc`))?.[1];
    });
    expect(prefixes[0]).toMatch(/^acm-[a-z0-9]{3}$/);
    expect(prefixes[0]).not.toBe(prefixes[1]);
  });

  test("--dry-run writes nothing, and shows the tree and what files would hold, but for secrets", () => {
    const cwd = tempDirectory({ ".gitignore": "dist\n" });
    const { status, stdout } = runCli(["init", "--org", "acme", "--dry-run"], { cwd });
    expect(status).toBe(0);
    expect(everything(cwd)).toEqual([".gitignore"]);
    expect(stdout).toMatch(/^ {2}\.env +created$/m);
    expect(stdout).toMatch(/^ {2}\.gitignore +merged$/m);
    expect(stdout).toMatch(/^ {4}docker\/$/m);
    expect(stdout).toContain("+node_modules/");
    expect(stdout).toContain('+  "orgId": "acme",');
    expect(stdout).toContain("CORE_SIGNING_SECRET=");
    expect(stdout).not.toMatch(/[0-9a-f]{64}/);
  });

  test("the org comes from the directory's name, and --toolkit from where it is typed", () => {
    const cwd = tempDirectory();
    runCli(["init", "Ácme GmbH", "--toolkit", "./qm-deploy-0.1.0.tgz"], { cwd });
    expect(textOf(cwd, "Ácme GmbH/qm.config.jsonc")).toContain('"orgId": "acme-gmbh"');
    expect(JSON.parse(textOf(cwd, "Ácme GmbH/package.json")).devDependencies).toEqual({ "@yc-software/qm": "0.1.12", "qm-deploy": "file:../qm-deploy-0.1.0.tgz" });
  });
});

test.skipIf(process.platform === "win32")("killed at any moment, what is there is whole, no secret could be committed, and running again completes it", async () => {
  const cwd = tempDirectory();
  const args = ["init", "--org", "acme", "--target", "fly"];
  for (const name of ["whole", "one", "two", "three", "four", "five", "six"]) mkdirSync(join(cwd, name));
  runCli(args, { cwd: join(cwd, "whole") });
  const paths = everything(join(cwd, "whole")).filter((path) => statSync(join(cwd, "whole", path)).isFile());
  const cut = new Set<number>();
  for (const [at, name] of ["one", "two", "three", "four", "five", "six"].entries()) {
    const directory = join(cwd, name);
    const child = spawn(process.execPath, ["--", BIN, ...args], { cwd: directory, env: plainEnv(), stdio: "ignore" });
    const ended = new Promise((resolve) => child.on("exit", resolve));
    // Killed as soon as so many files are there, wherever it is then.
    while (child.exitCode === null && everything(directory).length < at * 4) await new Promise((resolve) => setImmediate(resolve));
    child.kill("SIGKILL");
    await ended;
    const there = everything(directory).filter((path) => !path.endsWith(".tmp") && !/\.tmp\//.test(path) && !path.endsWith(".lock") && statSync(join(directory, path)).isFile());
    cut.add(there.length);
    for (const path of there) expect(readFileSync(join(directory, path)).length, path).toBeGreaterThan(0);
    if (there.includes(".env")) expect(textOf(directory, ".gitignore")).toMatch(/^\.\*\.tmp\n\.env\n$/m);
    const before = there.map((path) => textOf(directory, path));
    expect(runCli(args, { cwd: directory }).status).toBe(0);
    expect(there.map((path) => textOf(directory, path))).toEqual(before);
    expect(everything(directory)).toEqual(expect.arrayContaining(paths));
    expect(runCli(["render", "--check"], { cwd: directory }).status).toBe(0);
  }
  expect(cut.size).toBeGreaterThan(1);
});

test.skipIf(process.platform === "win32").each(["-x", "--help", "it's", "a b", "$(touch pwned)", "`touch pwned`", "a;b", "~", "#x"])("the way into %j can be pasted", (name) => {
  const cwd = tempDirectory();
  const { stdout } = runCli(["init", "--org", "acme", "--", name], { cwd });
  const command = /^ +(cd .*)$/m.exec(stdout)?.[1] ?? "";
  const { stdout: there } = spawnSync("sh", ["-c", `${command} && pwd -P`], { cwd, encoding: "utf8" });
  expect(there.trimEnd()).toBe(join(realpathSync(cwd), name));
  expect(everything(cwd)).not.toContain("pwned");
});

test("other things in the way of a file are left, and said", () => {
  const cwd = tempDirectory({ "AGENTS.md/mine": "" });
  const { status, stdout } = runCli(["init", "--org", "acme"], { cwd });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^kept +AGENTS\.md\n +the path is a directory$/m);
});

test("every value to fill in says what it is, also those that only the scaffold's config names", () => {
  const cwd = tempDirectory();
  const { stdout } = runCli(["init", "--org", "acme", "--target", "fly"], { cwd });
  expect(stdout).toMatch(/^ {2}ADMIN_GRANTS +Who becomes an administrator: .*ada@acme\.dev:org_admin$/m);
  expect(textOf(cwd, ".env")).toMatch(/^# Who becomes an administrator: .*\nADMIN_GRANTS=$/m);
  expect(stdout).not.toContain("Secret that the configuration hands to");
});

describe("a directory with a deployment", () => {
  test("running again changes nothing", () => {
    const cwd = tempDirectory();
    runCli(["init", "--org", "acme", "--release", "0.1.6"], { cwd });
    const before = everything(cwd).filter((path) => statSync(join(cwd, path)).isFile()).map((path) => [path, textOf(cwd, path), statSync(join(cwd, path)).mtimeMs]);
    const { status, stdout } = runCli(["init"], { cwd });
    expect(status).toBe(0);
    expect(stdout).not.toMatch(/^(created|merged)/m);
    expect(everything(cwd).filter((path) => statSync(join(cwd, path)).isFile()).map((path) => [path, textOf(cwd, path), statSync(join(cwd, path)).mtimeMs])).toEqual(before);
  });

  test("the config is kept, and options that say otherwise are said to count for nothing", () => {
    const cwd = tempDirectory();
    runCli(["init", "--org", "acme"], { cwd });
    const config = textOf(cwd, "qm.config.jsonc");
    const { status, stdout, stderr } = runCli(["init", "--org", "acme", "--target", "fly", "--release", "0.1.6"], { cwd });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^kept +qm\.config\.jsonc$/m);
    expect(stderr).toContain("--target is not what the kept qm.config.jsonc says");
    expect(stderr).toContain("--release is not what package.json pins");
    expect(stderr).not.toContain("--org");
    expect(textOf(cwd, "qm.config.jsonc")).toBe(config);
    expect(existsSync(join(cwd, "rendered", "fly"))).toBe(false);
  });

  test("a config that is not sound is named, and nothing is rendered", () => {
    const cwd = tempDirectory({ "qm.config.jsonc": '{ "contract": 1, ' });
    const { status, stderr } = runCli(["init"], { cwd });
    expect(status).toBe(1);
    expect(stderr).toContain("nothing was rendered");
    expect(everything(cwd)).toEqual(["qm.config.jsonc"]);
  });
});

describe("refused", () => {
  test.skipIf(!GIT)("a .env that git tracks, before anything is written (needs git)", () => {
    const cwd = tempDirectory({ ".env": "A=1\n" });
    for (const args of [["init", "-q"], ["add", "-f", ".env"]]) spawnSync("git", args, { cwd });
    const { status, stderr } = runCli(["init", "--org", "acme"], { cwd });
    expect(status).toBe(1);
    expect(stderr).toContain("git tracks `.env`");
    expect(readdirSync(cwd).toSorted()).toEqual([".env", ".git"]);
  });

  test("without git nothing is asked of it", () => {
    const cwd = tempDirectory();
    expect(runCli(["init", "--org", "acme"], { cwd, env: { PATH: cwd } }).status).toBe(0);
  });

  test.each([
    [["--target", "fyl"], "did you mean fly?"],
    [["--backend", "bxod"], "did you mean boxd?"],
    [["--release", "0.1.13"], "did you mean 0.1.12?"],
    [["--backend", "local", "--target", "fly"], "deploy on docker (--target)"],
    [["--backend", "agent37", "--release", "0.1.6"], "take qm 0.1.12 (--release)"],
    [["--backend", "e2b"], "`env.core.SANDBOX_BACKEND`"],
    [["--org", "ACME Inc"], "such as acme-inc"],
    [["--org", "-"], "use 1 to 63 lower-case letters"],
    [["--model-provider", "antropic"], "did you mean anthropic?"],
    [["--email-transport", "resnd"], "did you mean resend?"],
    [["--public-url", "https://qm.acme.dev/chat"], "scheme and host alone"],
    [["--target", "aws", "--public-url", "http://qm.acme.dev"], "--public-url must be https on aws\n  help: use an https address with a certificate of ACM"],
    [["--aws-account", "000000000000"], "12 digits"],
    [["--toolkit", "qm-deploy"], "a name and a version"],
  ])("%j", (args, help) => {
    const cwd = tempDirectory();
    const { status, stdout, stderr } = runCli(["init", ...args], { cwd });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(help);
    expect(everything(cwd)).toEqual([]);
  });

  test.each([
    ['{ "devDependencies": { "@yc-software/qm": "0.1.6" } }', ["--release", "0.1.12"]],
    ["{", []],
    ["[]", []],
    ['{ "scripts": 3 }', []],
  ])("a package.json that has another release read the new config: %s", (text, args) => {
    const cwd = tempDirectory({ "package.json": text });
    const { status, stderr } = runCli(["init", "--org", "acme", ...args], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("qm 0.1.6 reads the deployment, not 0.1.12");
    // Without the reason nobody sees why a file that pins nothing decides.
    if (args.length === 0) expect(stderr).toMatch(/help: .*nothing was added/);
    expect(everything(cwd)).toEqual(["package.json"]);
  });

  test("but its pin decides where --release does not", () => {
    const cwd = tempDirectory({ "package.json": '{ "devDependencies": { "@yc-software/qm": "0.1.6" } }' });
    expect(runCli(["init", "--org", "acme"], { cwd }).status).toBe(0);
    expect(textOf(cwd, "qm.config.jsonc")).toContain("for qm 0.1.6");
  });

  test("a file in the place of the directory, or of one above it", () => {
    const cwd = tempDirectory({ acme: "" });
    for (const directory of ["acme", "acme/deep/er"]) {
      const { status, stdout, stderr } = runCli(["init", directory], { cwd });
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("acme is no directory");
    }
  });

  test.skipIf(process.platform === "win32")("a link that leads nowhere in the place of the directory", () => {
    const cwd = tempDirectory();
    symlinkSync("nowhere", join(cwd, "acme"));
    const { status, stderr } = runCli(["init", "acme/deep"], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("acme is no directory");
    expect(everything(cwd)).toEqual(["acme"]);
  });

  test("an empty name, as an unset variable leaves it", () => {
    const cwd = tempDirectory();
    expect(runCli(["init", ""], { cwd })).toMatchObject({ status: 2, stdout: "" });
    expect(everything(cwd)).toEqual([]);
  });

  /** What may stand in the place of a file. */
  const KINDS: readonly (readonly [kind: string, make: (path: string) => void])[] = [
    ["a directory", (path) => mkdirSync(path)],
    ["a link that leads nowhere", (path) => symlinkSync("nowhere", path)],
    ["a file over 1 MiB", (path) => writeFileSync(path, "#".repeat(1024 * 1024 + 1))],
    ["UTF-16 text", (path) => writeFileSync(path, Buffer.from("\ufeffA=1", "utf16le"))],
  ];
  const NEEDED = ["package.json", "qm.config.jsonc", ".gitignore", ".env"];

  test.skipIf(process.platform === "win32").each(NEEDED.flatMap((path) => KINDS.map(([kind, make]) => [path, kind, make] as const)))("%s that is %s, before anything is written", (path, _kind, make) => {
    const cwd = tempDirectory();
    make(join(cwd, path));
    for (const dry of [[], ["--dry-run"]]) {
      const { status, stdout, stderr } = runCli(["init", "--org", "acme", ...dry], { cwd });
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(path);
      expect(stderr).not.toContain("reads the deployment, not");
      expect(everything(cwd)).toEqual([path]);
    }
  });

  test.skipIf(process.platform === "win32")("a .gitignore that is a link, which git would not follow, and a package.json that is one and lacks something", () => {
    const outside = tempDirectory({ ignore: ".env\n", "package.json": "{}\n" });
    for (const [path, target] of [[".gitignore", "ignore"], ["package.json", "package.json"]] as const) {
      const cwd = tempDirectory();
      symlinkSync(join(outside, target), join(cwd, path));
      const { status, stderr } = runCli(["init", "--org", "acme"], { cwd });
      expect(status).toBe(2);
      expect(stderr).toContain(`\`${path}\` is in the way: it is a symbolic link`);
      expect(everything(cwd)).toEqual([path]);
    }
    expect([textOf(outside, "ignore"), textOf(outside, "package.json")]).toEqual([".env\n", "{}\n"]);
  });

  test.skipIf(process.getuid?.() !== 0)("a directory that may not be entered (needs root, to be somebody else)", () => {
    const cwd = tempDirectory();
    mkdirSync(join(cwd, "shut"), { mode: 0o700 });
    chmodSync(cwd, 0o755);
    const wanted: [string[], number][] = [["init", "shut"], ["init", "shut/acme"], ["render", "shut/acme"], ["secrets", "shut/acme"], ["diff", "shut/acme", "shut"]].map((argv) => [argv, 2]);
    for (const [argv, status] of wanted) {
      // The program is loaded as root, since the checkout may be closed to anybody else.
      const script = `process.argv.splice(1, process.argv.length, ...${JSON.stringify([BIN, ...argv])}); process.setgid(65534); process.setuid(65534); require(${JSON.stringify(BIN)});`;
      const ran = spawnSync(process.execPath, ["-e", script], { cwd, env: plainEnv(), encoding: "utf8", input: "" });
      expect([ran.status, ran.stdout], `${argv.join(" ")}: ${ran.stderr}`).toEqual([status, ""]);
      expect(ran.stderr).toContain("EACCES");
    }
    expect(everything(cwd)).toEqual(["shut"]);
  });

  test.skipIf(process.platform === "win32")("a link in the way is not followed", () => {
    const cwd = tempDirectory();
    const outside = tempDirectory();
    mkdirSync(join(cwd, "acme"));
    spawnSync("ln", ["-s", outside, join(cwd, "acme", "sandbox")]);
    const { status, stderr } = runCli(["init", "acme"], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("is a symbolic link");
    expect(stderr).not.toContain("nothing was written");
    expect(everything(outside)).toEqual([]);
  });
});

describe("questions", () => {
  /** A terminal that nobody may ask anything: reading from it fails the test. */
  function terminalIo(cwd: string, env: { readonly [name: string]: string }) {
    const asked = (): never => {
      throw new Error("asked");
    };
    const stdin = { isTTY: true, [Symbol.asyncIterator]: asked };
    const io = fakeIo([], { cwd, env, stdin });
    return Object.assign(io, { stdout: { ...io.stdout, isTTY: true } });
  }

  test.each([["CI", { CI: "true" }, {}], ["--yes", {}, { yes: true as const }]])("are never asked under %s", async (_name, env, options) => {
    const cwd = tempDirectory();
    expect(await run({ io: terminalIo(cwd, env), args: [], options: { org: "acme", ...options } })).toBe(0);
    expect(existsSync(join(cwd, "qm.config.jsonc"))).toBe(true);
  });

  const PYTHON = spawnSync("python3", ["-c", "import pty"]).status === 0;
  const TERMINAL = `
import fcntl, os, pty, select, signal, struct, sys, termios, time
pid, fd = pty.fork()
if pid == 0:
    time.sleep(0.2)
    os.execvp(sys.argv[2], sys.argv[2:])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
shown = b""
steps = [line.split("|") for line in sys.argv[1].split(";")]
while True:
    try:
        if not select.select([fd], [], [], 20)[0]:
            os.kill(pid, signal.SIGKILL)
            break
        piece = os.read(fd, 65536)
    except OSError:
        break
    if not piece:
        break
    shown += piece
    if steps and steps[0][0].encode() in shown:
        time.sleep(0.1)
        os.write(fd, steps.pop(0)[1].encode().decode("unicode_escape").encode("latin-1"))
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

  function onTerminal(cwd: string, script: string, args: readonly string[]) {
    return spawnSync("python3", ["-c", TERMINAL, script, process.execPath, BIN, "init", ...args], { cwd, env: plainEnv({ TERM: "xterm" }), encoding: "utf8" });
  }

  test.skipIf(!PYTHON)("are asked on a terminal for what was not given, with answers ready (needs python3 for a terminal)", () => {
    const cwd = tempDirectory();
    const script = "Short name|acme\\r;services run?|\\x1b[B\\r;release of qm?|\\r;agents work?|\\r;models do they use?|\\r;e-mails sent?|\\r;open qm?|\\r";
    const { status, stdout } = onTerminal(cwd, script, []);
    expect(status, stdout).toBe(0);
    const config = textOf(cwd, "qm.config.jsonc");
    for (const part of ['"orgId": "acme"', '"target": "fly"', '"backend": "boxd"', '"publicUrl": "https://acme-portal.fly.dev"', '"AUTH_EMAIL_TRANSPORT": "resend"']) expect(config).toContain(part);
  });

  test.skipIf(!PYTHON)("can be left open where only the operator knows: the AWS account (needs python3 for a terminal)", () => {
    const cwd = tempDirectory();
    const { status, stdout } = onTerminal(cwd, "open qm?|https://qm.acme.dev\\r;AWS account|\\r", ["--org", "acme", "--target", "aws", "--release", "0.1.12", "--backend", "boxd", "--model-provider", "openai", "--email-transport", "smtp"]);
    expect(status, stdout).toBe(0);
    expect(stdout).toContain("`aws.accountId`");
    expect(textOf(cwd, "qm.config.jsonc")).toContain('"publicUrl": "https://qm.acme.dev"');
  });

  test.skipIf(!PYTHON)("end with Ctrl-C and nothing written; what was given is not asked (needs python3 for a terminal)", () => {
    const cwd = tempDirectory();
    const { status, stdout } = onTerminal(cwd, "services run?|\\x03", ["--org", "acme"]);
    expect(status).toBe(1);
    expect(stdout).not.toContain("Short name");
    expect(stdout).toContain("nothing was written");
    expect(everything(cwd)).toEqual([]);
  });
});

test.skipIf(!GIT)("below the root of a repository, where the workflow must go is said (needs git)", () => {
  const root = tempDirectory();
  spawnSync("git", ["init", "-q"], { cwd: root });
  addFiles(root, { "deployments/README.md": "" });
  const { status, stderr } = runCli(["init", "deployments/acme"], { cwd: root });
  expect(status).toBe(0);
  expect(stderr).toContain('working-directory: "deployments/acme/" }');
});
