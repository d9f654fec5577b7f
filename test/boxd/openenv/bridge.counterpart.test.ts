/** The Python package, built and installed as users have it, with OpenEnv's real clients and servers: pytest's tests, each one of ours. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plainEnv, ROOT } from "../../cli/built.ts";
import { processesSupported } from "../../support/boxd-fake/index.ts";
import { answers } from "../../support/programs.ts";
import { BridgeWorld } from "./bridge-world.ts";
import { hasOpenssl } from "./front.ts";

const PACKAGE = join(ROOT, "python");
const PYTHON = process.env["QM_DEPLOY_PEERS_PYTHON"] ?? "";
const NEEDED = ["openenv", "pytest", "hatchling", "mypy", "pip"];
const hasPython = PYTHON !== "" && answers(PYTHON, ["-c", `import ${NEEDED.join(", ")}`]);
const canRun = hasPython && processesSupported && hasOpenssl;
/** A checkout of OpenEnv's `envs/echo_env`, which no package has. */
const ECHO = process.env["QM_DEPLOY_OPENENV_ECHO"];
const needs = canRun ? "" : ` (skipped: needs QM_DEPLOY_PEERS_PYTHON with ${NEEDED.join(", ")}, /proc and openssl)`;

const PYTEST = ["-m", "pytest", "-p", "no:cacheprovider", "--rootdir", PACKAGE, join(PACKAGE, "tests")];

function python(args: readonly string[], env: { readonly [name: string]: string } = {}): string {
  const options = { cwd: PACKAGE, env: plainEnv({ PYTHONDONTWRITEBYTECODE: "1", ...env }), encoding: "utf8" } as const;
  return execFileSync(PYTHON, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
}

/** A folder with the wheel, what is installed from it, and an environment that `openenv init` has made. */
function install(): string {
  const directory = mkdtempSync(join(tmpdir(), "openenv-package-"));
  python(["-m", "hatchling", "build", "-t", "wheel", "-d", join(directory, "dist")]);
  const [wheel = ""] = readdirSync(join(directory, "dist"));
  const pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check"];
  python([...pip, "--target", join(directory, "site"), join(directory, "dist", wheel)]);
  return directory;
}

/** `file::name[case]` of every test, which junit's report has as class and name. */
function testIds(site: string): string[] {
  const said = python([...PYTEST, "--collect-only", "-q"], { PYTHONPATH: site });
  return said.split("\n").filter((line) => line.includes("::"));
}

const directory = canRun ? install() : "";
const ids = canRun ? testIds(join(directory, "site")) : ["none without a Python"];

describe.skipIf(!canRun)(`the package for Python${needs}`, () => {
  let world: BridgeWorld;
  /** by id what pytest says of it; null for a success */
  const outcomes = new Map<string, string | null>();

  beforeAll(async () => {
    const images = {
      "count-env:1": { directory: join(PACKAGE, "tests", "own_env"), command: server("app:app") },
      "openenv-echo:1": { directory: ECHO ?? "", command: server("server.app:app") },
    };
    world = await BridgeWorld.start(PYTHON, images);
    spawnSync(PYTHON, ["-m", "openenv.cli", "init", "demo_env", "-o", world.directory], { env: plainEnv() });
    const report = join(directory, "report.xml");
    const env = {
      ...world.env,
      PYTHONDONTWRITEBYTECODE: "1",
      PYTHONPATH: `${join(directory, "site")}:${world.directory}`,
      QM_DEPLOY_TEST_PLANE: world.env["BOXD_BASE_URL"] as string,
      QM_DEPLOY_TEST_DEMO: world.directory,
      ...(ECHO === undefined ? {} : { QM_DEPLOY_OPENENV_ECHO: ECHO }),
    };
    await finished(PYTHON, [...PYTEST, "-q", `--junitxml=${report}`], env);
    for (const [id, outcome] of readReport(readFileSync(report, "utf8"))) outcomes.set(id, outcome);
  }, 1_500_000);
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true, force: true });
  });

  test.for(ids)("%s", (id, { skip }) => {
    expect(outcomes.has(id), "it was run").toBe(true);
    const outcome = outcomes.get(id) ?? null;
    if (outcome?.startsWith("<skipped ") === true) skip(outcome);
    expect(outcome).toBeNull();
  });

  test("no machine and no process is left of all of them", () => {
    expect(world.plane.survivors()).toEqual([]);
    expect(world.plane.processes()).toEqual([]);
    expect(world.plane.violations).toEqual([]);
  });

  test("the wheel has the package alone, typed", () => {
    const list = python([
      "-m",
      "zipfile",
      "-l",
      join(directory, "dist", readdirSync(join(directory, "dist"))[0] ?? ""),
    ]);
    const files = [...list.matchAll(/^(\S+?\/\S+)/gm)].map(([, file = ""]) =>
      file.replace(/-\d[^/]*\.dist-info/, ".dist-info"),
    );
    const sources = readdirSync(join(PACKAGE, "src", "qm_deploy_openenv")).filter(
      (name) => !name.startsWith("__pycache__"),
    );
    const meta = ["METADATA", "RECORD", "WHEEL", "licenses/LICENSE"].map(
      (name) => `qm_deploy_openenv.dist-info/${name}`,
    );
    expect(files.sort()).toEqual([...sources.map((name) => `qm_deploy_openenv/${name}`), ...meta].sort());
    expect(sources).toContain("py.typed");
  });

  test("mypy --strict finds nothing", () => {
    const { stdout, status } = spawnSync(PYTHON, ["-m", "mypy", "--cache-dir", join(directory, "mypy")], {
      cwd: PACKAGE,
      env: plainEnv(),
      encoding: "utf8",
    });
    expect([stdout, status]).toEqual([expect.stringMatching(/^Success: no issues/), 0]);
  });
});

function server(app: string): string[] {
  return [join(dirname(PYTHON), "python"), "-m", "uvicorn", app, "--host", "0.0.0.0", "--port", "8000"];
}

async function finished(
  program: string,
  args: readonly string[],
  env: { readonly [name: string]: string },
): Promise<void> {
  const child = spawn(program, args, { cwd: PACKAGE, env, stdio: ["ignore", "inherit", "inherit"] });
  await new Promise((resolve) => {
    child.once("close", resolve);
  });
}

/** junit's `<testcase classname="tests.test_x" name="test_y[z]">`, closed at once where nothing is to be said. */
function* readReport(xml: string): Generator<[id: string, outcome: string | null]> {
  for (const [, attributes = "", body] of xml.matchAll(/<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)) {
    const of = (name: string): string => plain(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? "");
    const said = body === undefined || body.trim() === "" ? null : plain(body);
    yield [`${of("classname").replaceAll(".", "/")}.py::${of("name")}`, said];
  }
}

function plain(xml: string): string {
  const named: { readonly [name: string]: string } = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return xml
    .replaceAll(/&#x([0-9A-Fa-f]+);|&#(\d+);/g, (_all, hex: string | undefined, decimal: string) =>
      String.fromCodePoint(hex === undefined ? Number(decimal) : parseInt(hex, 16)),
    )
    .replaceAll(/&(lt|gt|quot|apos|amp);/g, (_all, name: string) => named[name] ?? "");
}
