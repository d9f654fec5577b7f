import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../cli/built.ts";
import { example, PLAIN } from "../render/support.ts";
import { renderDeployment } from "../../src/render/render.ts";
import { answers } from "../support/programs.ts";
import { pageSteps } from "./page.ts";

const MODULE = join(ROOT, "node_modules/@yc-software/qm/templates/aws");

function terraform(
  directory: string,
  args: readonly string[],
): { readonly status: number | null; readonly text: string } {
  const env = { ...process.env, CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1" };
  const { status, stdout, stderr } = spawnSync("terraform", args, { cwd: directory, encoding: "utf8", env });
  return { status, text: `${stdout}${stderr}`.replaceAll(/\s*\n[│╵╷]?\s*/g, " ") };
}

/** A module with qm's own variables and no resources, as providers come from the network. */
function variablesModule(): string {
  const directory = mkdtempSync(join(tmpdir(), "qm-variables-"));
  copyFileSync(join(MODULE, "variables.tf"), join(directory, "variables.tf"));
  return directory;
}

describe.skipIf(!answers("terraform", ["version"]))("the real terraform (skipped without it)", () => {
  const pages = ["aws-boxd", "aws-lambda"].map((name) => {
    const { artifacts } = renderDeployment(example(name), { ...PLAIN, place: "rendered/aws" });
    const text = (file: string): string => artifacts.find((artifact) => artifact.name === file)?.text ?? "";
    return [name, text("terraform.tfvars"), text("bring-up.md")] as const;
  });

  test.each(pages)("%s: qm's variables take the rendered ones, once the operator has set theirs", (_, tfvars) => {
    const directory = variablesModule();
    const plan = (text: string): { status: number | null; text: string } => {
      writeFileSync(join(directory, "rendered.tfvars"), text);
      return terraform(directory, ["plan", "-input=false", "-var-file=rendered.tfvars"]);
    };
    expect(terraform(directory, ["init", "-input=false"])).toMatchObject({ status: 0 });
    expect(plan(tfvars)).toMatchObject({
      status: 1,
      text: expect.stringContaining("github_repository must be the explicit"),
    });
    const set = tfvars.replace("replace-me/repository", "acme/deployment");
    expect(plan(set)).toMatchObject({ status: 0, text: expect.not.stringContaining("undeclared") });
    expect(plan(set.replace("refs/heads/main", "main"))).toMatchObject({ status: 1 });
  });

  test.each(pages)("%s: the backend that the page writes is one", (_, _tfvars, page) => {
    const block = pageSteps(page).find(({ title }) => title.includes("state"))?.block ?? "";
    const [, backend = ""] = /<<'END'\n([\s\S]*?\n)END/.exec(block) ?? [];
    const directory = mkdtempSync(join(tmpdir(), "qm-backend-"));
    const validate = (text: string): { status: number | null; text: string } => {
      writeFileSync(join(directory, "backend.tf"), text);
      terraform(directory, ["init", "-backend=false", "-input=false"]);
      return terraform(directory, ["validate"]);
    };
    expect(validate(backend)).toMatchObject({ status: 0, text: expect.stringContaining("The configuration is valid") });
    expect(terraform(directory, ["fmt", "-check"])).toMatchObject({ status: 0 });
    // It looks into the block: a word that the backend does not know is refused when it is set up.
    writeFileSync(join(directory, "backend.tf"), backend.replace("use_lockfile", "use_lock_file"));
    expect(terraform(directory, ["init", "-input=false"]).text).toContain(
      'An argument named "use_lock_file" is not expected here',
    );
  });

  test("is as new as the page asks for", () => {
    const { terraform_version: version } = JSON.parse(
      spawnSync("terraform", ["version", "-json"], { encoding: "utf8" }).stdout,
    ) as {
      terraform_version: string;
    };
    expect(Number(version.split(".")[1]), version).toBeGreaterThanOrEqual(10);
    expect(readFileSync(join(MODULE, "versions.tf"), "utf8")).toContain('required_version = ">= 1.7"');
  });
});
