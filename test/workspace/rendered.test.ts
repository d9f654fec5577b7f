import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadDeployment } from "../../src/workspace/load.ts";
import { planRender, type RenderRequest } from "../../src/workspace/rendered-plan.ts";
import { renderedPlace } from "../../src/workspace/rendered-place.ts";
import { writeRender } from "../../src/workspace/rendered-write.ts";
import { WriteRefused } from "../../src/workspace/write.ts";
import { soundConfig } from "../cli/deployments.ts";
import { filledEnv } from "../render/secret-values.ts";
import { tempDirectory } from "./temp.ts";

const DIGEST = "5e".repeat(32);
const IMAGES = { core: `registry.acme-corp.dev/core@sha256:${DIGEST}`, "web-ui": `registry.acme-corp.dev/web@sha256:${DIGEST}` };

function deploymentDirectory(more: object = {}): string {
  return tempDirectory({ "qm.config.jsonc": soundConfig({ imageOverrides: IMAGES, ...more }) });
}

function request(cwd: string, more: Partial<RenderRequest> & { secrets?: boolean; out?: string } = {}): RenderRequest {
  const { deployment, problem } = loadDeployment(cwd, { cwd });
  if (problem !== undefined) throw new Error(problem.message);
  const { secrets = false, out, ...rest } = more;
  return {
    deployment,
    place: renderedPlace(cwd, deployment.target ?? "docker", out, cwd),
    options: { secrets, withOptional: false, bind: "127.0.0.1" },
    only: null,
    prune: false,
    ...rest,
  };
}

const write = (cwd: string, more: Parameters<typeof request>[1] = {}) => writeRender(request(cwd, more), (plan) => plan.refusals.length === 0);

/** Every file below a directory with its content, links with what they point at. */
function snapshot(directory: string): { [path: string]: string } {
  if (!existsSync(directory)) return {};
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(files.flatMap((name) => {
    const stats = lstatSync(join(directory, name));
    return stats.isFile() ? [[name, readFileSync(join(directory, name), "utf8")]] : stats.isSymbolicLink() ? [[name, "link"]] : [];
  }));
}

describe("a first render", () => {
  test("writes what the plan says and nothing else, and a second one touches no file", async () => {
    const cwd = deploymentDirectory();
    const plan = await write(cwd);
    const directory = join(cwd, "rendered", "docker");
    expect(Object.keys(snapshot(directory))).toEqual(plan.files.map((file) => file.artifact.name).sort());
    expect(readdirSync(cwd).sort()).toEqual(["qm.config.jsonc", "rendered"]);
    const inodes = () => Object.fromEntries(readdirSync(directory).map((name) => [name, statSync(join(directory, name)).ino]));
    const before = inodes();
    const again = await write(cwd);
    expect(again.files.every((file) => file.change === "unchanged")).toBe(true);
    expect(inodes()).toEqual(before);
  });

  test("writes nothing, and makes no directory, when the plan is not accepted", async () => {
    const cwd = deploymentDirectory();
    await writeRender(request(cwd), () => false);
    expect(readdirSync(cwd)).toEqual(["qm.config.jsonc"]);
  });

  test("planning reads only", () => {
    const cwd = deploymentDirectory();
    planRender(request(cwd));
    expect(readdirSync(cwd)).toEqual(["qm.config.jsonc"]);
  });

  test("keeps the permission bits of files that are there", async () => {
    const cwd = deploymentDirectory();
    await write(cwd);
    const file = join(cwd, "rendered", "docker", "compose.yaml");
    writeFileSync(file, "old\n");
    chmodSync(file, 0o640);
    await write(cwd);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });
});

