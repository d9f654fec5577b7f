import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BIN, plainEnv, runCli } from "../../cli/built.ts";
import { runInProcess } from "../../cli/in-process.ts";
import { soundConfig } from "../../cli/deployments.ts";
import { tempDirectory } from "../../workspace/temp.ts";
import { EXAMPLES } from "../support.ts";
import { CONFIG, deployment, files, IMAGES } from "./deployment.ts";

describe("the render command of bring-up.md changes nothing that was rendered", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["docker-boxd", ["--out", "."]],
    ["docker-boxd", ["--out", "-x"]],
    ["docker-boxd", ["--out", "../it's out", "--bind", "::1"]],
    ["docker-boxd", ["--release", "0.1.6", "--force"]],
    ["fly-boxd", ["--target", "docker", "--out", "deep/er", "--release", "0.1.12"]],
    ["aws-boxd", ["--with-optional"]],
  ];
  test.each(cases)("%s %j", async (name, options) => {
    const cwd = join(tempDirectory(), "deployment");
    cpSync(join(EXAMPLES, name), cwd, { recursive: true });
    const [shown] = JSON.parse(
      (await runInProcess(["render", "--format", "json", ...options], { cwd })).stdout,
    ).deployments;
    const directory = join(cwd, shown.directory);
    const committed = files(directory);
    const [, command = ""] = /^qm-deploy (render --secrets.*)$/m.exec(committed["bring-up.md"] ?? "") ?? [];
    const words = spawnSync("bash", ["-c", `printf '%s\\0' ${command}`], { encoding: "utf8" })
      .stdout.split("\0")
      .slice(0, -1);
    const force = options.includes("--force") ? ["--force"] : [];
    await runInProcess([...words.filter((word) => word !== "--secrets"), ...force], { cwd });
    expect(files(directory)).toEqual(committed);
    expect(committed["bring-up.md"]).not.toContain(" -x/");
  });
});

describe("the same deployment gives the same bytes", () => {
  const order = [
    "contract",
    "orgId",
    "publicUrl",
    "target",
    "services",
    "modelProvider",
    "env",
    "sandbox",
    "imageOverrides",
  ];
  const shuffled = (text: string): string => {
    const config = JSON.parse(text);
    const env = { core: Object.fromEntries(Object.entries(config.env.core).reverse()) };
    const images = Object.fromEntries(Object.entries(config.imageOverrides).reverse());
    return JSON.stringify(
      Object.fromEntries(
        [...order].reverse().map((key) => [key, key === "env" ? env : key === "imageOverrides" ? images : config[key]]),
      ),
    );
  };

  test("whatever the working directory, time zone, locale, umask and order of keys", async () => {
    const cwd = deployment();
    await runInProcess(["render"], { cwd });
    // The projection for qm keeps the order of the config, which is the operator's.
    const {
      "qm/qm.config.jsonc": _own,
      "manifest.json": _hashes,
      ...expected
    } = files(join(cwd, "rendered", "docker"));
    const other = tempDirectory({ [`deep/er/${CONFIG}`]: shuffled(readFileSync(join(cwd, CONFIG), "utf8")) });
    const before = process.umask(0o077);
    try {
      runCli(["render", "../deep/er"], {
        cwd: (mkdirSync(join(other, "else")), join(other, "else")),
        env: { TZ: "Asia/Kathmandu", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" },
      });
    } finally {
      process.umask(before);
    }
    expect(files(join(other, "deep", "er", "rendered", "docker"))).toMatchObject(expected);
  });
});

describe("a process that is killed while it writes", () => {
  test("leaves whole files, old or new, and the next render mends the rest", async () => {
    const cwd = deployment();
    await runInProcess(["render"], { cwd });
    const directory = join(cwd, "rendered", "docker");
    const old = files(directory);
    writeFileSync(join(cwd, CONFIG), soundConfig({ imageOverrides: IMAGES, botName: "Robin" }));
    const wanted: { [name: string]: string } = {};
    for (const name of Object.keys(old))
      wanted[name] = (await runInProcess(["render", "--only", name, "--stdout"], { cwd })).stdout;
    for (const delay of [60, 90, 110, 130, 160]) {
      const child = spawn(process.execPath, ["--", BIN, "render"], { cwd, env: plainEnv(), stdio: "ignore" });
      const ended = new Promise((done) => child.once("close", done));
      setTimeout(() => child.kill("SIGKILL"), delay);
      await ended;
      for (const [name, text] of Object.entries(files(directory)).filter(
        ([path]) => !path.startsWith(".render-") && !path.endsWith(".lock"),
      )) {
        if (name !== "manifest.json") expect([old[name], wanted[name]], name).toContain(text);
      }
    }
    expect(await runInProcess(["render"], { cwd })).toMatchObject({ status: 0, stderr: "" });
    expect((await runInProcess(["render", "--check"], { cwd })).status).toBe(0);
    expect(Object.keys(files(directory))).toEqual(Object.keys(old));
  });
});
