import { type CommandDefinition, OPTIONS, PATH_ARGUMENT, valueOption } from "../../command-definition.ts";

const FROM_OPTION = valueOption("from", "image", "image to build on, where `sandbox/` has no Dockerfile");
const LAST_OPTIONS = [
  { name: "dry-run", description: "print what would be run and recorded, and do none of it" },
  { ...OPTIONS.envFile, description: "read secrets from this file instead of the `.env` beside the config" },
  OPTIONS.release,
  OPTIONS.target,
];

export const SANDBOX: CommandDefinition = {
  name: "sandbox",
  summary: "build and publish the layer image that agents' sandboxes boot",
  commands: [
    {
      name: "build",
      summary: "build the image of `sandbox/` into this host's Docker, to look at it",
      description:
        "A deployment that `check` refuses is not built. The build also checks that every tool's command is on PATH in the image.",
      args: [PATH_ARGUMENT],
      options: [
        FROM_OPTION,
        valueOption("tag", "image", "name of the image (default: <orgId>-sandbox:local)"),
        ...LAST_OPTIONS,
      ],
      examples: [["qm-deploy sandbox build --tag acme-sandbox:local", "build it under a name"]],
      load: async () => (await import("./build.ts")).run,
    },
    {
      name: "publish",
      summary: "build the image of `sandbox/`, push it, and pin it in the config",
      description:
        "For backends whose agents boot a layer image: Sprites on docker and fly under qm 0.1.6. Every other deployment is refused before " +
        "anything is run or written, and told what to do instead. The digest is recorded in `sandbox.image`, and that of the image below it in " +
        "`sandbox.baseImage`; comments stay. Where the build or the push fails, the config is not touched. A recorded base is built on again; remove " +
        "`sandbox.baseImage` to pin the newest image of its tag.\n\n" +
        "Docker is signed in to Fly's registry where an image is there, with FLY_SANDBOX_API_TOKEN from `.env` or the environment; it reaches " +
        "fly's environment and nothing else.",
      args: [PATH_ARGUMENT],
      options: [
        valueOption("app", "name", "Fly app, or repository with a slash, to push to (default: sandbox.app)"),
        FROM_OPTION,
        valueOption("tag", "tag", "tag to push under (default: made from the content)"),
        ...LAST_OPTIONS,
      ],
      examples: [
        ["qm-deploy sandbox publish --dry-run", "see what would happen"],
        ["qm-deploy sandbox publish", "build, push and pin"],
      ],
      load: async () => (await import("./publish.ts")).run,
    },
  ],
};
