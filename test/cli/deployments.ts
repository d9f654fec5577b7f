/** A boxd deployment on docker without an error; `more` is put over its top-level keys. */
export function soundConfig(more: object = {}): string {
  const config = {
    contract: 1,
    orgId: "acme",
    publicUrl: "https://qm.acme-corp.dev",
    target: "docker",
    services: ["core", "web-ui"],
    modelProvider: "anthropic",
    env: { core: { BOXD_ORG: "acme", BOXD_NAME_PREFIX: "acme1" } },
    sandbox: { backend: "boxd" },
    imageOverrides: { core: `registry.acme-corp.dev/core@sha256:${"5e".repeat(32)}` },
    ...more,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** An unknown key that only a human can mend. */
export const FAULTY = soundConfig({ nonsense: true, env: { core: { BOXD_ORG: "acme", BOXD_NAME_PREFIX: "acme2" } } });

/** A misspelt key, which a suggested fix renames, and a field that boxd does not read, which a safe fix may remove. */
export const MENDABLE = `{
  // who we are
  "contract": 1,
  "orgId": "acme", // the org
  "publicUrl": "https://qm.acme-corp.dev",
  "target": "docker",
  "services": ["core", "web-ui"],
  "modelProvidr": "anthropic",
  "env": { "core": { "BOXD_ORG": "acme", "BOXD_NAME_PREFIX": "acme1" } },
  "sandbox": { "backend": "boxd", "app": "acme-sandbox" },
}
`;
