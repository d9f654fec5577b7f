import { inStockCore } from "../../catalog/backends/index.ts";
import type { Backend } from "../../catalog/backends/backend.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { hasFiles } from "../../deployment/inputs.ts";
import { apiAddress } from "../api-address.ts";
import type { RenderContext } from "../artifact.ts";
import { needsProjection, qmCommand } from "../projection.ts";
import { servicesWithoutImage } from "../../rules/config/images.ts";
import { layerImageBackend } from "../../rules/sandbox/layer-image.ts";
import { shellWord } from "../../base/shell-word.ts";
import { renderCommand, type Step } from "./step.ts";

/** A call of qm's own command line, which needs Node 24, on the projection where qm refuses the config itself. */
export function qm({ deployment, options }: RenderContext, command: string): string {
  return needsProjection(deployment) ? qmCommand(command, options.place) : `npx --no qm ${command}`;
}

/** Comes first where the release has no published images: without one of its own no service can be started. */
export function serviceImagesStep(context: RenderContext): Step | [] {
  const { deployment } = context;
  const names = servicesWithoutImage(deployment);
  if (names.length === 0) return [];
  const { resolved } = deployment.release;
  return {
    title: "Have an image of each service",
    text:
      `qm ${resolved} published none, so that what starts ${names.join(", ")} is not rendered yet. Build each from the source of qm ${resolved} and push it. ` +
      `Pin it by its digest, \`qm-deploy config set imageOverrides.${names[0]} '<image>@sha256:<digest>'\`, and \`${renderCommand(context)}\`: go on with the page that this writes.`,
    check: { commands: [renderCommand(context)], text: "refuses no file" },
  };
}

/** Comes before the first container starts: what the agents' computers need of core's image. */
export function coreImageStep(context: RenderContext): Step | [] {
  const { deployment } = context;
  const { release, resolved } = deployment.release;
  const strange = deployment.sandbox.selected.filter((backend) => !inStockCore(backend, release));
  if (strange.length === 0) return [];
  const image = deployment.workloads.find((workload) => workload.name === "core")?.image;
  const title = "Have a core image that knows the sandbox backend";
  const none = `No core image that qm ${resolved} published implements ${titles(strange)}.`;
  if (image?.provenance.kind !== "config") {
    const guides = strange.flatMap(({ coreGuide }) => coreGuide ?? []).map((page) => `\`${page}\` of qm-deploy`);
    const how = guides.length === 0 ? "" : `, as ${guides.join(" and ")} says`;
    const text = `${none} Build one that does${how}, and push it. Pin it by its digest, \`qm-deploy config set imageOverrides.core '<image>@sha256:<digest>'\`, and \`${renderCommand(context)}\`: then this step says how to see that the image has the backend.`;
    return { title, text, check: { commands: ["qm-deploy config get imageOverrides.core"], text: "prints the image" } };
  }
  return {
    title,
    text: `${none} This deployment takes \`${image.reference}\` from \`imageOverrides.core\`: make sure that it is built from a core that does. The command starts it without a key, on a computer that can run its architecture.`,
    commands: strange.flatMap(({ name, secrets }) =>
      secrets.slice(0, 1).map((secret) => unknownKeyCommand(image.reference, name, secret.name)),
    ),
    check: {
      text: "a core that implements the backend refuses to start and asks for its key, in the line that the command prints. No line: it does not know the backend.",
    },
  };
}

/** Outside production core demands no other secret first, so that it comes as far as the backend. */
function unknownKeyCommand(image: string, backend: string, key: string): string {
  return `docker run --rm --env NODE_ENV=development --env SANDBOX_BACKEND=${shellWord(backend)} ${shellWord(image)} 2>&1 | grep -m 1 ${shellWord(key)}`;
}

