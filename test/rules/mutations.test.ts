import { describe, expect, test } from "vitest";
import type { Deployment } from "../../src/deployment/deployment.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { type FragmentContext, deploymentFrom, deploymentOf, treeOf } from "../support/fragment.ts";
import { pathsOf, replacedAt } from "../support/mutate.ts";
import { refusalOfQm } from "../support/qm-check.ts";
import { SOUND_CONFIGS, SOUND_TOOL } from "./sound.ts";
import { IS_DEEP, inTurn } from "../support/runs.ts";

type Plain = { [key: string]: unknown };

/** What is put in the place of each part in turn; undefined takes it out. */
const VALUES: readonly unknown[] = [
  undefined,
  "",
  " ",
  "acme",
  "ACME Corp!",
  "https://acme.dev/v1",
  null,
  0,
  -1,
  16384,
  true,
  [],
  {},
  ["acme"],
  ["acme", "acme"],
];

/** A place and what was put there, by which differences are listed. */
function nameOf(path: readonly (string | number)[], put: unknown): string {
  return `${path.join(".")} = ${JSON.stringify(put)}`;
}

/** Where qm refuses a config that we take, with the reason. */
const QM_ALONE: readonly (readonly [RegExp, string])[] = [
  [/^env\.(auth\.AUTH_ALLOWED_EMAIL_DOMAIN|portal\.OIDC_ALLOWED_EMAIL_DOMAIN) = " ?"$/, "blank is the same as none"],
  [/^sandbox = \{\}$|^sandbox\.backend = undefined$/, "an empty sandbox is the same as none"],
];

/** Our rules that refuse what qm takes: what has not its type or form is dropped there, or fails later. */
const STRICTER = new Set(["config/wrong-type", "config/bad-value", "config/image-reference"]);

const used = new Set<unknown>();

function deploymentWith(config: unknown, context: FragmentContext = {}): Deployment {
  return deploymentFrom(JSON.stringify(config), { release: "0.1.12", ...context });
}

function errorsOf(deployment: Deployment): string[] {
  return [
    ...new Set(
      runRules(deployment)
        .filter(({ severity }) => severity === "error")
        .map(({ rule }) => rule),
    ),
  ];
}

describe.each(Object.keys(SOUND_CONFIGS).map((target, turn) => [target, turn] as const))(
  "each part of a full config on %s replaced",
  (target, turn) => {
    const sound = JSON.parse(
      deploymentOf(JSON.stringify({ target, ...SOUND_CONFIGS[target] }), { release: "0.1.12" }).document.text,
    ) as Plain;

    test("begins with a sound one", async () => {
      const deployment = deploymentWith(sound);
      expect(errorsOf(deployment)).toEqual([]);
      expect(await refusalOfQm(deployment)).toBeNull();
    });

    test("is valid for qm 0.1.12 exactly when it is for us, or the difference has a reason", async () => {
      const unexplained: string[] = [];
      for (const [at, path] of [...pathsOf(sound)].entries()) {
        for (const put of inTurn(VALUES, 3, at + turn)) {
          const deployment = deploymentWith(replacedAt(sound, path, put));
          const errors = errorsOf(deployment);
          const refusal = await refusalOfQm(deployment);
          if ((refusal === null) === (errors.length === 0)) continue;
          const reasons =
            refusal === null
              ? errors.filter((rule) => STRICTER.has(rule))
              : QM_ALONE.filter(([pattern]) => pattern.test(nameOf(path, put)));
          for (const reason of reasons) used.add(reason);
          if (reasons.length < Math.max(errors.length, 1))
            unexplained.push(`${nameOf(path, put)}: ${refusal ?? errors.join(", ")}`);
        }
      }
      expect(unexplained).toEqual([]);
    });
  },
);

// The quick run does not come by all of them.
if (IS_DEEP) {
  test("no difference is listed that is none any more", () => {
    expect([...STRICTER, ...QM_ALONE].filter((reason) => !used.has(reason))).toEqual([]);
  });
}

/** Texts that belong somewhere in a tool.json. */
const TOOL_VALUES: readonly unknown[] = [
  ...VALUES,
  ...[
    "10.0.0.0/8",
    "*.acme.dev",
    "::/0",
    "acme.dev/v1",
    "fd00::/8",
    "../acme",
    ".ssh/id",
    ".aws",
    ".config",
    ".config/acme/",
    "a.b",
    "/usr/local/bin/acme",
    "/usr/local/lib/acme/../x",
    "0755",
    "755",
    "other",
    "tool.json",
  ],
  ...[
    "\\bacme\\b x",
    "\\bacme\\b|x",
    "\\bacme\\b (x|y)",
    "\\bacme\\b (a+)+",
    "\\bacme\\b(",
    "acme x",
    "\\bacme\\b .*.*",
    "{actingSlackUserId}",
    "{other}",
    "deny",
    "file",
    "A_B",
  ],
];

describe("each part of a full tool.json replaced", () => {
  const config = JSON.parse(deploymentOf('{ "target": "docker" }', { release: "0.1.12" }).document.text) as Plain;
  const withTool = (text: string): Deployment =>
    deploymentWith(config, {
      sandboxTree: treeOf(
        new Map([
          ["sandbox/tools/acme/tool.json", text],
          ["sandbox/tools/acme/acme", "#!/bin/sh\n"],
          ["sandbox/tools/acme/lib.sh", "\n"],
        ]),
        "sandbox",
      ),
    });

  test("begins with a sound one", async () => {
    const deployment = withTool(JSON.stringify(SOUND_TOOL));
    expect(errorsOf(deployment)).toEqual([]);
    expect(await refusalOfQm(deployment)).toBeNull();
  });

  test("is valid for qm 0.1.12 exactly when it is for us, but for egress that is no host", async () => {
    const unexplained: string[] = [];
    for (const [at, path] of [...pathsOf(SOUND_TOOL)].entries()) {
      for (const put of inTurn(TOOL_VALUES, 8, at)) {
        const deployment = withTool(JSON.stringify(replacedAt(SOUND_TOOL, path, put)));
        const errors = errorsOf(deployment);
        const answer = await refusalOfQm(deployment);
        // qm looks for schemes and slashes only; what is no host at all is compared with none.
        if (answer === null && errors.length === 1 && errors[0] === "layer/egress") continue;
        if ((answer === null) !== (errors.length === 0))
          unexplained.push(`${nameOf(path, put)}: ${answer ?? errors.join(", ")}`);
      }
    }
    expect(unexplained).toEqual([]);
  });
});
