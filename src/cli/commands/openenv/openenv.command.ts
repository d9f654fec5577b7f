import type { CommandDefinition } from "../../command-definition.ts";

const ABOUT =
  "Each reads one JSON object from stdin and prints one on stdout (docs/openenv.md has their fields). The boxd key is `apiKey` of the object, else BOXD_API_KEY " +
  "of the environment; it is never printed, and nothing secret is taken as an argument. Needs the package @boxd-sh/sdk.";

const JSON_OPTION = { name: "json", description: "print JSON, as these commands always do" };

export const OPENENV: CommandDefinition = {
  name: "openenv",
  summary: "run an OpenEnv environment's container on a boxd machine, for programs in any language",
  description: ABOUT,
  examples: [
    [
      `echo '{"public": true, "image": "ghcr.io/acme/echo-env:1"}' | qm-deploy openenv start --json`,
      "make a machine, run the image; answers a handle and the address",
    ],
    [`echo '{"handle": "openenv1.…"}' | qm-deploy openenv wait --json`, "until its server answers /health"],
    [`echo '{"handle": "openenv1.…"}' | qm-deploy openenv stop --json`, "delete the machine, confirmed"],
  ],
  commands: [
    {
      name: "start",
      summary: "make a machine and run the container on it; answers handle, address, machine and expiry",
      description: ABOUT,
      options: [JSON_OPTION],
      load: async () => (await import("./openenv.ts")).start,
    },
    {
      name: "wait",
      summary: "wait until the container's server answers /health",
      description: ABOUT,
      options: [JSON_OPTION],
      load: async () => (await import("./openenv.ts")).wait,
    },
    {
      name: "stop",
      summary: "delete the machine, confirmed; one that is gone is fine",
      description: ABOUT,
      options: [JSON_OPTION],
      load: async () => (await import("./openenv.ts")).stop,
    },
  ],
};
