import type { Backend } from "../catalog/backends/backend.ts";
import type { TargetName } from "../config/written-config.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { NextStep } from "./next-steps.ts";

const LINKS: readonly (readonly [path: string, text: string])[] = [
  ["qm.config.jsonc", "the deployment: what runs where, and where agents work. The one file to edit"],
  [
    ".env.example",
    "every secret, what it is for and who reads it. The values go into `.env`, which is never committed",
  ],
  ["package.json", "pins the release of qm, which decides how the config is read"],
  ["sandbox/skills/greet/SKILL.md", "an example skill; every directory beside it is one more"],
  ["sandbox/tools/example-tool/tool.json", "an example tool: what it is, and the command that it brings"],
];

/**
 * AGENTS.md: what people and coding agents must know to change this directory and to bring it up. `paths` are the files
 * that it may link to, from its directory; `gate` is the workflow that runs this toolkit, null where none does.
 */
export function agentsText(
  deployment: Deployment,
  target: TargetName,
  steps: readonly NextStep[],
  paths: ReadonlySet<string>,
  gate: string | null,
): string {
  const { config, release, sandbox } = deployment;
  const backends = sandbox.selected.map((backend) => backend.title).join(" and ");
  const bringUp = `rendered/${target}/bring-up.md`;
  const links = [
    ...LINKS.filter(([path]) => paths.has(path)),
    ...(gate === null ? [] : [[gate, "the gate for pull requests"] as const]),
    ...(paths.has(bringUp) ? [[bringUp, "every command from nothing to a running deployment"] as const] : []),
  ];
  const parts = [...layerParts(deployment, target), ...steps.map((step, at) => stepText(step, at + 1))];
  return `# ${config.orgId ?? "The deployment"} on ${target}

A deployment of qm ${release.resolved}. Services run on ${target}; ${backends === "" ? "agents have no computers yet (see `sandbox` in the config)" : `agents work on ${backends}`}.

${links.map(([path, text]) => `- [${path}](${path}): ${text}`).join("\n")}

## Changing it

- After every change: \`qm-deploy check\`, then \`qm-deploy render\`, and commit \`rendered/\` with it.${gate === null ? "" : " CI refuses what is not up to date."}
- Never edit files below \`rendered/\`${target === "aws" ? " (but for the values of its `terraform.tfvars`)" : ""}, and never write a key or password into any file but \`.env\`.
- \`qm-deploy config set <field> <value>\` changes one value and keeps the comments; \`qm-deploy secrets set <NAME>\` asks for a secret without showing it.
- \`qm-deploy explain <name>\` says where a value comes from and what reads it.

## Bringing it up

Every command is for this directory.

${parts.join("\n\n")}
`;
}

/** What qm's own command line cannot do here, and how `sandbox/` reaches agents. */
function layerParts({ sandbox, release: { release } }: Deployment, target: TargetName): readonly string[] {
  const titles = (isMeant: (backend: Backend) => boolean): string =>
    sandbox.selected.flatMap((backend) => (isMeant(backend) ? [backend.title] : [])).join(" and ");
  const unknown = titles((backend) => !release.backendPolicy[target].includes(backend.name));
  const withoutLayer = titles((backend) => !backend.layerImage(release, target));
  const texts = release.toolInstallFiles ? " Text files of a tool travel in `install.files` of its tool.json." : "";
  const parts: string[] = [];
  if (unknown !== "")
    parts.push(
      `qm's own command line does not know ${unknown}: deploy with what \`qm-deploy render\` wrote, as below. Where its other commands are needed, \`rendered/${target}/qm/qm.config.jsonc\` is a config that it accepts.`,
    );
  if (withoutLayer !== "")
    parts.push(
      `Skills and tool descriptors of \`sandbox/\` reach agents through the deployment layer; ${withoutLayer} boots no layer image, so that other programs do not.${texts}`,
    );
  return parts;
}

function stepText({ says, commands }: NextStep, number: number): string {
  if (commands.length === 0) return `${number}. ${says}.`;
  return `${number}. ${says}:\n\n   \`\`\`sh\n${commands.map((line) => `   ${line}\n`).join("")}   \`\`\``;
}
