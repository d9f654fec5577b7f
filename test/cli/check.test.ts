import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { addFiles, makeReadOnly, PERMISSIONS_COUNT, tempDirectory } from "../workspace/temp.ts";
import { BIN, plainEnv, runCli } from "./built.ts";
import { runInProcess } from "./in-process.ts";
import { FAULTY, MENDABLE, soundConfig } from "./deployments.ts";

const NAME = "qm.config.jsonc";

async function json(argv: readonly string[], options: Parameters<typeof runCli>[1]) {
  const ran = await runInProcess(["check", "--format", "json", ...argv], options);
  return { ...ran, report: JSON.parse(ran.stdout) };
}

describe("exit status", () => {
  const tree = () =>
    tempDirectory({ [`good/${NAME}`]: soundConfig(), [`bad/${NAME}`]: FAULTY, "latin/x.jsonc": Buffer.from([0xe9]) });

  test.each([
    [["good"], 0],
    [["bad"], 1],
    [["good", "bad"], 1],
    [["none"], 2],
    [["good", "latin"], 2],
    [["bad", "none"], 2],
    [["latin/x.jsonc"], 2],
    [["good", "--env-file", "none.env"], 2],
  ])("%j ends with %i, and JSON says the same of it", async (argv, status) => {
    const cwd = tree();
    expect(runCli(["check", ...argv], { cwd }).status).toBe(status);
    const ran = await json(argv, { cwd });
    expect([ran.status, ran.stderr]).toEqual([status, ""]);
    expect(ran.report).toMatchObject({
      version: 1,
      ok: status === 0,
      summary: { deployments: ran.report.deployments.length },
    });
  });

  test.each([
    [["chekc"]],
    [["check", "--stric"]],
    [["check", "--format", "xml"]],
    [["check", "--target", "heroku"]],
    [["check", "--release"]],
    [[]],
    [["secrets", "a", "b"]],
    [["check", "--watch", "-"]],
  ])("the wrong command line %j ends with 2 and prints nothing on stdout", async (argv) => {
    const ran = await runInProcess(argv);
    expect(ran.status).toBe(2);
    expect(ran.stdout).toBe("");
    expect(ran.stderr).not.toBe("");
  });

  test("--strict lets warnings fail", async () => {
    const cwd = tempDirectory({ [NAME]: soundConfig({ imageOverrides: undefined }) });
    const lax = await json([], { cwd });
    expect(lax.report.summary).toMatchObject({ errors: 0 });
    expect(lax.report.summary.warnings).toBeGreaterThan(0);
    expect([lax.status, lax.report.ok]).toEqual([0, true]);
    const strict = await json(["--strict"], { cwd });
    expect([strict.status, strict.report.ok]).toEqual([1, false]);
  });
});

