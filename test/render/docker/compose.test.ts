import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { RenderOptions } from "../../../src/render/artifact.ts";
import { renderDeployment } from "../../../src/render/render.ts";
import type { ReadService } from "../compose-reader.ts";
import { contextOf, example, PLAIN } from "../support.ts";

type Change = NonNullable<Parameters<typeof example>[1]>;

/** The compose file of an example as data. */
function compose(name: string, change: Change = {}, options: Partial<RenderOptions> = {}) {
  const rendered = renderDeployment(example(name, change), contextOf(example(name, change), options).options);
  expect(rendered.refusals.filter((refusal) => refusal.artifact === "compose.yaml")).toEqual([]);
  const text = rendered.artifacts.find((artifact) => artifact.name === "compose.yaml")?.text ?? "";
  return { text, data: parse(text, { logLevel: "error" }), notes: rendered.notes };
}

describe("names", () => {
  test("are those of qm, so that its data is kept and two deployments share nothing", () => {
    const { data } = compose("docker-boxd");
    expect(data.name).toBe("qm-acme");
    expect(data.volumes).toEqual({ coredata: { name: "qm-acme-coredata" }, pgdata: { name: "qm-acme-pgdata" } });
    for (const [name, service] of Object.entries<ReadService>(data.services)) {
      expect(service.container_name).toBe(`qm-acme-${name}`);
      expect(service.labels).toEqual({ "qm.org": "acme" });
      expect(service.networks).toEqual({ default: { aliases: [name, `qm-acme-${name}.internal`] } });
    }
    expect(data.networks).toBeUndefined();
  });

  test("no name, port or volume of one organization occurs in another's file", () => {
    const mine = compose("docker-boxd").data;
    const other = compose("docker-boxd", { config: (text) => text.replace('"acme"', '"zenith"') }).data;
    const names = (data: {
      name: string;
      services: { [name: string]: ReadService };
      volumes: { [name: string]: { name: string } };
    }) => [
      data.name,
      ...Object.values(data.services).map((service) => service.container_name),
      ...Object.values(data.volumes).map((volume) => volume.name),
    ];
    expect(names(mine).filter((name) => names(other).includes(name as string))).toEqual([]);
  });
});

describe("ports", () => {
  test("are bound to loopback, at the offsets of qm; the database has none", () => {
    const { services } = compose("docker-boxd").data;
    expect([services.core.ports, services["web-ui"].ports, services.pg.ports]).toEqual([
      ["127.0.0.1:8080:8080"],
      ["127.0.0.1:8082:8080"],
      undefined,
    ]);
  });

  test("follow basePort and --bind", () => {
    const { services } = compose(
      "docker-boxd",
      { config: (text) => text.replace('"target"', '"basePort": 9100, "target"') },
      { bind: "::1" },
    ).data;
    expect(services["web-ui"].ports).toEqual(["[::1]:9102:8080"]);
  });

  test("belong to workloads of their own: admin has one under 0.1.6 and none under 0.1.12, auth never", () => {
    const all = (text: string) =>
      text
        .replace('["core", "web-ui"]', '["core", "web-ui", "admin", "portal", "auth"]')
        .replace(
          '"imageOverrides": {',
          `"imageOverrides": {${["web-ui", "admin", "portal", "auth"].map((name) => `"${name}": "ghcr.io/acme/${name}@sha256:${"ab".repeat(32)}",`).join("")}`,
        );
    const older = compose("docker-boxd", { config: all, release: "0.1.6" }).data.services;
    expect([older.admin.ports, older.portal.ports, older.auth.ports]).toEqual([
      ["127.0.0.1:8083:8080"],
      ["127.0.0.1:8081:8080"],
      undefined,
    ]);
    const newer = compose("docker-boxd", { config: all, release: "0.1.12" }).data.services;
    expect([newer.admin, newer.auth]).toEqual([undefined, undefined]);
  });

  test("start in qm's order, each when those before it are healthy", () => {
    const all = (text: string) => text.replace('["core", "web-ui"]', '["portal", "auth", "web-ui", "core"]');
    const { services } = compose("docker-boxd", { config: all, release: "0.1.12" }).data;
    expect(Object.keys(services)).toEqual(["pg", "core", "web-ui", "portal"]);
    const waits = Object.fromEntries(
      Object.entries<ReadService>(services).map(([name, service]) => [name, Object.keys(service.depends_on ?? {})]),
    );
    expect(waits).toEqual({ pg: [], core: ["pg"], "web-ui": ["core"], portal: ["core", "web-ui"] });
  });
});