/** Comes before core is rendered for good: the layer image that agents boot, where their backend boots one. */
export function layerImageStep(context: RenderContext): Step | [] {
  const { deployment, target } = context;
  const backend = layerImageBackend(deployment);
  if (backend === undefined) return [];
  const plan = backend.publish(deployment.release.release, target);
  const title = "Publish the layer image";
  if (plan.kind === "refused") return { title, text: `Agents on ${backend.title} boot it: ${plan.instead}.` };
  return {
    title,
    text: `Agents on ${backend.title} boot it. The command builds it from \`sandbox/\` and pushes it to the Fly app \`sandbox.app\`, which must exist. Do this again whenever \`sandbox/\` changes.`,
    commands: ["qm-deploy sandbox publish", renderCommand(context)],
    changes:
      "an image in the app's registry; `sandbox.image` and `sandbox.baseImage` of qm.config.jsonc, and what is rendered from them.",
    check: { commands: ["qm-deploy config get sandbox.image"], text: "ends with the digest of the new image" },
    undo: { text: "set `sandbox.image` to the digest of before, and render again." },
  };
}

/** True where `sandbox/` holds skills or tool descriptors, which core hands to agents. */
export function hasLayer({ deployment: { inputs } }: RenderContext): boolean {
  return hasFiles(inputs, "sandbox/skills") || hasFiles(inputs, "sandbox/tools");
}

/** What agents get to see, once core runs; on docker it is mounted into core. */
export function layerStep(context: RenderContext): Step | [] {
  const { release } = context.deployment;
  if (!hasLayer(context)) return [];
  const title = "Send the skills and tool descriptors";
  const changes = "the deployment layer in core's database; skills that are gone from `sandbox/` are archived.";
  const undo = { text: "take the former `sandbox/` out of git and send it in the same way." };
  if (release.release.layerImages) {
    const text = `qm ${release.resolved} sends the deployment layer as a part of \`up\`, which also deploys again; a newer qm has \`layer sync\` for it alone.`;
    return { title, text, commands: [qm(context, "up")], changes, undo };
  }
  const text = "Core hands them to the agents' computers. Run it again whenever `sandbox/` changes.";
  return { title, text, commands: [qm(context, "layer sync")], changes, undo };
}

/** Whether agents reach core, once it runs. */
export function reachStep(context: RenderContext): Step | [] {
  const { deployment } = context;
  const remote = deployment.sandbox.selected.filter((backend) => backend.remote);
  const url = apiUrl(deployment);
  if (remote.length === 0 || url === null) return [];
  const proofs = remote.flatMap(({ proofCommand }) => proofCommand ?? []);
  return {
    title: "See that agents reach core",
    text:
      `Agents work on ${titles(remote)} machines, outside of this network, and call core at ${url.text}. ` +
      `Ask for it from a network that has nothing to do with this host.` +
      (proofs.length === 0
        ? ""
        : " The last command proves the key on a throw-away machine, which it deletes; where the SDK that it needs is missing, it says how to install it."),
    check: { text: "any HTTP status will do; a timeout or a certificate error will not." },
    commands: [`curl --silent --show-error --output /dev/null --write-out '%{http_code}\\n' ${url.word}`, ...proofs],
  };
}

/** The address of {@link apiAddress} as a sentence and a command name it. */
function apiUrl(deployment: Deployment): { readonly text: string; readonly word: string } | null {
  const address = apiAddress(deployment);
  if (address === null) return null;
  if ("url" in address) return { text: `\`${address.url}\``, word: shellWord(address.url) };
  const { secret } = address;
  // As readers of env files take it: `export`, blanks and quotes around it are none of its value, and an address holds none of them.
  const line = `s/^ *\\(export  *\\)\\{0,1\\}${secret} *=//p`;
  const word = `"$(sed -n '${line}' .env | tail -n 1 | tr -d "\\"'[:space:]")"`;
  return { text: `the ${secret} of \`.env\``, word };
}

function titles(backends: readonly Backend[]): string {
  return backends.map((backend) => backend.title).join(" and ");
}