describe("secrets", () => {
  function withEnv(): string {
    const cwd = deploymentDirectory();
    writeFileSync(join(cwd, ".env"), filledEnv(request(cwd).deployment), { mode: 0o600 });
    return cwd;
  }

  test("are written only when asked for, for the owner alone whatever the umask, and stay out of the manifest", async () => {
    const cwd = withEnv();
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    await write(cwd);
    const directory = join(cwd, "rendered", "docker");
    expect(readdirSync(directory).filter((name) => name.includes(".secrets."))).toEqual([]);
    await write(cwd, { secrets: true });
    const files = readdirSync(directory).filter((name) => name.includes(".secrets."));
    expect(files).toEqual(["core.secrets.env", "pg.secrets.env", "web-ui.secrets.env"]);
    for (const name of files) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(directory, "manifest.json"), "utf8")).not.toContain(".secrets.");
    expect((await write(cwd)).stale).toEqual([]);
  });

  test("that others could read are closed again, although their content is right", async () => {
    const cwd = withEnv();
    await write(cwd, { secrets: true });
    const file = join(cwd, "rendered", "docker", "core.secrets.env");
    chmodSync(file, 0o644);
    await write(cwd, { secrets: true });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("of a workload that is gone are pointed out, since no manifest knows them", async () => {
    const cwd = withEnv();
    await write(cwd, { secrets: true });
    expect((await write(cwd)).notes).toEqual([]);
    writeFileSync(join(cwd, "qm.config.jsonc"), soundConfig({ imageOverrides: IMAGES, services: ["core"] }));
    expect((await write(cwd)).notes).toEqual([{ artifact: "web-ui.secrets.env", message: expect.stringContaining("remove it") }]);
  });

  test("are ignored by git", async () => {
    const cwd = withEnv();
    await write(cwd, { secrets: true });
    expect(readFileSync(join(cwd, "rendered", "docker", ".gitignore"), "utf8").split("\n")).toContain("*.secrets.*");
  });
});

describe("links", () => {
  const outside = () => tempDirectory({ "victim.txt": "mine\n" });

  test.each([
    ["rendered", "rendered"],
    ["the target's directory", "rendered/docker"],
    ["a directory of artifacts", "rendered/docker/qm"],
  ])("%s that leads elsewhere is refused and nothing is written there", async (_what, path) => {
    const cwd = deploymentDirectory();
    const target = outside();
    mkdirSync(join(cwd, path, ".."), { recursive: true });
    symlinkSync(target, join(cwd, path));
    await expect(write(cwd)).rejects.toThrow(WriteRefused);
    expect(snapshot(target)).toEqual({ "victim.txt": "mine\n" });
    expect(() => planRender(request(cwd))).toThrow(WriteRefused);
  });

  test.each(["compose.yaml", "manifest.json", ".gitignore"])("an artifact %s that is a link is refused, the file behind it stays", async (name) => {
    const cwd = deploymentDirectory();
    const target = outside();
    await write(cwd);
    rmSync(join(cwd, "rendered", "docker", name));
    symlinkSync(join(target, "victim.txt"), join(cwd, "rendered", "docker", name));
    const before = snapshot(join(cwd, "rendered"));
    await expect(write(cwd)).rejects.toThrow(/symbolic link/);
    expect(snapshot(target)).toEqual({ "victim.txt": "mine\n" });
    expect(snapshot(join(cwd, "rendered"))).toEqual(before);
  });

  test("a dangling link is refused too", async () => {
    const cwd = deploymentDirectory();
    const target = outside();
    mkdirSync(join(cwd, "rendered", "docker"), { recursive: true });
    symlinkSync(join(target, "new.txt"), join(cwd, "rendered", "docker", "core.env"));
    await expect(write(cwd)).rejects.toThrow(WriteRefused);
    expect(existsSync(join(target, "new.txt"))).toBe(false);
  });

  test("a hard link to somebody's file is replaced, not written through", async () => {
    const cwd = deploymentDirectory();
    const victim = join(cwd, "victim.txt");
    writeFileSync(victim, "mine\n");
    mkdirSync(join(cwd, "rendered", "docker"), { recursive: true });
    linkSync(victim, join(cwd, "rendered", "docker", "core.env"));
    await write(cwd);
    expect(readFileSync(victim, "utf8")).toBe("mine\n");
  });

  test("links above --out are the operator's own", async () => {
    const cwd = deploymentDirectory();
    const real = outside();
    const linked = join(cwd, "link");
    symlinkSync(real, linked);
    await expect(write(cwd, { out: "link/out" })).rejects.toThrow(WriteRefused);
    const elsewhere = tempDirectory();
    symlinkSync(real, join(elsewhere, "link"));
    await write(cwd, { out: join(elsewhere, "link", "out") });
    expect(existsSync(join(real, "out", "docker", "compose.yaml"))).toBe(true);
  });

  test("a manifest that names files elsewhere makes --prune remove none of them", async () => {
    const cwd = deploymentDirectory();
    await write(cwd);
    const file = join(cwd, "rendered", "docker", "manifest.json");
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    const hash = (await import("../../src/render/manifest.ts")).textHash("mine\n");
    writeFileSync(join(cwd, "victim.txt"), "mine\n");
    for (const name of ["../../victim.txt", join(cwd, "victim.txt"), "qm/../../../victim.txt", ".", ""]) manifest.artifacts.push({ name, sha256: hash });
    writeFileSync(file, JSON.stringify(manifest));
    const plan = await write(cwd, { prune: true });
    expect(plan.stale).toEqual([]);
    expect(readFileSync(join(cwd, "victim.txt"), "utf8")).toBe("mine\n");
  });
});

