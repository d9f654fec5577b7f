import { nameOf } from "../settings/index.ts";
import { text } from "../settings/text.ts";
import type { Backend, BackendEnv, CoreEnvContext, SandboxField } from "./backend.ts";
import { backendSecret, PLAIN, withoutLayerImage } from "./parts.ts";

const EGRESS = "SPRITES_EGRESS_PROXY_URL";
const RESIDENT_PREFIX = "FLY_RESIDENT_ENV_";

/** The fields that only a release with layer images reads, with what to do under another. */
const LAYER_FIELDS: { readonly [field in SandboxField]?: string } = {
  app: "remove it: core finds its Sprites by SPRITES_TOKEN alone",
  image:
    "remove it: no layer image is booted, and tools reach agents through the deployment layer (`install.files` in tool.json)",
};

/** The layer's app and image, only where the deployment supplies them: an empty name would point core at nothing. */
function layerEnv({ release, sandbox }: CoreEnvContext): BackendEnv[] {
  if (!release.layerImages) return [];
  const entries = [
    {
      name: nameOf(release, "core.flyBaseImage"),
      value: sandbox.image?.trim() ?? "",
      from: [["sandbox", "image"]],
      how: "the pinned layer image",
    },
    {
      name: "FLY_SANDBOX_APP_NAME",
      value: sandbox.app?.trim() ?? "",
      from: [["sandbox", "app"]],
      how: "the Fly app of the sandboxes",
    },
  ];
  return entries.filter(({ value }) => value !== "");
}

function residentEnv({ sandbox }: CoreEnvContext): BackendEnv[] {
  return Object.entries(sandbox.env ?? {}).map(([name, value]) => ({
    name: RESIDENT_PREFIX + name,
    value,
    from: [["sandbox", "env", name]],
    how: "handed to agents by core",
  }));
}

/** Fly Sprites: the backend that qm had first, and the only one with layer images. */
export const BACKEND: Backend = {
  ...PLAIN,
  name: "sprites",
  title: "Fly Sprites",
  summary: "agents work in Fly Sprites; needs SPRITES_TOKEN",
  fields: (release) =>
    release.layerImages ? ["app", "image", "baseImage", "env", "secretEnv"] : ["baseImage", "env", "secretEnv"],
  idleFields: (release) => (release.layerImages ? [] : ["app", "image"]),
  insteadOfField: (field) => LAYER_FIELDS[field] ?? "remove it",
  sandboxEnvPrefix: RESIDENT_PREFIX,
  secrets: [
    backendSecret(
      "sprites",
      "SPRITES_TOKEN",
      "Sprites token that core runs the agents' sandboxes with",
      "`sprite login`, then copy the token from ~/.sprite/credentials",
    ),
  ],
  coreEnv: (context) => [...layerEnv(context), ...residentEnv(context)],
  layerImage: (release) => release.layerImages,
  settings: [
    text("SPRITES_BASE_URL", "Address of the Sprites API, where it is not the public one"),
    text("SPRITES_NAME_PREFIX", "Start of every Sprite's name"),
    text(EGRESS, "Proxy that all traffic of agents is forced through; without it egress is open"),
    text("FLY_SANDBOX_APP_NAME", "Fly app of the sandboxes", { setBy: "`sandbox.app`", ownRules: true }),
  ],
  egressSetting: EGRESS,
  devEnv: { prefix: "SPRITES_NAME_PREFIX" },
  publish: (release, target) => {
    if (!release.layerImages) {
      return {
        kind: "refused",
        why: `Sprites boot no layer image under qm ${release.version}`,
        instead: withoutLayerImage(release),
      };
    }
    if (target !== "aws") return { kind: "layer-image" };
    return {
      kind: "refused",
      why: "on aws the pin of the layer image lives in qm's own deployment manifest, not in `sandbox.image`",
      instead: `run \`npx @yc-software/qm@${release.version} sandbox publish\`, which writes that manifest`,
    };
  },
};
