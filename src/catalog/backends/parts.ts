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
  coreGuide: null,
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
  const notBooted = `remove it: ${title} sandboxes boot what ${title} provides, not an image of this deployment`;
  return {
    ...PLAIN,
    insteadOfField: insteadOfFields(`${title} sandboxes`, {
      app: `remove it: ${title} sandboxes belong to no Fly app`,
      image: notBooted,
      baseImage: notBooted,
    }),
    secrets: keys.map(([secret, description, how]) => backendSecret(name, secret, description, how)),
    publish: alwaysRefused(
      `${title} sandboxes boot what ${title} provides, so an image that publish builds would reach no agent`,
      withoutLayerImage,
    ),
    ...facts,
  };
}

/** What to use instead of each field of `sandbox`, where nothing of it reaches agents on such machines. */
export function insteadOfFields(
  machines: string,
  own: { readonly [field in "app" | "image" | "baseImage"]: string } & { readonly env?: string },
): Backend["insteadOfField"] {
  const skill = `put what agents must know into a skill in \`sandbox/skills\``;
  const texts: { readonly [field in SandboxField]: string } = {
    ...own,
    env: `nothing delivers \`sandbox.env\` to ${machines}; ${own.env ?? skill}`,
    secretEnv: `nothing delivers \`sandbox.secretEnv\` to ${machines}; let agents sign in through a connector or a tool's \`auth\` in tool.json`,
  };
  return (field) => texts[field];
}
