import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RELEASES } from "../../src/catalog/releases/index.ts";
import { TARGET_NAMES } from "../../src/config/written-config.ts";
import type { Deployment } from "../../src/deployment/deployment.ts";
import { renderDeployment } from "../../src/render/render.ts";
import { loadDeployment } from "../../src/workspace/load-deployment.ts";
import { PLAIN } from "./support.ts";

const CASES = join(import.meta.dirname, "..", "cases");
/** `examples` has no input of its own: golden.test.ts renders these. */
const FAMILIES = readdirSync(CASES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "examples")
  .map((entry) => entry.name);

/** Every case of a family, under every release and target: mostly deployments with something wrong. */
function* deploymentsOf(family: string): Generator<readonly [string, Deployment]> {
  for (const name of readdirSync(join(CASES, family)).sort()) {
    const input = join(CASES, family, name, "input");
    if (!existsSync(join(input, "qm.config.jsonc"))) continue;
    const root = mkdtempSync(join(tmpdir(), "qm-case-"));
    try {
      cpSync(input, root, { recursive: true });
      if (existsSync(join(root, "env"))) renameSync(join(root, "env"), join(root, ".env"));
      for (const { version } of RELEASES) {
        for (const target of TARGET_NAMES) {
          const { deployment } = loadDeployment(root, { cwd: root, release: version, target });
          if (deployment !== undefined) yield [`${name} ${version} ${target}`, deployment];
        }
      }
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
}

/** Values long and odd enough that their place in a text is no chance. */
function secretValues({ env, secrets }: Deployment): readonly string[] {
  const names = new Set(secrets.map((secret) => secret.name));
  return [...(env?.values ?? [])]
    .filter(([name, value]) => names.has(name) && value.length >= 12 && !/^https?:|replace|example/.test(value))
    .map(([, value]) => value);
}

describe.each(FAMILIES)("the cases of %s", (family) => {
  test("render without a fault, whatever is wrong with them: names are sorted and stand once, texts end with a line end", () => {
    let rendered = 0;
    for (const [what, deployment] of deploymentsOf(family)) {
      const { artifacts, refusals } = renderDeployment(deployment, { ...PLAIN, secrets: true });
      rendered++;
      const names = artifacts.map((artifact) => artifact.name);
      expect(names, what).toEqual([...new Set(names)].sort());
      for (const { name, text } of artifacts)
        expect(text.endsWith("\n") && text.isWellFormed(), `${what} ${name}`).toBe(true);
      for (const { artifact } of refusals) expect(names, what).not.toContain(artifact);
    }
    expect(rendered).toBeGreaterThan(0);
  });

  test("no secret value stands in a file that may be committed, nor in what is said", () => {
    for (const [what, deployment] of deploymentsOf(family)) {
      const { artifacts, refusals, notes } = renderDeployment(deployment, { ...PLAIN, secrets: true });
      const open = [
        ...artifacts.filter((artifact) => !artifact.secret).map((artifact) => artifact.text),
        JSON.stringify(refusals),
        JSON.stringify(notes),
      ].join("\n");
      const config = deployment.inputs.config.text;
      for (const value of secretValues(deployment))
        if (!config.includes(value)) expect(open.includes(value), what).toBe(false);
    }
  });
});
