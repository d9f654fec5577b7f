import { closestName } from "../../base/closest-name.ts";
import { cleanBaseURL, type BoxdClient, type MachineDriverOptions } from "../driver/index.ts";
import type { LifecycleOptions } from "./lifecycle.ts";
import type { SandboxIncident } from "./machines-by-name.ts";
import type { BoxdSandboxSettings } from "./settings.ts";
import { mintBlobToken, type BlobGrant } from "./blob-token.ts";

/**
 * What the backend is made of: the settings that `readBoxdSettings` answers, and what core's wiring hands to its backends, under core's names
 * (docs/core.md, docs/contract/boxd.md#wiring). An option of another name is refused.
 */
export interface BoxdSandboxOptions extends Partial<BoxdSandboxSettings>, LifecycleOptions {
  /** boxd's address, as core names it in the options of its other backends; the same as `baseURL` */
  baseUrl?: string;
  /** a client to use instead of one for `apiKey`; it is not closed by the backend */
  client?: BoxdClient;
  /** for the driver underneath: its clock and times */
  driver?: Pick<MachineDriverOptions, "clock" | "times">;
  /** lines for the profile, the first word of each being a command that the deployment adds */
  extraTools?: readonly string[];
  /** core's store of blobs. Core serves it to the machines, so only its presence counts here */
  blobTransfer?: object;
  /** core's address as a machine reaches it. With it, `blobTransfer` and a way to sign, files can be staged by reference */
  apiBaseUrl?: string;
  /** signs the tokens of staging */
  capabilitySecret?: string;
  /** the same where there is no `capabilitySecret` */
  signingSecret?: string;
  /** signs the tokens of staging instead of a secret, for a core whose tokens are others */
  mintBlobToken?: (grant: BlobGrant) => string | Promise<string>;
  /** told of trouble that no call fails for */
  onError?: (incident: SandboxIncident) => void;
}

const NAMES = {
  apiKey: true,
  apiBaseUrl: true,
  baseURL: true,
  baseUrl: true,
  blobTransfer: true,
  capabilitySecret: true,
  client: true,
  credentialPaths: true,
  defaultTimeoutSec: true,
  diskGb: true,
  driver: true,
  egressProxyUrl: true,
  extraTools: true,
  idle: true,
  mintBlobToken: true,
  namePrefix: true,
  onError: true,
  org: true,
  signingSecret: true,
  vcpu: true,
} as const satisfies Record<keyof BoxdSandboxOptions, true>;

/** Throws for an option that nothing reads: left unread it would change nothing, and nobody would know. */
export function assertKnownOptions(options: BoxdSandboxOptions): void {
  const names = Object.keys(NAMES);
  const unknown = Object.entries(options)
    .filter(([name, value]) => value !== undefined && !Object.hasOwn(NAMES, name))
    .map(([name]) => name);
  if (unknown.length === 0) return;
  const told = unknown.map((name) => {
    const close = closestName(name, names);
    return close === null ? `\`${name}\`` : `\`${name}\` (did you mean \`${close}\`?)`;
  });
  throw new Error(`createBoxdSandbox does not know ${told.join(", ")}; it knows ${names.join(", ")}`);
}

/** boxd's address, undefined for the SDK's own. Throws when the two names of it differ, or when it is core's: the key would go there. */
export function boxdAddress({ baseURL, baseUrl, apiBaseUrl }: BoxdSandboxOptions): string | undefined {
  const [ours, cores] = [cleanBaseURL(baseURL), cleanBaseURL(baseUrl)];
  if (ours !== undefined && cores !== undefined && ours !== cores)
    throw new Error("`baseURL` and `baseUrl` both name boxd's address, and differ");
  const address = ours ?? cores;
  if (address !== undefined && address === cleanBaseURL(apiBaseUrl))
    throw new Error("boxd's address is that of core (`apiBaseUrl`), so the key would go to core");
  return address;
}

/** How files go between machine and core by reference. */
export interface BlobStaging {
  /** address of core as the machine reaches it */
  apiBaseUrl: string;
  mintToken(grant: BlobGrant): string | Promise<string>;
}

/** Undefined unless a store, an address and a way to sign are all there: staging is then absent, as in core's other backends. */
export function blobStaging(options: BoxdSandboxOptions): BlobStaging | undefined {
  const { blobTransfer, apiBaseUrl = "", signingSecret = "", capabilitySecret = signingSecret } = options;
  if (blobTransfer === undefined || apiBaseUrl === "") return undefined;
  if (options.mintBlobToken !== undefined) return { apiBaseUrl, mintToken: options.mintBlobToken };
  if (capabilitySecret === "") return undefined;
  // As core reads it at the moment of signing.
  const mintToken = (grant: BlobGrant): string =>
    mintBlobToken(grant, capabilitySecret, process.env["ORG_ID"] ?? "default-org", Date.now());
  return { apiBaseUrl, mintToken };
}