describe("the database", () => {
  test("is left out where secretEnv.core says where core's DATABASE_URL comes from", () => {
    const { data } = compose("docker-boxd", {
      config: (text) =>
        text.replace('"env": {', '"secretEnv": { "core": { "DATABASE_URL": "MY_DATABASE" } }, "env": {'),
    });
    expect(data.services.pg).toBeUndefined();
    expect(Object.keys(data.volumes)).toEqual(["coredata"]);
    expect(data.services.core.depends_on).toBeUndefined();
  });

  test("is left out where .env has a DATABASE_URL, and it says so", () => {
    const { data, notes } = compose("docker-boxd", { env: "DATABASE_URL=postgres://u:p@db.internal:5432/x\n" });
    expect(data.services.pg).toBeUndefined();
    expect(notes.map((note) => note.message).join()).toContain("DATABASE_URL");
  });

  test("is there with a blank .env, which must render", () => {
    expect(compose("docker-boxd", { env: "DATABASE_URL=\nPOSTGRES_PASSWORD=\n" }).text).toBe(
      compose("docker-boxd").text,
    );
  });
});

describe("local sandboxes", () => {
  test("get the socket, its group, the daemon's address and core's own name", () => {
    const { services } = compose("docker-local").data;
    expect(services.core.volumes).toContainEqual({
      type: "bind",
      source: "/var/run/docker.sock",
      target: "/var/run/docker.sock",
    });
    expect(services.core.group_add).toEqual([expect.stringMatching(/^\$\{DOCKER_GID:\?[^}]+\}$/)]);
    expect(services.core.environment).toMatchObject({
      DOCKER_HOST: "unix:///var/run/docker.sock",
      QM_CORE_CONTAINER: "qm-acme-core",
    });
  });

  test("are nothing that a boxd deployment has", () => {
    const { core } = compose("docker-boxd").data.services;
    expect(core.group_add).toBeUndefined();
    expect(JSON.stringify(core)).not.toMatch(/docker\.sock|DOCKER_HOST|QM_CORE_CONTAINER/);
  });
});

describe("images", () => {
  test("without any for a service the file is refused by the service's name", () => {
    const rendered = renderDeployment(example("docker-local", { release: "0.1.6" }), PLAIN);
    expect(rendered.artifacts.map((artifact) => artifact.name)).not.toContain("compose.yaml");
    const named = rendered.refusals
      .filter((refusal) => refusal.artifact === "compose.yaml" && refusal.rule === "render/image-missing")
      .map((refusal) => refusal.message);
    expect(named.map((message) => /`([^`]+)`/.exec(message)?.[1])).toEqual(["core", "web-ui"]);
  });
});

describe("mounts", () => {
  test("of the layer and other skills are read-only and meant from the deployment directory", () => {
    const { core } = compose("docker-boxd", {
      config: (text) => text.replace('"target"', '"skills": ["./team skills", "more"], "target"'),
    }).data.services;
    expect(core.volumes.slice(1)).toEqual([
      { type: "bind", source: "../../sandbox/skills", target: "/layer/skills", read_only: true },
      { type: "bind", source: "../../team skills", target: "/app/plugins/deployment-skills-0/skills", read_only: true },
      { type: "bind", source: "../../more", target: "/app/plugins/deployment-skills-1/skills", read_only: true },
    ]);
  });
});
