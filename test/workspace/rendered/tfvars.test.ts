import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planRender } from "../../../src/workspace/render-plan.ts";
import { WriteRefused } from "../../../src/workspace/write-file.ts";
import { tempDirectory } from "../temp.ts";
import { request, write } from "./rig.ts";

describe("terraform.tfvars", () => {
  const AWS = join(import.meta.dirname, "../../../examples/aws-boxd/qm.config.jsonc");
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
    expect((await write(cwd, { prune: true })).stale).toEqual([{ name: "other.tfvars", removable: false, text: "x\n" }]);
    expect(existsSync(join(cwd, "rendered", "aws", "other.tfvars"))).toBe(true);
  });

  test("behind a link is not read", () => {
    const cwd = awsDirectory();
    mkdirSync(join(cwd, "infra"));
    symlinkSync("/etc/hostname", join(cwd, "infra", "terraform.tfvars"));
    expect(() => planRender(request(cwd))).toThrow(WriteRefused);
  });
});
