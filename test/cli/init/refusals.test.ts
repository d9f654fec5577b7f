import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDirectory } from "../../workspace/temp.ts";
import { BIN, plainEnv, runCli } from "../built.ts";
import { runInProcess } from "../in-process.ts";
import { everything, GIT, textOf } from "./directory.ts";

describe("refused", () => {
  test.skipIf(!GIT)("a .env that git tracks, before anything is written (needs git)", async () => {
    const cwd = tempDirectory({ ".env": "A=1\n" });
    for (const args of [
      ["init", "-q"],
      ["add", "-f", ".env"],
    ])
      spawnSync("git", args, { cwd });
    const { status, stderr } = await runInProcess(["init", "--org", "acme"], { cwd });
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
    [["--release", "0.2.0"], "did you mean 0.1.12?"],
    [["--backend", "local", "--target", "fly"], "deploy on docker (--target)"],
    [["--backend", "agent37", "--release", "0.1.6"], "take qm 0.1.12 (--release)"],
    [["--backend", "e2b"], "`env.core.SANDBOX_BACKEND`"],
    [["--org", "ACME Inc"], "such as acme-inc"],
    [["--org", "-"], "use 1 to 63 lower-case letters"],
    [["--model-provider", "antropic"], "did you mean anthropic?"],
    [["--email-transport", "resnd"], "did you mean resend?"],
    [["--public-url", "https://qm.acme.dev/chat"], "scheme and host alone"],
    [
      ["--target", "aws", "--public-url", "http://qm.acme.dev"],
      "--public-url must be https on aws\n  help: use an https address with a certificate of ACM",
    ],
    [["--aws-account", "000000000000"], "12 digits"],
    [["--toolkit", "qm-deploy"], "a name and a version"],
  ])("%j", async (args, help) => {
    const cwd = tempDirectory();
    const { status, stdout, stderr } = await runInProcess(["init", ...args], { cwd });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(help);
    expect(everything(cwd)).toEqual([]);
  });

  test.each([
    ['{ "devDependencies": { "@yc-software/qm": "0.1.12" } }', false],
    ["{", true],
    ["[]", true],
    ['{ "scripts": 3 }', true],
  ])("a package.json that has another release read the new config: %s", async (text, isUnreadable) => {
    const cwd = tempDirectory({ "package.json": text });
    const { status, stderr } = await runInProcess(["init", "--org", "acme", "--release", "0.1.6"], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("qm 0.1.12 reads the deployment, not 0.1.6");
    // Without the reason nobody sees why a file that pins nothing decides.
    if (isUnreadable) expect(stderr).toMatch(/help: .*nothing was added/);
    expect(everything(cwd)).toEqual(["package.json"]);
  });

  test("but its pin decides where --release does not", async () => {
    const cwd = tempDirectory({ "package.json": '{ "devDependencies": { "@yc-software/qm": "0.1.6" } }' });
    expect((await runInProcess(["init", "--org", "acme"], { cwd })).status).toBe(0);
    expect(textOf(cwd, "qm.config.jsonc")).toContain("for qm 0.1.6");
  });

  test("a file in the place of the directory, or of one above it", async () => {
    const cwd = tempDirectory({ acme: "" });
    for (const directory of ["acme", "acme/deep/er"]) {
      const { status, stdout, stderr } = await runInProcess(["init", directory], { cwd });
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("acme is no directory");
    }
  });

  test.skipIf(process.platform === "win32")("a link that leads nowhere in the place of the directory", async () => {
    const cwd = tempDirectory();
    symlinkSync("nowhere", join(cwd, "acme"));
    const { status, stderr } = await runInProcess(["init", "acme/deep"], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("acme is no directory");
    expect(everything(cwd)).toEqual(["acme"]);
  });

  test("an empty name, as an unset variable leaves it", async () => {
    const cwd = tempDirectory();
    expect(await runInProcess(["init", ""], { cwd })).toMatchObject({ status: 2, stdout: "" });
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

  test
    .skipIf(process.platform === "win32")
    .each(NEEDED.flatMap((path) => KINDS.map(([kind, make]) => [path, kind, make] as const)))(
    "%s that is %s, before anything is written",
    async (path, _kind, make) => {
      const cwd = tempDirectory();
      make(join(cwd, path));
      for (const dry of [[], ["--dry-run"]]) {
        const { status, stdout, stderr } = await runInProcess(["init", "--org", "acme", ...dry], { cwd });
        expect([status, stdout]).toEqual([2, ""]);
        expect(stderr).toContain(path);
        expect(stderr).not.toContain("reads the deployment, not");
        expect(everything(cwd)).toEqual([path]);
      }
    },
  );

  test.skipIf(process.platform === "win32")(
    "a .gitignore that is a link, which git would not follow, and a package.json that is one and lacks something",
    async () => {
      const outside = tempDirectory({ ignore: ".env\n", "package.json": "{}\n" });
      for (const [path, target] of [
        [".gitignore", "ignore"],
        ["package.json", "package.json"],
      ] as const) {
        const cwd = tempDirectory();
        symlinkSync(join(outside, target), join(cwd, path));
        const { status, stderr } = await runInProcess(["init", "--org", "acme"], { cwd });
        expect(status).toBe(2);
        expect(stderr).toContain(`\`${path}\` is in the way: it is a symbolic link`);
        expect(everything(cwd)).toEqual([path]);
      }
      expect([textOf(outside, "ignore"), textOf(outside, "package.json")]).toEqual([".env\n", "{}\n"]);
    },
  );

  test.skipIf(process.getuid?.() !== 0)("a directory that may not be entered (needs root, to be somebody else)", () => {
    const cwd = tempDirectory();
    mkdirSync(join(cwd, "shut"), { mode: 0o700 });
    chmodSync(cwd, 0o755);
    const wanted: [string[], number][] = [
      ["init", "shut"],
      ["init", "shut/acme"],
      ["render", "shut/acme"],
      ["secrets", "shut/acme"],
      ["diff", "shut/acme", "shut"],
    ].map((argv) => [argv, 2]);
    for (const [argv, status] of wanted) {
      // The program is loaded as root, since the checkout may be closed to anybody else.
      const script = `process.argv.splice(1, process.argv.length, ...${JSON.stringify([BIN, ...argv])}); process.setgid(65534); process.setuid(65534); require(${JSON.stringify(BIN)});`;
      const ran = spawnSync(process.execPath, ["-e", script], { cwd, env: plainEnv(), encoding: "utf8", input: "" });
      expect([ran.status, ran.stdout], `${argv.join(" ")}: ${ran.stderr}`).toEqual([status, ""]);
      expect(ran.stderr).toContain("EACCES");
    }
    expect(everything(cwd)).toEqual(["shut"]);
  });

  test.skipIf(process.platform === "win32")("a link in the way is not followed", async () => {
    const cwd = tempDirectory();
    const outside = tempDirectory();
    mkdirSync(join(cwd, "acme"));
    spawnSync("ln", ["-s", outside, join(cwd, "acme", "sandbox")]);
    const { status, stderr } = await runInProcess(["init", "acme"], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("is a symbolic link");
    expect(stderr).not.toContain("nothing was written");
    expect(everything(outside)).toEqual([]);
  });
});