describe("stale files", () => {
  async function withoutWebUi(): Promise<{ cwd: string; directory: string }> {
    const cwd = deploymentDirectory();
    await write(cwd);
    writeFileSync(join(cwd, "qm.config.jsonc"), soundConfig({ imageOverrides: IMAGES, services: ["core"] }));
    return { cwd, directory: join(cwd, "rendered", "docker") };
  }

  test("are reported, stay known until they are gone, and go with --prune", async () => {
    const { cwd, directory } = await withoutWebUi();
    for (const _run of [1, 2]) expect((await write(cwd)).stale).toEqual([{ name: "web-ui.env", removable: true }]);
    expect(existsSync(join(directory, "web-ui.env"))).toBe(true);
    await write(cwd, { prune: true });
    expect(existsSync(join(directory, "web-ui.env"))).toBe(false);
    const after = planRender(request(cwd));
    expect([after.stale, after.files.every((file) => file.change === "unchanged")]).toEqual([[], true]);
  });

  test("that were edited stay, as do files that render never wrote", async () => {
    const { cwd, directory } = await withoutWebUi();
    writeFileSync(join(directory, "web-ui.env"), "EDITED=1\n");
    writeFileSync(join(directory, "notes.txt"), "mine\n");
    const plan = await write(cwd, { prune: true });
    expect(plan.stale).toEqual([{ name: "web-ui.env", removable: false }]);
    expect(snapshot(directory)).toMatchObject({ "web-ui.env": "EDITED=1\n", "notes.txt": "mine\n" });
  });

  test("take their empty directory with them", async () => {
    const cwd = deploymentDirectory();
    await write(cwd);
    const directory = join(cwd, "rendered", "docker");
    expect(existsSync(join(directory, "qm"))).toBe(true);
    writeFileSync(join(cwd, "qm.config.jsonc"), soundConfig({ imageOverrides: IMAGES, sandbox: undefined, env: { core: { SANDBOX_BACKEND: "sprites" } } }));
    const plan = await write(cwd, { prune: true });
    expect(plan.stale).toContainEqual({ name: "qm/qm.config.jsonc", removable: true });
    expect(existsSync(join(directory, "qm"))).toBe(false);
  });
});

describe("--only", () => {
  test("writes these alone and keeps what the manifest knows of the others", async () => {
    const cwd = deploymentDirectory();
    await write(cwd);
    writeFileSync(join(cwd, "qm.config.jsonc"), soundConfig({ imageOverrides: IMAGES, botName: "Robin" }));
    const directory = join(cwd, "rendered", "docker");
    const before = snapshot(directory);
    await write(cwd, { only: ["core.env"] });
    const after = snapshot(directory);
    expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual(["core.env", "manifest.json"]);
    expect(planRender(request(cwd, { only: ["core.env"] })).files.map((file) => file.change)).toEqual(["unchanged", "unchanged"]);
    const names = JSON.parse(after["manifest.json"] ?? "").artifacts.map((entry: { name: string }) => entry.name);
    expect(names).toEqual(JSON.parse(before["manifest.json"] ?? "").artifacts.map((entry: { name: string }) => entry.name));
  });

  test("says which names there are not", () => {
    expect(planRender(request(deploymentDirectory(), { only: ["compose.yml"] })).unknown).toEqual(["compose.yml"]);
  });
});

