import { RELEASE_VERSIONS } from "../../catalog-names.generated.ts";
import { type CommandDefinition, OPTIONS, valueOption } from "../../command-definition.ts";

/** The release of the side before. */
export const FROM_RELEASE = valueOption(
  "from-release",
  "version",
  "the release of qm before, instead of the pinned one",
  {
    suggests: RELEASE_VERSIONS,
  },
);

export const DIFF: CommandDefinition = {
  name: "diff",
  summary: "what changes between two deployments: environment, secrets, artifacts, data at stake, and what to do",
  description:
    "Each side is a deployment directory, a config file, or a git revision: `HEAD~1:` is the deployment of the other side's directory at that revision, " +
    "`main:deployments/acme` is a path from the root of the repository, `main:./acme` one from here. Values of .env play no part, and what may be secret is never shown.",
  args: [
    {
      name: "from",
      description: "the deployment before (default: `HEAD:`, what was committed last)",
      completes: "file",
    },
    { name: "to", description: "the deployment after (default: the working directory)", completes: "file" },
  ],
  options: [
    valueOption("format", "name", "how to print (default: text); github is Markdown for a comment on a pull request", {
      choices: ["text", "json", "github"],
    }),
    { name: "exit-code", description: "end with 1 where something changes" },
    { ...OPTIONS.release, description: "judge both sides by this release of qm instead of the pinned ones" },
    FROM_RELEASE,
    valueOption("to-release", "version", "the release of qm after, instead of the pinned one", {
      suggests: RELEASE_VERSIONS,
    }),
    OPTIONS.target,
  ],
  examples: [
    ["qm-deploy diff", "what the uncommitted edits change"],
    ["qm-deploy diff examples/fly-sprites examples/fly-boxd", "a switch of the sandbox backend, as a checklist"],
    ["qm-deploy diff . . --from-release 0.1.6 --to-release 0.1.12", "one deployment under two releases of qm"],
    ["qm-deploy diff --format github origin/main:deployments/acme deployments/acme", "for a pull request"],
  ],
  load: async () => (await import("./diff.ts")).run,
};
