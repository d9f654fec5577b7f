import { fromOperator } from "../../secret-sources.ts";
import type { SecretRow } from "../../secret-row.ts";
import type { Backend, BackendSetting, SandboxField } from "../backend.ts";
import { alwaysRefused, backendName, withoutLayerImage } from "./common.ts";

/** What differs between the hosted backends that take no field of `sandbox` and know no layer image. */
export interface HostedFacts {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** Secret names with description and how to get them; each is required when the backend is selected. */
  readonly secrets: readonly (readonly [name: string, description: string, hint: string])[];
  readonly settings?: readonly BackendSetting[];
}

/** A secret row of core that is required when the backend is selected. */
function selectedSecret(backend: string, name: string, description: string, hint: string): SecretRow {
  return { name, description, service: "core", when: { kind: "backend", backend }, source: fromOperator(hint) };
}

function insteadOf(title: string, field: SandboxField): string {
  if (field === "app") return `remove it: ${title} sandboxes belong to no Fly app`;
  if (field === "image" || field === "baseImage")
    return `remove it: ${title} sandboxes boot what ${title} provides, not an image of this deployment`;
  if (field === "env")
    return `nothing delivers \`sandbox.env\` to ${title} sandboxes; put what agents must know into a skill in \`sandbox/skills\``;
  return `nothing delivers \`sandbox.secretEnv\` to ${title} sandboxes; let agents sign in through a connector or a tool's \`auth\` in tool.json`;
}

/** A backend that another company hosts and that needs no more than its name and its keys. */
export function hostedBackend(facts: HostedFacts): Backend {
  return {
    name: facts.name,
    title: facts.title,
    summary: facts.summary,
    proposedOn: [],
    fields: () => [],
    idleFields: () => [],
    insteadOfField: (field) => insteadOf(facts.title, field),
    sandboxEnvPrefix: null,
    secrets: facts.secrets.map(([name, description, hint]) => selectedSecret(facts.name, name, description, hint)),
    settings: facts.settings ?? [],
    coreEnv: (context) => backendName(facts.name, context),
    remote: true,
    dockerSocket: false,
    layerImage: () => false,
    egressSetting: null,
    publish: alwaysRefused(
      `${facts.title} sandboxes boot what ${facts.title} provides, so an image that publish builds would reach no agent`,
      withoutLayerImage,
    ),
  };
}
