import { findReference } from "../base/stand-in.ts";
import { explainError } from "../boxd/driver/errors.ts";
import {
  assertOrg,
  baseUrlProblem,
  environmentBaseURL,
  loadSdk,
  MachineDriver,
  openBoxd,
  type MachineDriverOptions,
} from "../boxd/driver/index.ts";
import { coreValue } from "../deployment/env-values.ts";
import type { Deployment } from "../deployment/deployment.ts";

/** The name of the key, in `.env` and in the environment. */
export const BOXD_KEY = "BOXD_API_KEY";

/** How to reach boxd. The key is a secret: it goes to the SDK and nowhere else. */
export interface BoxdSettings {
  readonly apiKey: string;
  readonly org: string | undefined;
  readonly baseURL: string | undefined;
  /** the setting that the base URL stands in */
  readonly baseURLName: string;
  /** what the names of qm's machines begin with, where it is set */
  readonly namePrefix: string | undefined;
}

/** The settings of a deployment: its `.env` and `env.core` first, then the environment. Null without a key. */
export function boxdSettings(
  deployment: Deployment | null,
  env: { readonly [name: string]: string | undefined },
): BoxdSettings | null {
  const setting = (name: string, otherwise = env): string | undefined =>
    (deployment === null ? undefined : coreValue(deployment.config, name)?.value) ??
    (otherwise[name]?.trim() || undefined);
  const written = deployment?.env?.values.get(BOXD_KEY)?.trim() ?? "";
  // A reference is for its tool, which may have put the key into the environment.
  const apiKey = written === "" || findReference(written) !== null ? env[BOXD_KEY]?.trim() : written;
  if (apiKey === undefined || apiKey === "") return null;
  const own = setting("BOXD_BASE_URL", {});
  const address = own === undefined ? environmentBaseURL(env) : { name: "BOXD_BASE_URL", baseURL: own };
  return {
    apiKey,
    org: setting("BOXD_ORG"),
    baseURL: address?.baseURL,
    baseURLName: address?.name ?? "BOXD_BASE_URL",
    namePrefix: setting("BOXD_NAME_PREFIX"),
  };
}

/** Why the base URL is not sent the key; null when it is, or not set. Its value is not shown. */
export function boxdAddressProblem({ baseURL, baseURLName }: BoxdSettings): string | null {
  const problem = baseURL === undefined ? null : baseUrlProblem(baseURL);
  return problem === null ? null : `${baseURLName} ${problem}`;
}

/** What is wrong with settings by themselves, before boxd is asked for anything; null when nothing is. */
export function boxdSettingsProblem(settings: BoxdSettings): string | null {
  const problem = boxdAddressProblem(settings);
  if (problem !== null || settings.org === undefined) return problem;
  try {
    assertOrg(settings.org);
    return null;
  } catch {
    return "BOXD_ORG is not an org slug";
  }
}

/** Why the vendor's package cannot be used, and what to run; null when it can. Without it no command asks boxd for anything. */
export async function boxdSdkProblem(): Promise<string | null> {
  try {
    await loadSdk();
    return null;
  } catch (error) {
    return explainError(error);
  }
}

/** Opens boxd for some work, which is told the version of the SDK, and closes it afterwards. `onRetry` hears of trouble that is waited out. */
export async function withMachines<T>(
  { apiKey, org, baseURL }: BoxdSettings,
  work: (driver: MachineDriver, sdkVersion: string | null) => Promise<T>,
  onRetry: MachineDriverOptions["onRetry"] = () => undefined,
): Promise<T> {
  const { client, sdkVersion, close } = await openBoxd({ apiKey, ...(baseURL === undefined ? {} : { baseURL }) });
  try {
    const driver = new MachineDriver({ client, secrets: [apiKey], onRetry, ...(org === undefined ? {} : { org }) });
    return await work(driver, sdkVersion);
  } finally {
    await close();
  }
}
