import { readOrigin } from "../../../config/origin-url.ts";
import { DNS_LABEL_LENGTH, isDnsLabel, isLetterLedLabel } from "../../grammar/dns.ts";
import { readWebUrl, urlHostKind } from "../../grammar/host.ts";
import type { BackendSetting, SettingProblem } from "../backend.ts";

/** What core appends to the prefix at most: `-scratch-`, 40 characters of the scope, a hyphen and 6 of its hash (docs/contract/boxd.md#names). */
const LONGEST_SUFFIX = "-scratch-".length + 40 + 1 + 6;

/** The most characters that a prefix can have so that every machine name is a DNS label. */
export const BOXD_PREFIX_LENGTH = DNS_LABEL_LENGTH - LONGEST_SUFFIX;

/** Memory in GB of a boxd machine by its number of vCPUs. */
const BOXD_MEMORY_GB: { readonly [vcpu: string]: number } = { 1: 4, 2: 8, 4: 16, 8: 32 };

function error(message: string, help: string): SettingProblem {
  return { severity: "error", message, help };
}

function judgeVcpu(value: string): SettingProblem | null {
  if (Object.hasOwn(BOXD_MEMORY_GB, value)) return null;
  const sizes = Object.entries(BOXD_MEMORY_GB).map(([vcpu, memory]) => `${vcpu} (${memory} GB)`);
  return error("is not a size that boxd has", `use ${sizes.slice(0, -1).join(", ")} or ${sizes.at(-1)}`);
}

function judgeDisk(value: string): SettingProblem | null {
  if (!/^[1-9]\d*$/.test(value)) return error("is not a whole number of GB", 'write it as `"100"`, or remove it');
  if (value === "100") return null;
  return {
    severity: "warning",
    message: "is not 100, the one disk size that newer boxd releases accept",
    help: 'use `"100"`, or remove it',
  };
}

function judgePrefix(value: string): SettingProblem | null {
  if (!isLetterLedLabel(value)) {
    return error(
      "is not a lower-case DNS label that starts with a letter, so boxd refuses the machine names made from it",
      `use at most ${BOXD_PREFIX_LENGTH} of a-z, 0-9 and inner hyphens, a letter first`,
    );
  }
  if (value.length <= BOXD_PREFIX_LENGTH) return null;
  return error(
    `has ${value.length} characters, which makes machine names longer than the ${DNS_LABEL_LENGTH} that boxd accepts`,
    `use at most ${BOXD_PREFIX_LENGTH} characters: core appends up to ${LONGEST_SUFFIX} (\`-scratch-<scope>-<hash>\`)`,
  );
}

function judgeBaseUrl(value: string): SettingProblem | null {
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

function judgeOrg(value: string): SettingProblem | null {
  return isDnsLabel(value)
    ? null
    : error(
        "is not the slug of a boxd org",
        "use the slug as the boxd console shows it: lower-case letters, digits and inner hyphens",
      );
}

function judgeProxy(value: string): SettingProblem | null {
  const url = readWebUrl(value);
  if (url === null)
    return error("is not an http or https URL", "use the proxy's address, such as `https://egress.example.com:8443`");
  if (url.username === "" && url.password === "" && !/^[^/]*\/\/[^/?#]*@/.test(value)) return null;
  return error(
    "holds credentials, which every agent could read",
    "use a proxy that needs none, or one that knows its clients by their address",
  );
}

/** Names in `env.core` that configure boxd (docs/contract/boxd.md#qms-settings). */
export const BOXD_SETTINGS: readonly BackendSetting[] = [
  {
    name: "BOXD_BASE_URL",
    description: "Address of the boxd API, where it is not the public one",
    example: "https://boxd.sh:9443",
    judge: judgeBaseUrl,
  },
  { name: "BOXD_DISK_GB", description: "Disk of each machine in GB", example: "100", judge: judgeDisk },
  {
    name: "BOXD_EGRESS_PROXY_URL",
    description: "Proxy that all traffic of agents is forced through; without it egress is open",
    example: "https://egress.example.com:8443",
    judge: judgeProxy,
  },
  {
    name: "BOXD_NAME_PREFIX",
    description: `Start of every machine name, at most ${BOXD_PREFIX_LENGTH} characters; one per deployment within a boxd org (\`qm\` where it is not set)`,
    example: "acme-qm",
    judge: judgePrefix,
  },
  {
    name: "BOXD_ORG",
    description: "boxd org that the machines belong to, where the key's own is not meant",
    example: "acme",
    judge: judgeOrg,
  },
  {
    name: "BOXD_VCPU",
    description: "vCPUs of each machine: 1, 2, 4 or 8, with 4 GB of memory each",
    example: "2",
    judge: judgeVcpu,
  },
];
