import { describe, expect, test } from "vitest";
import { writeEnv } from "../../src/envfile/index.ts";
import { renderDeployment } from "../../src/render/render.ts";
import { readWith } from "../envfile/readers/index.ts";
import { filledEnv, valueFor } from "./secret-values.ts";
import { example, PLAIN } from "./support.ts";

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

  /**
   * What flyctl makes of a text, written from its published behaviour and not from our reader: as long as no `#` is in
   * play, all its versions take off a pair of `"` and one of `"""`, which may stand around several lines, and nothing else.
   */
  function importedByFly(text: string): Map<string, string> {
    const assignments = text.matchAll(/^(?!#)([^=\n]+)=(?:"""([^]*?)"""|"(.*)"|(?!")(.*))$/gm);
    return new Map(
      [...assignments].map(([, name = "", ...values]) => [name, values.find((one) => one !== undefined) ?? ""]),
    );
  }

  test.each(["two\nlines", "a blank", '"quoted"', `both ' and "`, "\\n is no line end", "$HOME `id`"])(
    "fly: %j arrives as it is in every version of `fly secrets import`, which is not how dotenv's dialect writes it",
    (value) => {
      const written = writeEnv("dotenv", [{ name: "BOXD_API_KEY", value }]);
      const env = filledEnv(example("fly-boxd")).replace(/^BOXD_API_KEY=.*\n/m, () => (written.ok ? written.text : ""));
      const { files, refusals } = secretFiles("fly-boxd", env);
      expect(refusals).toEqual([]);
      expect(importedByFly(files.get("core.secrets.fly") ?? "").get("BOXD_API_KEY")).toBe(value);
      expect(importedByFly(written.ok ? written.text : "").get("BOXD_API_KEY")).not.toBe(value);
    },
  );

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

  test("a reference that a tool reads is refused with what has it read", () => {
    const env = filledEnv(example("docker-boxd")).replace(/^BOXD_API_KEY=.*$/m, "BOXD_API_KEY=op://acme/boxd/key");
    const [refusal, ...others] = secretFiles("docker-boxd", env).refusals;
    expect(refusal).toMatchObject({
      rule: "render/secret-missing",
      command: "qm-deploy render --secrets --resolve",
    });
    expect([refusal?.help, others]).toEqual([expect.stringContaining("`op` reads it"), []]);
  });

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

  test.each([`both ' and "`, "cost: $5 and `id`", "two\nlines", "\\n is no line end"])(
    "docker: %j arrives as it is where compose reads the file",
    (value) => {
      const written = writeEnv("dotenv", [{ name: "BOXD_API_KEY", value }]);
      const dotenv = written.ok ? written.text : "";
      const { files } = secretFiles(
        "docker-boxd",
        filledEnv(example("docker-boxd")).replace(/^BOXD_API_KEY=.*\n/m, () => dotenv),
      );
      const read = readWith("compose", files.get("core.secrets.env") ?? "");
      expect(read.ok && read.values.get("BOXD_API_KEY")).toBe(value);
    },
  );

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

  test("docker: there is none for a Postgres whose password no catalogue has", () => {
    const { artifacts, refusals } = renderDeployment(
      { ...example("docker-boxd"), secrets: [] },
      { ...PLAIN, secrets: true },
    );
    expect(artifacts.map(({ name }) => name)).toContain("compose.yaml");
    expect([...artifacts.filter(({ secret }) => secret), ...refusals]).toEqual([]);
  });

  test("there are none unless asked for", () => {
    const { artifacts } = renderDeployment(example("docker-boxd", { env: filledEnv(example("docker-boxd")) }), PLAIN);
    expect(artifacts.filter((artifact) => artifact.secret || artifact.name.includes(".secrets."))).toEqual([]);
  });
});