describe("input", () => {
  test("stdin is judged under its own name, without an env file", async () => {
    const cwd = tempDirectory({ ".env": "A=1\n" });
    const { status, report } = await json(["-"], { cwd, input: FAULTY });
    expect(status).toBe(1);
    expect(report.deployments[0]).toMatchObject({ config: "<stdin>", target: "docker" });
    expect(new Set(report.deployments[0].diagnostics.map(({ file }: any) => file))).toEqual(new Set(["<stdin>"]));
  });

  test("stdin over the limit, and stdin that is no text, end with 2", async () => {
    expect((await json(["-"], { input: "x".repeat(1024 * 1024 + 1) })).report.deployments[0].diagnostics[0].rule).toBe(
      "input/too-large",
    );
    expect((await json(["-"], { input: Buffer.from([0xff, 0xfe, 0x7b, 0]) })).status).toBe(2);
  });

  test("many deployments come in the order of their names, each with its own findings", async () => {
    const cwd = tempDirectory({ [`b/${NAME}`]: FAULTY, [`a/${NAME}`]: soundConfig(), [`a/sub/${NAME}`]: "{" });
    const { report } = await json(["."], { cwd });
    expect(report.deployments.map(({ config, ok }: any) => [config, ok])).toEqual([
      [`a/${NAME}`, true],
      [`a/sub/${NAME}`, false],
      [`b/${NAME}`, false],
    ]);
  });

  test("two deployments that would share machines are told so, each at its own place", async () => {
    const cwd = tempDirectory({ [`a/${NAME}`]: soundConfig(), [`b/${NAME}`]: soundConfig() });
    expect((await json(["a"], { cwd })).status).toBe(0);
    const { status, report } = await json(["a", "b"], { cwd });
    expect(status).toBe(1);
    const shared = report.deployments.map(({ ok, diagnostics }: any) => [
      ok,
      diagnostics.filter(({ rule }: any) => rule === "boxd/shared-machines").map(({ file }: any) => file),
    ]);
    expect(shared).toEqual([
      [false, [`a/${NAME}`]],
      [false, [`b/${NAME}`]],
    ]);
  });

  test("--release and --target are what the report says", async () => {
    const cwd = tempDirectory({ [NAME]: soundConfig() });
    const { report } = await json(["--release", "0.1.6", "--target", "fly"], { cwd });
    expect(report.deployments[0]).toMatchObject({ target: "fly", release: { resolved: "0.1.6", source: "flag" } });
  });
});

