import { RELEASE_VERSIONS } from "../../catalog-names.generated.ts";
import { type CommandDefinition, OPTIONS, PATH_ARGUMENT, valueOption } from "../../command-definition.ts";
import { FROM_RELEASE } from "../diff/diff.command.ts";
import { SHAPE_OPTIONS } from "../render/render.command.ts";

export const UPGRADE: CommandDefinition = {
  name: "upgrade",
  summary: "what another release of qm changes for a deployment; with --write it applies that",
  description:
    "Says what cannot be undone, which findings appear and go, what each workload's environment, secrets, images and rendered files become, and the steps of an operator in order. " +
    "Also a downgrade, with what is lost. Values of .env play no part.\n\n" +
    "With --write it pins the release in package.json, applies the fixes of what appears to qm.config.jsonc, comments kept, and renders: " +
    "all of it or, where errors remain, nothing. Missing values of secrets stop nothing. The exit status is 1 where errors remain, with --write or without.",
  args: [
    {
      name: "release",
      description: "the exact version of qm to go to",
      required: true,
      suggests: RELEASE_VERSIONS,
    },
    PATH_ARGUMENT,
  ],
  options: [
    { name: "write", description: "change package.json, qm.config.jsonc and the rendered files" },
    {
      name: "published-images",
      description: "take out pins of `imageOverrides` where the release publishes the image",
    },
    valueOption(
      "pin",
      "where",
      "where deployments share a package.json above: `own` pins in one of this deployment's own, `shared` for all",
      {
        choices: ["own", "shared"],
      },
    ),
    valueOption("format", "name", "how to print (default: text); github is Markdown for a comment on a pull request", {
      choices: ["text", "json", "github"],
    }),
    FROM_RELEASE,
    ...SHAPE_OPTIONS,
    {
      ...OPTIONS.envFile,
      description: "read the names of secrets from this file instead of the `.env` beside the config",
    },
    OPTIONS.target,
  ],
  examples: [
    ["qm-deploy upgrade 0.1.12", "what it would change"],
    ["qm-deploy upgrade 0.1.12 --write", "change it"],
    [
      "qm-deploy upgrade 0.1.12 deployments/acme --pin own --write",
      "one deployment of several that share a package.json",
    ],
  ],
  load: async () => (await import("./upgrade.ts")).run,
};
