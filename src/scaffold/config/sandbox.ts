import { BACKENDS } from "../../catalog/backends/index.ts";
import { declarableTargets } from "../../catalog/backends/index.ts";
import type { Answers } from "../answers.ts";
import type { ResourceNames } from "../resource-names.ts";
import { block, type Member, member } from "./members.ts";

/** `sandbox`: where agents work, with every choice of the target in the comment. */
export function sandboxMember({ target, release, backend }: Answers, names: ResourceNames): Member {
  const choices = BACKENDS.filter((one) => declarableTargets(one, release).includes(target));
  const width = Math.max(...choices.map((one) => one.name.length));
  const says = [
    `Where agents work. On ${target} under qm ${release.version} there are:`,
    ...choices.map((one) => `  ${one.name.padEnd(width)}  ${one.summary}`),
  ];
  const fields = backend.fields(release);
  if (!fields.includes("app")) return member("sandbox", { backend: backend.name }, ...says);
  return block(
    "sandbox",
    [
      member("backend", backend.name),
      member("app", `${names.flyPrefix}-sandboxes`, "The Fly app that the agents' sandboxes belong to."),
      {
        says: [
          "`qm-deploy sandbox publish` builds the layer image of sandbox/, and records it here as `image` and `baseImage`.",
        ],
        text: null,
      },
    ],
    ...says,
  );
}