describe("output", () => {
  test("is the same bytes whatever the surroundings", () => {
    const cwd = tempDirectory({ [`b/${NAME}`]: FAULTY, [`a/${NAME}`]: MENDABLE });
    for (const format of ["pretty", "json", "github", "sarif", "junit"]) {
      const argv = ["check", "--format", format, "."];
      const first = runCli(argv, { cwd, env: { TZ: "UTC", LANG: "C" } });
      const second = runCli(argv, {
        cwd,
        env: { TZ: "Asia/Kathmandu", LANG: "tr_TR.UTF-8", LC_ALL: "de_DE.UTF-8", CI: "1", COLUMNS: "40" },
      });
      expect(second).toEqual(first);
      expect(first.stdout).not.toContain(cwd);
    }
  });

  test("has colour only where it is wanted", async () => {
    const cwd = tempDirectory({ [NAME]: FAULTY });
    const plain = (await runInProcess(["check"], { cwd })).stdout;
    expect(plain).not.toContain("\u001b");
    const coloured = (await runInProcess(["check"], { cwd, env: { FORCE_COLOR: "1" } })).stdout;
    expect(coloured).toContain("\u001b[31m");
    expect(coloured.replace(/\u001b\[\d+m/g, "")).toBe(plain);
    for (const env of [{ FORCE_COLOR: "0" }, { FORCE_COLOR: "1", NO_COLOR: "1" }] as { [name: string]: string }[])
      expect((await runInProcess(["check"], { cwd, env })).stdout).toBe(plain);
  });

  test.each(["github", "sarif"])("%s names files from the root of the checkout, wherever it is run", async (format) => {
    const root = tempDirectory({ [`d/acme/${NAME}`]: FAULTY, "d/x/y": "", "linked/y": "", "elsewhere/y": "" });
    symlinkSync("../d/acme", join(root, "linked", "acme"));
    const named = async (place: string, args: readonly string[], env = {}): Promise<string[]> => {
      const { stdout } = await runInProcess(["check", "--format", format, ...args], { cwd: join(root, place), env });
      return [...new Set([...stdout.matchAll(/(?:"uri": "|file=)([^",]*)/g)].map((match) => match[1] as string))];
    };
    const places = [
      ["d/acme", []],
      ["d/x", ["../acme"]],
      [".", ["d"]],
      [".", ["linked"]],
      [".", ["d/acme", "linked"]],
    ] as const;
    // Neither variable nor repository: nothing says where the checkout begins.
    expect(await named("d/x", ["../acme"])).toEqual([`../acme/${NAME}`]);
    for (const [place, args] of places)
      expect(await named(place, args, { GITHUB_WORKSPACE: root })).toEqual([`d/acme/${NAME}`]);
    expect(await named("d/x", ["../../none"], { GITHUB_WORKSPACE: root })).toEqual(["none"]);
    expect(await named("d/x", ["../acme"], { GITHUB_WORKSPACE: join(root, "elsewhere") })).toEqual([`../acme/${NAME}`]);
    addFiles(root, { ".git/HEAD": "" });
    for (const [place, args] of places) expect(await named(place, args)).toEqual([`d/acme/${NAME}`]);
  });

  test("a reader that closes its pipe is no error, and the status stays", () => {
    const faulty = soundConfig(Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`unknown${at}`, at])));
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`d${at}/${NAME}`, faulty]));
    const cwd = tempDirectory(files);
    const command = `"${process.execPath}" "${BIN}" check . | head -1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", command], { cwd, env: plainEnv(), encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("1");
  });

  test.skipIf(!existsSync("/dev/full"))(
    "a full disk ends the run with one line and status 2, not with a stack (where there is /dev/full)",
    () => {
      const cwd = tempDirectory({ [NAME]: soundConfig() });
      const command = `"${process.execPath}" "${BIN}" check . --format json > /dev/full`;
      const { status, stderr } = spawnSync("bash", ["-c", command], { cwd, env: plainEnv(), encoding: "utf8" });
      expect([status, stderr]).toEqual([2, "error: the output cannot be written (ENOSPC)\n"]);
    },
  );

  test("a working directory that was removed is said, with status 2", () => {
    const cwd = tempDirectory({ "gone/x": "" });
    const command = `rm -r ../gone && exec "${process.execPath}" "${BIN}" check /`;
    const { status, stderr } = spawnSync("bash", ["-c", command], {
      cwd: join(cwd, "gone"),
      env: plainEnv(),
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([
      2,
      "error: the working directory does not exist any longer: change to another one\n",
    ]);
  });

  test("a large report reaches a pipe whole", () => {
    const faulty = soundConfig(Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`unknown${at}`, at])));
    const cwd = tempDirectory(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`d${at}/${NAME}`, faulty])));
    const { stdout } = runCli(["check", "--format", "json", "."], { cwd });
    expect(stdout.length).toBeGreaterThan(1_000_000);
    expect(JSON.parse(stdout).deployments).toHaveLength(60);
  });
});

describe("side effects", () => {
  function snapshot(directory: string): string[] {
    return readdirSync(directory, { recursive: true, encoding: "utf8" })
      .sort()
      .map((path) => {
        const stats = lstatSync(join(directory, path));
        return `${path} ${stats.mode} ${stats.mtimeMs} ${stats.isFile() ? readFileSync(join(directory, path), "base64") : ""}`;
      });
  }

  test("none without --fix: nothing is written, started or connected to", async () => {
    const cwd = tempDirectory({ [NAME]: MENDABLE, ".env": "A=1\n", "sandbox/tools/t/tool.json": "{}" });
    const before = snapshot(cwd);
    const usual = await runInProcess(["check"], { cwd });
    // Node's permission model refuses writing, child processes and workers.
    const allowed = ["--experimental-permission", "--allow-fs-read=*", "--no-warnings"];
    expect(runCli(["check"], { cwd, nodeArgs: allowed })).toEqual(usual);
    expect(snapshot(cwd)).toEqual(before);
  });

  test.skipIf(!PERMISSIONS_COUNT)(
    "a read-only directory is enough (skipped as root, whom no permission stops)",
    async () => {
      const cwd = tempDirectory({ [NAME]: soundConfig() });
      makeReadOnly(cwd);
      expect((await runInProcess(["check"], { cwd })).status).toBe(0);
    },
  );
});

describe("--fix", () => {
  test("applies the safe fixes, --fix=all the suggested ones too; comments stay, what remains is reported", async () => {
    const cwd = tempDirectory({ [NAME]: MENDABLE });
    chmodSync(join(cwd, NAME), 0o640);
    const fixable = (report: any) =>
      report.deployments[0].diagnostics
        .map(({ fix }: any) => fix?.safety)
        .filter(Boolean)
        .sort();
    const before = fixable((await json([], { cwd })).report);
    expect(new Set(before)).toEqual(new Set(["safe", "suggested"]));
    const safe = await json(["--fix"], { cwd });
    expect(safe.report.summary.fixed).toBeGreaterThan(0);
    expect(new Set(fixable(safe.report))).toEqual(new Set(["suggested"]));
    expect(readFileSync(join(cwd, NAME), "utf8")).toContain('"modelProvidr"');
    const all = await json(["--fix=all"], { cwd });
    expect(fixable(all.report)).toEqual([]);
    const text = readFileSync(join(cwd, NAME), "utf8");
    expect(text).toContain('"modelProvider": "anthropic"');
    expect(text).toContain("// who we are\n");
    expect(text).toContain('"orgId": "acme", // the org\n');
    expect(text).not.toContain('"app"');
    expect(statSync(join(cwd, NAME)).mode & 0o777).toBe(0o640);
    expect(readdirSync(cwd)).toEqual([NAME]);
    expect((await json(["--fix=all"], { cwd })).report.summary.fixed).toBe(0);
    expect(readFileSync(join(cwd, NAME), "utf8")).toBe(text);
  });

  test("a word after --fix is a path", async () => {
    const cwd = tempDirectory({ [`a/${NAME}`]: MENDABLE });
    expect((await json(["--fix", "a"], { cwd })).report.deployments[0].config).toBe(`a/${NAME}`);
  });

  test("mended text of stdin goes to stdout, the report to stderr", async () => {
    const { stdout, stderr, status } = await runInProcess(["check", "--fix=all", "-"], { input: MENDABLE });
    expect(stdout).toContain('"modelProvider": "anthropic"');
    expect(stderr).toContain("<stdin>");
    expect(status).toBe(0);
    expect((await runInProcess(["check", "--fix=all", "-"], { input: stdout })).stdout).toBe(stdout);
  });

  test("never writes through a link", async () => {
    const cwd = tempDirectory({ "real.jsonc": MENDABLE });
    symlinkSync("real.jsonc", join(cwd, NAME));
    const { status, report } = await json(["--fix=all"], { cwd });
    expect(status).toBe(2);
    expect(report.deployments[0].diagnostics[0]).toMatchObject({ rule: "input/unwritable" });
    expect(report.deployments[0].diagnostics.length).toBeGreaterThan(1);
    expect(readFileSync(join(cwd, "real.jsonc"), "utf8")).toBe(MENDABLE);
    expect(readdirSync(cwd).sort()).toEqual([NAME, "real.jsonc"].sort());
  });
});

describe("--watch", () => {
  test("judges again after a change, survives a file that is broken or gone, and ends with 0", async () => {
    const cwd = tempDirectory({ [NAME]: soundConfig() });
    const child = spawn(process.execPath, [BIN, "check", "--watch"], {
      cwd,
      env: plainEnv(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    const path = join(cwd, NAME);
    const put = (text: string) => () => {
      writeFileSync(`${path}.new`, text);
      renameSync(`${path}.new`, path);
    };
    // A change right after a run may come before the watch is set up, and one may be seen as two: it is made again until it is judged.
    const becomes = async (change: () => void, said: RegExp) => {
      const from = output.length;
      const timer = setInterval(change, 400);
      change();
      while (!said.test(output.slice(from))) await once(child.stdout, "data");
      clearInterval(timer);
    };
    while (!/^passed/m.test(output)) await once(child.stdout, "data");
    await becomes(put(FAULTY), /nonsense/);
    await becomes(() => rmSync(path, { force: true }), /input\/(?:no-deployment|missing)/);
    await becomes(put("{"), /syntax\//);
    await becomes(put(soundConfig()), /^passed/m);
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
  });
});
