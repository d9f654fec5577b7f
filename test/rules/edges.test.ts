import { describe, expect, test } from "vitest";
import { renderDeployment } from "../../src/render/render.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { PLAIN } from "../render/support.ts";
import { deploymentFrom, deploymentOf } from "../support/fragment.ts";
import { pathsOf, replacedAt } from "../support/mutate.ts";
import { IS_DEEP } from "../support/runs.ts";
import { SOUND_CONFIGS } from "./sound.ts";

/** Spaces that `trim` takes off and that people do not see. */
const SPACES = ["\u00a0", "\ufeff", "\u2003", "\u2028", "\u3000"];

/** Beside what the sound deployments have: every address that something reads. */
const ADDRESSES = {
  apiUrl: "https://qm.acme.dev",
  env: {
    core: { HARNESS: "pi", PUBLIC_API_URL: "https://qm.acme.dev", BOXD_BASE_URL: "https://api.acme.dev" },
    portal: { OIDC_ISSUER: "https://id.acme.dev", OIDC_JWKS_URI: "https://id.acme.dev/keys" },
  },
};

/** Text that only people read, or that its reader takes as it stands. */
const FREE =
  /^(?:orgName|botName|model|env\..*|plugins\.0\.(?:env\..*|secrets\.0\.description))$|buildArgs|dockerfile$/;

/** The one field that both is free of errors and used without the spaces. */
const TRIMMED = new Set(["sandbox.backend"]);

const CONFIGS = Object.entries(SOUND_CONFIGS).flatMap(([target, full]) =>
  [full, { ...full, ...ADDRESSES }].map((fields, at) => [
    `${target} ${at === 0 ? "full" : "with addresses"}`,
    { target, ...fields },
  ]),
) as [string, object][];

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inside, step) => (inside as { [key: string | number]: unknown })[step], value);
}

describe.each(CONFIGS)("spaces at the edges of every text of %s", (_name, fields) => {
  test("are judged as they are used: each is found, or means nothing, and nothing breaks", () => {
    const release = "0.1.12";
    const config: unknown = JSON.parse(deploymentOf(JSON.stringify(fields), { release }).document.text);
    const known = new Set(runRules(deploymentFrom(JSON.stringify(config), { release })).map(({ message }) => message));
    for (const [turn, path] of [...pathsOf(config)].entries()) {
      const value = at(config, path);
      if (typeof value !== "string") continue;
      const name = path.join(".");
      for (const [index, space] of SPACES.entries()) {
        if (!IS_DEEP && index !== turn % SPACES.length) continue;
        const put = (turn + index) % 2 === 0 ? value + space : space + value;
        const deployment = deploymentFrom(JSON.stringify(replacedAt(config, path, put)), { release });
        const found = runRules(deployment);
        expect(
          found.filter(({ rule }) => rule === "internal/broken-rule"),
          name,
        ).toEqual([]);
        const { artifacts } = renderDeployment(deployment, PLAIN);
        if (found.some(({ message }) => !known.has(message)) || FREE.test(name)) continue;
        expect(TRIMMED, `${name} with ${escape(space)} is silent`).toContain(name);
        const texts = artifacts.map(({ text }) => text).join("");
        expect(texts.includes(put), name).toBe(false);
      }
    }
  });
});
