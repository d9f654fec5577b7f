import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { renderDeployment } from "../../src/render/render.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { filledEnv } from "./secret-values.ts";
import { example, PLAIN } from "./support.ts";

/** Shells that people paste into; those that are not there are left out. */
const SHELLS = ["bash", "zsh", "dash"].filter((shell) => spawnSync(shell, ["-c", ":"]).status === 0);

describe("commands in bring-up.md", () => {
  const cases = ["docker-boxd", "docker-local", "fly-boxd", "fly-sprites", "aws-boxd", "aws-lambda"].map(
    (name) => [name, example(name)] as const,
  );

  test.each(cases)("%s: a shell parses every block, and every file that they name is rendered", (name, deployment) => {
    const place = `rendered/${deployment.target}`;
    const filled = example(name, { env: filledEnv(deployment) });
    const rendered = renderDeployment(filled, { ...PLAIN, place, secrets: true });
    const text = rendered.artifacts.find((artifact) => artifact.name === "bring-up.md")?.text ?? "";
    const blocks = [...text.matchAll(/^(`{3,})sh\n([\s\S]*?)\n\1$/gm)].map((match) => match[2] as string);
    expect(blocks.length).toBeGreaterThan(4);
    for (const block of blocks)
      for (const shell of SHELLS)
        expect(spawnSync(shell, ["-n"], { input: block, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
    const names = new Set(rendered.artifacts.map((artifact) => artifact.name));
    for (const [, file = ""] of blocks.join("\n").matchAll(/rendered\/\w+\/([\w./-]+)(?=\s|$|'|")/g))
      expect(names, file).toContain(file);
    // `.env` does not change what is committed.
    expect(
      renderDeployment(deployment, { ...PLAIN, place }).artifacts.find((artifact) => artifact.name === "bring-up.md")
        ?.text,
    ).toBe(text);
  });

  test("fly: the apps are marked with the name that follows from QM_DEPLOYMENT_ID", () => {
    const text = renderDeployment(example("fly-boxd"), PLAIN).artifacts.find(
      (artifact) => artifact.name === "bring-up.md",
    )?.text;
    expect(text).toContain("fly secrets set --stage --app acme-core QM_OWNER_8E0D4C7CE90F6863=1");
    expect(text).toContain("--app acme-web-ui --ha=false --flycast --no-public-ips\n");
  });

  test("boxd: says which core image is needed, and asks for the address that agents call", () => {
    const text = renderDeployment(example("docker-boxd"), PLAIN).artifacts.find(
      (artifact) => artifact.name === "bring-up.md",
    )?.text;
    expect(text).toContain(
      "No core image that qm 0.1.12 published implements boxd. This deployment takes `ghcr.io/acme/qm-core@sha256:",
    );
    expect(text).toContain("PUBLIC_API_URL");
  });

  test.each([
    "PUBLIC_API_URL=https://api.acme.dev\n",
    'PUBLIC_API_URL="https://api.acme.dev"\n',
    "export PUBLIC_API_URL='https://api.acme.dev'\r\n",
    " PUBLIC_API_URL = https://api.acme.dev \n",
    "PUBLIC_API_URL=https://old.acme.dev\nPUBLIC_API_URL=https://api.acme.dev\nPUBLIC_API_URL_OLD=x\n",
  ])("the address in .env is taken as readers of env files do: %j", (env) => {
    const text = renderDeployment(example("docker-boxd"), PLAIN).artifacts.find(
      (artifact) => artifact.name === "bring-up.md",
    )?.text;
    const word = /"\$\(sed .+\)"$/m.exec(text ?? "")?.[0] ?? "";
    const cwd = tempDirectory({ ".env": env });
    for (const shell of SHELLS)
      expect(spawnSync(shell, ["-c", `printf %s ${word}`], { cwd, encoding: "utf8" })).toMatchObject({
        stdout: "https://api.acme.dev",
        stderr: "",
      });
  });

  test("words of the config that a shell would take for something else are quoted", () => {
    const deployment = example("fly-boxd", {
      config: (text) => text.replace('"acme-qm-data"', () => `"a $(touch x) 'b'"`),
    });
    const text = renderDeployment(deployment, PLAIN).artifacts.find(
      (artifact) => artifact.name === "bring-up.md",
    )?.text;
    expect(text).toContain(`fly storage create --name 'a $(touch x) '\\''b'\\''' --app`);
  });
});

test("fly: no database or bucket is made where secretEnv says where theirs are", () => {
  const routes = { DATABASE_URL: "MY_DB", AWS_ACCESS_KEY_ID: "MY_KEY" };
  const deployment = example("fly-boxd", {
    config: (text) =>
      text.replace(/"secretEnv": \{\s*"core": \{/, (start) => `${start}${JSON.stringify(routes).slice(1, -1)},`),
  });
  const text = renderDeployment(deployment, PLAIN).artifacts.find((artifact) => artifact.name === "bring-up.md")?.text;
  expect(text).not.toMatch(/fly mpg create|fly storage create/);
  expect(deployment.secrets.filter(({ name }) => name in routes)).toEqual([]);
});