describe("a render that fails halfway", () => {
  test.each([1, 2, 4])("leaves what was there: the swap of file %i is refused by the file system", async (nth) => {
    const cwd = deploymentDirectory();
    await write(cwd);
    const directory = join(cwd, "rendered", "docker");
    const before = snapshot(directory);
    writeFileSync(join(cwd, "qm.config.jsonc"), soundConfig({ imageOverrides: IMAGES, botName: "Robin", services: ["core", "web-ui", "admin", "portal", "auth"] }));
    const wanted = request(cwd);
    const changed = planRender(wanted).files.filter((file) => file.change !== "unchanged" && file.artifact.name !== "manifest.json");
    const victim = changed[nth]?.artifact.name as string;
    // A directory in the way appears between the plan and the swap.
    let asked = 0;
    const run = writeRender(wanted, () => {
      if (++asked === 2) {
        if (existsSync(join(directory, victim))) renameSync(join(directory, victim), join(directory, `${victim}.away`));
        mkdirSync(join(directory, victim));
      }
      return true;
    });
    await expect(run).rejects.toThrow();
    rmSync(join(directory, victim), { recursive: true });
    if (existsSync(join(directory, `${victim}.away`))) renameSync(join(directory, `${victim}.away`), join(directory, victim));
    expect(snapshot(directory)).toEqual(before);
  });

  test("what a killed run left is removed by the next, and nothing else", async () => {
    const cwd = deploymentDirectory();
    const directory = join(cwd, "rendered", "docker");
    mkdirSync(join(directory, ".render-0123456789abcdef.tmp", "new"), { recursive: true });
    writeFileSync(join(directory, ".render-0123456789abcdef.tmp", "new", "core.secrets.env"), "A=1\n");
    mkdirSync(join(directory, ".render-mine"));
    await write(cwd);
    expect(readdirSync(directory).filter((name) => name.startsWith(".render-"))).toEqual([".render-mine"]);
  });

  test("two at once leave the files of one of them, whole", async () => {
    const cwd = deploymentDirectory();
    await Promise.all([write(cwd), write(cwd), write(cwd)]);
    expect(planRender(request(cwd)).files.every((file) => file.change === "unchanged")).toBe(true);
    expect(readdirSync(join(cwd, "rendered", "docker")).filter((name) => /\.lock$|\.tmp$/.test(name))).toEqual([]);
  });
});

describe("terraform.tfvars", () => {
  const AWS = join(import.meta.dirname, "../../examples/aws-boxd/qm.config.jsonc");
  const awsDirectory = (files: { [path: string]: string } = {}) => tempDirectory({ "qm.config.jsonc": readFileSync(AWS), "package.json": '{"devDependencies":{"@yc-software/qm":"0.1.12"}}', ...files });

  test("starts from the module's own, and from then on keeps what is edited in the rendered one", async () => {
    const cwd = awsDirectory({ "infra/terraform.tfvars": '# ours\ngithub_repository = "acme/qm" # asked Ann\nregion = "old"\n' });
    await write(cwd);
    const file = join(cwd, "rendered", "aws", "terraform.tfvars");
    expect(readFileSync(file, "utf8")).toMatch(/^# ours\ngithub_repository = "acme\/qm" # asked Ann\nregion = "us-west-2"\n/);
    writeFileSync(file, readFileSync(file, "utf8").replace("acme/qm", "acme/deploy"));
    expect(planRender(request(cwd)).files.filter((one) => one.change !== "unchanged")).toEqual([]);
    await write(cwd);
    expect(readFileSync(file, "utf8")).toContain('github_repository = "acme/deploy" # asked Ann');
    expect(readFileSync(join(cwd, "infra", "terraform.tfvars"), "utf8")).toContain('region = "old"');
  });

  test("is never removed by --prune, since its bytes are the operator's", async () => {
    const cwd = awsDirectory();
    await write(cwd);
    const manifest = join(cwd, "rendered", "aws", "manifest.json");
    expect(JSON.parse(readFileSync(manifest, "utf8")).artifacts).toContainEqual({ name: "terraform.tfvars", sha256: null });
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"terraform.tfvars"', '"other.tfvars"'));
    writeFileSync(join(cwd, "rendered", "aws", "other.tfvars"), "x\n");
    expect((await write(cwd, { prune: true })).stale).toEqual([{ name: "other.tfvars", removable: false }]);
    expect(existsSync(join(cwd, "rendered", "aws", "other.tfvars"))).toBe(true);
  });

  test("behind a link is not read", () => {
    const cwd = awsDirectory();
    mkdirSync(join(cwd, "infra"));
    symlinkSync("/etc/hostname", join(cwd, "infra", "terraform.tfvars"));
    expect(() => planRender(request(cwd))).toThrow(WriteRefused);
  });
});
