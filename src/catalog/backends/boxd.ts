import { fromOperator } from "../secret-sources.ts";
import type { Backend, SandboxField } from "./backend.ts";
import { BOXD_SETTINGS } from "./parts/boxd-settings.ts";
import { alwaysRefused, backendName, withoutLayerImage } from "./parts/common.ts";

const INSTEAD: { readonly [field in SandboxField]: string } = {
  app: "`sandbox.app` names a Fly app; boxd machines belong to the org of BOXD_API_KEY, and `env.core.BOXD_ORG` picks another",
  image:
    "boxd machines boot boxd's own image; put skills and tool descriptors into `sandbox/`, which reach agents through the deployment layer",
  baseImage: "no layer image is built for boxd machines, which boot boxd's own image; remove it",
  env: "nothing delivers `sandbox.env` to a boxd machine; put what agents must know into a skill in `sandbox/skills`, and settings of core into `env.core`",
  secretEnv:
    "nothing delivers `sandbox.secretEnv` to a boxd machine; let agents sign in through a connector or a tool's `auth` in tool.json",
};

/** boxd: a remote machine per agent. No release of qm knows it yet; core needs an image that implements it. */
export const BACKEND: Backend = {
  name: "boxd",
  title: "boxd",
  summary: "each agent works on a boxd machine of its own; needs BOXD_API_KEY and a core image that implements boxd",
  proposedOn: ["docker", "fly", "aws"],
  fields: () => [],
  idleFields: () => [],
  insteadOfField: (field) => INSTEAD[field],
  sandboxEnvPrefix: null,
  secrets: [
    {
      name: "BOXD_API_KEY",
      description: "boxd API key that core runs the agents' machines with",
      service: "core",
      when: { kind: "backend", backend: "boxd" },
      source: fromOperator("boxd auth keys create qm --org <org>"),
    },
  ],
  settings: BOXD_SETTINGS,
  coreEnv: (context) => backendName("boxd", context),
  remote: true,
  dockerSocket: false,
  layerImage: () => false,
  egressSetting: "BOXD_EGRESS_PROXY_URL",
  publish: alwaysRefused(
    "boxd machines boot boxd's own image, so an image that publish builds would reach no agent",
    (release) =>
      `${withoutLayerImage(release)}; executables do not: let a skill install them on the machine, or fetch them over the network`,
  ),
};
