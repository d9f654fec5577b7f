import { spawnSync } from "node:child_process";
import { parseEnv } from "node:util";
import { parse as parseDotenv } from "dotenv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderDeployment } from "../../src/render/render.ts";
import { readWith } from "../envfile/readers/index.ts";
import { example, PLAIN } from "./support.ts";
import { filledEnv, valueFor } from "./secret-values.ts";
import { envFile, environments, withEnvironment } from "./workload-env.ts";

describe.each(["fly-boxd", "aws-boxd"])("<workload>.env of %s, in the dotenv dialect", (name) => {
  const deployment = example(name);

  test.each(deployment.workloads.map((workload) => workload.name))(
    "%s: node and dotenv read the environment of the workload, and nothing else",
    (workload) => {
      const { text } = envFile(deployment, workload);
      const expected = Object.fromEntries(
        deployment.workloads
          .find((one) => one.name === workload)
          ?.environment.map((entry) => [entry.name, entry.value]) ?? [],
      );
      expect([parseEnv(text ?? ""), parseDotenv(text ?? "")]).toEqual([expected, expected]);
    },
  );

  test("any names and values come back the same, or are refused by name and never by value", () => {
    fc.assert(
      fc.property(environments, (env) => {
        const { text, refusals } = envFile(withEnvironment(deployment, env), "core");
        if (text !== null) expect([{ ...parseEnv(text) }, { ...parseDotenv(text) }]).toEqual([env, env]);
        else
          expect(
            refusals.every((refusal) => Object.keys(env).some((key) => refusal.message.includes(key) || key === "")),
          ).toBe(true);
        expect(text === null).toBe(refusals.length > 0);
      }),
      { numRuns: 150 },
    );
  });
});

test("in <workload>.env on docker a value with a line break is refused at the place where it is written", () => {
  const deployment = example("docker-boxd", {
    config: (text) => text.replace('"HARNESS": "pi"', '"HARNESS": "pi", "LINES": "a\\nb"'),
  });
  const [refusal] = envFile(deployment, "core").refusals;
  expect(refusal).toMatchObject({ rule: "render/value-not-carried", message: expect.stringContaining("`LINES`") });
  const { text } = deployment.document;
  expect(text.slice(refusal?.range?.start.offset, refusal?.range?.end.offset)).toBe('"LINES"');
});

describe("files of secrets", () => {
  function secretFiles(name: string, env?: string) {
    const { artifacts, refusals } = renderDeployment(example(name, { env: env ?? filledEnv(example(name)) }), {
      ...PLAIN,
      secrets: true,
    });
    return {
      files: new Map(artifacts.filter((artifact) => artifact.secret).map((artifact) => [artifact.name, artifact.text])),
      refusals,
    };
  }

  test("fly: one per app, which `fly secrets import` reads; each app gets only its own, under the name inside it", () => {
    const deployment = example("fly-boxd");
    const { files, refusals } = secretFiles("fly-boxd");
    expect(refusals).toEqual([]);
    for (const workload of deployment.workloads) {
      const read = readWith("fly", files.get(`${workload.name}.secrets.fly`) ?? "");
      const expected = deployment.secrets
        .filter((secret) => secret.required && secret.managedBy === "operator")
        .flatMap((secret) =>
          secret.destinations
            .filter((one) => one.workload === workload.name)
            .map((one) => [one.env, valueFor(secret.name)] as const),
        );
      expect(read.ok && [...read.values].sort()).toEqual([...expected].sort());
    }
  });

  test("aws: one input of put-secret-value per secret, under its name in Secrets Manager; none that Terraform fills", () => {
    const { files, refusals } = secretFiles("aws-boxd");
    expect(refusals).toEqual([]);
    expect(JSON.parse(files.get("secrets/BOXD_API_KEY.secrets.json") ?? "")).toEqual({
      SecretId: "acme-qm/BOXD_API_KEY",
      SecretString: valueFor("BOXD_API_KEY"),
    });
    expect([...files.keys()].filter((name) => name.includes("DATABASE_URL"))).toEqual([]);
  });

  test.each(["docker-boxd", "fly-boxd", "aws-boxd"])(
    "%s: a required one that is missing or a placeholder is refused by name, never by value",
    (name) => {
      const env = filledEnv(example(name))
        .replace(/^BOXD_API_KEY=.*\n/m, "")
        .replace(/^CAPABILITY_SECRET=.*$/m, "CAPABILITY_SECRET=replace-me-9031");
      const { files, refusals } = secretFiles(name, env);
      const said = refusals.map((refusal) => `${refusal.rule} ${refusal.message}`);
      expect(said).toContain("render/secret-missing `BOXD_API_KEY` has no value in `.env`");
      expect(said).toContain("render/secret-missing `CAPABILITY_SECRET` is still a placeholder in `.env`");
      expect(said.join()).not.toContain("9031");
      expect([...files.values()].join()).not.toContain("9031");
    },
  );

  test("docker: a value that compose's reader cannot carry is refused by name", () => {
    const { refusals } = secretFiles(
      "docker-boxd",
      `${filledEnv(example("docker-boxd"))}OPENROUTER_API_KEY="sk'\\u0000"\n`.replace("\\u0000", "\u0000"),
    );
    expect(
      refusals
        .filter((refusal) => refusal.rule === "render/value-not-carried")
        .map((refusal) => refusal.message)
        .join(),
    ).toContain("OPENROUTER_API_KEY");
  });

  test("docker: the password is escaped for the URL that core gets", () => {
    const { files } = secretFiles(
      "docker-boxd",
      filledEnv(example("docker-boxd")).replace(/^POSTGRES_PASSWORD=.*$/m, "POSTGRES_PASSWORD='a/b@c:d?e#f%20 g'"),
    );
    const read = readWith("compose", files.get("core.secrets.env") ?? "");
    const url = new URL(read.ok ? (read.values.get("DATABASE_URL") ?? "") : "");
    expect([url.hostname, url.port, url.pathname, decodeURIComponent(url.password)]).toEqual([
      "pg",
      "5432",
      "/qm",
      "a/b@c:d?e#f%20 g",
    ]);
  });

  test("there are none unless asked for", () => {
    const { artifacts } = renderDeployment(example("docker-boxd", { env: filledEnv(example("docker-boxd")) }), PLAIN);
    expect(artifacts.filter((artifact) => artifact.secret || artifact.name.includes(".secrets."))).toEqual([]);
  });
});

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
      expect(spawnSync("bash", ["-n"], { input: block, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
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
