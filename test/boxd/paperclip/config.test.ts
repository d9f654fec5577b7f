import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { CONFIG_SCHEMA, DEFAULT_TIMEOUT_MS } from "../../../src/boxd/paperclip/manifest.ts";
import { operationMs } from "../../../src/boxd/paperclip/config.ts";
import { Rig } from "./rig.ts";

const SECRET_REF = { type: "secret_ref", secretId: "6a1d", version: "latest" };

async function validate(config: Record<string, unknown>, env: Record<string, string> = {}) {
  await using rig = new Rig({ env });
  const result = await rig.hooks.onEnvironmentValidateConfig({ driverKey: "boxd", config });
  expect(rig.opened, "validating is offline").toEqual([]);
  return result;
}

describe("P03 validate", () => {
  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    ["the least", { apiKey: "bxd_k" }, {}],
    ["the key from the host", {}, { BOXD_API_KEY: "bxd_env" }],
    ["a reference to a secret", { apiKey: SECRET_REF }, {}],
    ["blank settings", { apiKey: "bxd_k", org: " ", image: "", snapshot: null, vcpu: "" }, {}],
    [
      "everything",
      {
        apiKey: "bxd_k",
        org: "acme",
        vcpu: 4,
        image: "base",
        timeoutMs: 1_000,
        reuseLease: true,
        reuseIdleSeconds: 60,
        maxLeaseSeconds: 2_592_000,
        baseUrl: "https://boxd.sh:9443/",
      },
      {},
    ],
  ])("P03 accepts %s", async (_name, config, env) => {
    const result = await validate(config, env);
    expect(result).toEqual({
      ok: true,
      normalizedConfig: expect.objectContaining({ timeoutMs: expect.any(Number), reuseLease: expect.any(Boolean) }),
    });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["vcpu 3", { vcpu: 3 }, "vcpu"],
    ["vcpu as text", { vcpu: "4" }, "vcpu"],
    ["vcpu with a snapshot", { vcpu: 2, snapshot: "base" }, "snapshot"],
    ["timeout 0", { timeoutMs: 0 }, "timeoutMs"],
    ["a timeout over a day", { timeoutMs: 86_400_001 }, "timeoutMs"],
    ["a timeout as text", { timeoutMs: "5m" }, "timeoutMs"],
    ["a machine that would last longer than a timer", { maxLeaseSeconds: 2_592_001 }, "maxLeaseSeconds"],
    ["a wait beyond all dates", { reuseIdleSeconds: 1e300 }, "reuseIdleSeconds"],
    ["a wait of less than a minute", { reuseIdleSeconds: 59 }, "reuseIdleSeconds"],
    ["a missing key", { apiKey: "  " }, "apiKey"],
    ["reuseLease as text", { reuseLease: "true" }, "reuseLease"],
    ["an address with credentials", { baseUrl: "https://user:pw@boxd.sh" }, "baseUrl"],
    ["an address that would be sent the key unencrypted", { baseUrl: "http://boxd.example" }, "baseUrl"],
    ["an org that is no text", { org: 7 }, "org"],
  ])("P03 refuses %s with one message", async (_name, config, field) => {
    const result = await validate({ apiKey: "bxd_k", ...config });
    expect(result.ok).toBe(false);
    expect(result.errors).toEqual([expect.stringContaining(`\`${field}\``)]);
  });

  test("P03 reports every problem at once, and no value", async () => {
    const result = await validate({ vcpu: 3, timeoutMs: -1, baseUrl: "ftp://canary" });
    expect(result.errors).toHaveLength(4);
    expect(JSON.stringify(result)).not.toContain("canary");
  });

  test("P03 keeps secrets and unknown settings exactly, and trims the rest", async () => {
    const result = await validate({
      apiKey: SECRET_REF,
      org: " acme ",
      snapshot: "",
      bridgeRequestTimeoutMs: 9,
      timeoutMs: 1_500.7,
    });
    expect(result.normalizedConfig).toEqual({
      apiKey: SECRET_REF,
      org: "acme",
      bridgeRequestTimeoutMs: 9,
      timeoutMs: 1_500,
      reuseLease: false,
    });
  });

  test("P03 what is stored is valid by the schema, and stays as it is when it is validated again", async () => {
    const first = await validate({ apiKey: "bxd_k", vcpu: 8, image: " base " });
    const stored = first.normalizedConfig ?? {};
    const ajv = new Ajv({ formats: { "secret-ref": true } });
    expect(ajv.validate(CONFIG_SCHEMA, stored), JSON.stringify(ajv.errors)).toBe(true);
    expect(CONFIG_SCHEMA.properties.timeoutMs.default).toBe(DEFAULT_TIMEOUT_MS);
    expect(await validate(stored)).toEqual({ ok: true, normalizedConfig: stored });
  });
});

test.each([
  ["not stated: the host cuts at 30 s, and cleaning up takes 20 s of it", undefined, 9_000],
  ["shorter than a creation takes", 1, 9_000],
  ["stated", 60_000, 60_000],
])("an operation's time when the timeout is %s", (_name, timeoutMs, expected) => {
  expect(operationMs({ timeoutMs })).toBe(expected);
});
