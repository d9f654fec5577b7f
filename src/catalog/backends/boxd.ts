import { names } from "../../base/phrase.ts";
import { readOrigin } from "../../config/origin-url.ts";
import { DNS_LABEL_LENGTH, isDnsLabel, isLetterLedLabel } from "../grammar/dns.ts";
import { readWebUrl, urlHostKind } from "../grammar/host.ts";
import { fromCommand } from "../secret-row.ts";
import type { Setting, SettingProblem } from "../settings/setting.ts";
import { judged } from "../settings/text.ts";
import type { Backend } from "./backend.ts";
import { alwaysRefused, backendSecret, insteadOfFields, PLAIN, withoutLayerImage } from "./parts.ts";

const EGRESS = "BOXD_EGRESS_PROXY_URL";
const ORG = "BOXD_ORG";
const SIZES: readonly string[] = ["1", "2", "4", "8"];

/** What core appends to the prefix at most: `-scratch-`, 40 characters of the scope, a hyphen and 6 of its hash (docs/contract/boxd.md#names). */
const LONGEST_SUFFIX = "-scratch-".length + 40 + 1 + 6;

const LONGEST_PREFIX = DNS_LABEL_LENGTH - LONGEST_SUFFIX;

function error(message: string, help: string): SettingProblem {
  return { severity: "error", message, help };
}

function validateDisk(value: string): SettingProblem | null {
  if (!/^[1-9]\d*$/.test(value)) return error("is not a whole number of GB", 'write it as `"100"`, or remove it');
  if (value === "100") return null;
  return {
    severity: "warning",
    message: "is not 100, the one disk size that newer boxd releases accept",
    help: 'use `"100"`, or remove it',
  };
}

function validatePrefix(value: string): SettingProblem | null {
  if (!isLetterLedLabel(value)) {
    return error(
      "is not a lower-case DNS label that starts with a letter, so boxd refuses the machine names made from it",
      `use at most ${LONGEST_PREFIX} of a-z, 0-9 and inner hyphens, a letter first`,
    );
  }
  if (value.length <= LONGEST_PREFIX) return null;
  return error(
    `has ${value.length} characters, which makes machine names longer than the ${DNS_LABEL_LENGTH} that boxd accepts`,
    `use at most ${LONGEST_PREFIX} characters: core appends up to ${LONGEST_SUFFIX} (\`-scratch-<scope>-<hash>\`)`,
  );
}

function validateBaseUrl(value: string): SettingProblem | null {
  const reading = readOrigin(value);
  if (!reading.ok)
    return error(
      reading.reason,
      `write the address alone, such as \`${reading.canonical ?? "https://boxd.sh:9443"}\`; the key goes into the secret BOXD_API_KEY`,
    );
  if (value.endsWith("/"))
    return error(
      "must not end with a slash, which would be doubled in every request",
      `write it as \`${reading.origin}\``,
    );
  if (value.startsWith("http:") && urlHostKind(value) !== "loopback")
    return error("would send the API key unencrypted", "use https; plain http is for loopback only");
  return null;
}

function validateProxy(value: string): SettingProblem | null {
  const url = readWebUrl(value);
  if (url === null)
    return error("is not an http or https URL", "use the proxy's address, such as `https://egress.example.com:8443`");
  if (url.username === "" && url.password === "" && !/^[^/]*\/\/[^/?#]*@/.test(value)) return null;
  return error(
    "holds credentials, which every agent could read",
    "use a proxy that needs none, or one that knows its clients by their address",
  );
}

const NAME_PREFIX = {
  ...judged(
    "text",
    "BOXD_NAME_PREFIX",
    `Start of every machine name, at most ${LONGEST_PREFIX} characters; one per deployment within a boxd org`,
    {
      takes: "a lower-case DNS label that starts with a letter",
      judge: validatePrefix,
      example: "acme-qm",
    },
  ),
  default: "qm",
};

/** Names in `env.core` that configure boxd (docs/contract/boxd.md#qms-settings). */
const SETTINGS: readonly Setting[] = [
  judged("url", "BOXD_BASE_URL", "Address of the boxd API, where it is not the public one", {
    takes: "an http or https URL without path and key",
    judge: validateBaseUrl,
    default: "https://boxd.sh:9443",
    example: "https://boxd.sh:9443",
  }),
  judged("number", "BOXD_DISK_GB", "Disk of each machine in GB", {
    takes: "a whole number; newer boxd releases accept `100` alone",
    judge: validateDisk,
    example: "100",
  }),
  judged("url", EGRESS, "Proxy that all traffic of agents is forced through; without it egress is open", {
    takes: "an http or https URL without user name",
    judge: validateProxy,
    example: "https://egress.example.com:8443",
  }),
  NAME_PREFIX,
  judged("text", ORG, "boxd org that the machines belong to, where the key's own is not meant", {
    takes: "the slug of a boxd org",
    judge: (value) =>
      isDnsLabel(value)
        ? null
        : error(
            "is not the slug of a boxd org",
            "use the slug as the boxd console shows it: lower-case letters, digits and inner hyphens",
          ),
    example: "acme",
  }),
  judged("choice", "BOXD_VCPU", "vCPUs of each machine, with 4 GB of memory each", {
    takes: names(SIZES, "or"),
    words: SIZES,
    judge: (value) =>
      SIZES.includes(value)
        ? null
        : error("is not a size that boxd has", "use 1 (4 GB), 2 (8 GB), 4 (16 GB) or 8 (32 GB)"),
    example: "2",
  }),
];

/** boxd: a remote machine per agent. No release of qm knows it yet; core needs an image that implements it. */
export const BACKEND: Backend = {
  ...PLAIN,
  name: "boxd",
  title: "boxd",
  summary: "each agent works on a boxd machine of its own; needs BOXD_API_KEY and a core image that implements boxd",
  proposedOn: ["docker", "fly", "aws"],
  insteadOfField: insteadOfFields("a boxd machine", {
    app: "`sandbox.app` names a Fly app; boxd machines belong to the org of BOXD_API_KEY, and `env.core.BOXD_ORG` picks another",
    image:
      "boxd machines boot boxd's own image; put skills and tool descriptors into `sandbox/`, which reach agents through the deployment layer",
    baseImage: "no layer image is built for boxd machines, which boot boxd's own image; remove it",
    env: "put what agents must know into a skill in `sandbox/skills`, and settings of core into `env.core`",
  }),
  secrets: [
    backendSecret(
      "boxd",
      "BOXD_API_KEY",
      "boxd API key that core runs the agents' machines with",
      fromCommand("boxd auth keys create qm --org <org>"),
    ),
  ],
  settings: SETTINGS,
  settingFamily: "BOXD_",
  machineNames: { prefix: NAME_PREFIX, longestPrefix: LONGEST_PREFIX, org: ORG },
  egressSetting: EGRESS,
  proofCommand: "qm-deploy boxd smoke",
  coreGuide: "docs/core.md",
  devEnv: {},
  publish: alwaysRefused(
    "boxd machines boot boxd's own image, so an image that publish builds would reach no agent",
    (release) =>
      `${withoutLayerImage(release)}; executables do not: let a skill install them on the machine, or fetch them over the network`,
  ),
};
