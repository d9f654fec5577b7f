import { describe, expect, test } from "vitest";
import { found } from "./boot/found.ts";

const AUTH = { services: ["core", "web-ui", "portal", "auth"] };
const TRANSPORT = { AUTH_EMAIL_TRANSPORT: "resend" };
const core = (more: object): object => ({ env: { core: { HARNESS: "pi", ...more } } });

describe("what only qm's own command line refuses", () => {
  test.each([
    [
      "a blank domain of the broker",
      { ...AUTH, env: { auth: { ...TRANSPORT, AUTH_ALLOWED_EMAIL_DOMAIN: " " } } },
      ["env.auth.AUTH_ALLOWED_EMAIL_DOMAIN"],
    ],
    ["a blank domain without the broker", { env: { auth: { AUTH_ALLOWED_EMAIL_DOMAIN: "" } } }, []],
    ["a sandbox on aws that names no backend", { target: "aws", sandbox: {} }, ["sandbox"]],
    ["a sandbox on aws that names one", { target: "aws", sandbox: { backend: "aws" } }, []],
    ["a machine of slack on docker", { vms: { slack: { memory: "1gb" } } }, ["vms.slack"]],
    ["a machine of core on docker", { vms: { core: { memory: "1gb" } } }, []],
    ["machines that are none", { vms: 5 }, ["vms"]],
    ["a machine that is none", { vms: { core: 5 } }, ["vms.core"]],
    [
      "a size of a machine that is no text",
      { vms: { core: { memory: 512, size: null } } },
      ["vms.core.memory", "vms.core.size"],
    ],
    ["a machine of nothing", { vms: { core: {} } }, []],
    ["no port on fly", { target: "fly", basePort: 0 }, ["basePort"]],
    ["a port on fly", { target: "fly", basePort: 8080 }, []],
    ["half of aws on docker", { aws: { accountId: "210987654321" } }, ["aws"]],
    ["a blank password", core({ ACME_PASSWORD: "" }), ["env.core.ACME_PASSWORD"]],
    ["a switch with a secret's name", core({ ACME_SECRET: "1" }), ["env.core.ACME_SECRET"]],
    ["a secret, which is an error of its own", core({ ACME_SECRET: "hunter2" }), []],
    ["a path of a secret", core({ ACME_SECRET: "/run/secrets/acme" }), []],
    ["a public key", core({ ACME_PUBLIC_KEY: "1" }), []],
  ])("%s", (_what, config, fields) => {
    for (const release of ["0.1.6", "0.1.12"])
      expect(found("config/refused-by-qm", config, { release })).toEqual(fields.map((field) => `info ${field}`));
  });
});
