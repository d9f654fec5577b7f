import type { TargetName } from "../../config/written-config.ts";
import type { Release } from "../releases/release.ts";
import { fromOperator, type SecretRow, type SecretSource } from "../secret-row.ts";
import type { Backend, PublishPlan, SandboxField } from "./backend.ts";

/** A backend of which there is nothing special to say: it runs elsewhere, takes no field and knows no setting. */
export const PLAIN = {
  proposedOn: [],
  fields: () => [],
  idleFields: () => [],
  sandboxEnvPrefix: null,
  secrets: [],
  settings: [],
  settingFamily: null,
  machineNames: null,
  coreEnv: () => [],
  remote: true,
  dockerSocket: false,
  layerImage: () => false,
  egressSetting: null,
  proofCommand: null,
  devEnv: null,
} as const satisfies Partial<Backend>;

/** A secret of core that is required when the backend is selected. `hint` says how to get it. */
export function backendSecret(
  backend: string,
  name: string,
  description: string,
  how: string | SecretSource,
): SecretRow {
  const source = typeof how === "string" ? fromOperator(how) : how;
  return { name, description, service: "core", when: { kind: "backend", backend }, source };
}

/** How executables reach agents where no layer image does: the same words for every backend without one. */
export function withoutLayerImage(release: Release): string {
  const text = release.toolInstallFiles ? "; text tools can name their files in `install.files` of tool.json" : "";
  return `skills and tool descriptors of \`sandbox/\` reach agents through the deployment layer (\`qm layer sync\`)${text}`;
}

/** The plan of a backend whose agents never boot a layer image: refused under every release and on every target. */
export function alwaysRefused(
  why: string,
  instead: (release: Release) => string,
): (release: Release, target: TargetName) => PublishPlan {
  return (release) => ({ kind: "refused", why, instead: instead(release) });
}

/** What differs between backends that another company hosts and that need little more than their name and their keys. */
export interface HostedFacts extends Partial<Backend> {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** Secret names with description and how to get them; each is required when the backend is selected. */
  readonly keys?: readonly (readonly [name: string, description: string, how: string | SecretSource])[];
}

/** A backend that another company hosts. */
export function hostedBackend({ keys = [], ...facts }: HostedFacts): Backend {
  const { name, title } = facts;
  return {
    ...PLAIN,
    insteadOfField: (field) => insteadOf(title, field),
    secrets: keys.map(([secret, description, how]) => backendSecret(name, secret, description, how)),
    publish: alwaysRefused(
      `${title} sandboxes boot what ${title} provides, so an image that publish builds would reach no agent`,
      withoutLayerImage,
    ),
    ...facts,
  };
}

function insteadOf(title: string, field: SandboxField): string {
  if (field === "app") return `remove it: ${title} sandboxes belong to no Fly app`;
  if (field === "image" || field === "baseImage")
    return `remove it: ${title} sandboxes boot what ${title} provides, not an image of this deployment`;
  if (field === "env")
    return `nothing delivers \`sandbox.env\` to ${title} sandboxes; put what agents must know into a skill in \`sandbox/skills\``;
  return `nothing delivers \`sandbox.secretEnv\` to ${title} sandboxes; let agents sign in through a connector or a tool's \`auth\` in tool.json`;
}
