import { findReference } from "../base/stand-in.ts";
import { baseUrlProblem, MachineDriver, openBoxd, type MachineDriverOptions } from "../boxd/driver/index.ts";
import { coreValue } from "../deployment/env-values.ts";
import type { Deployment } from "../deployment/deployment.ts";

/** The name of the key, in `.env` and in the environment. */
export const BOXD_KEY = "BOXD_API_KEY";

/** How to reach boxd. The key is a secret: it goes to the SDK and nowhere else. */
export interface BoxdSettings {
  readonly apiKey: string;
  readonly org: string | undefined;
  readonly baseURL: string | undefined;
  /** what the names of qm's machines begin with, where it is set */
  readonly namePrefix: string | undefined;
}

/** The settings of a deployment: its `.env` and `env.core` first, then the environment. Null without a key. */
export function boxdSettings(
  deployment: Deployment | null,
  env: { readonly [name: string]: string | undefined },
): BoxdSettings | null {
  const setting = (name: string): string | undefined =>
    (deployment === null ? undefined : coreValue(deployment.config, name)?.value) ?? (env[name]?.trim() || undefined);
  const written = deployment?.env?.values.get(BOXD_KEY)?.trim() ?? "";
  // A reference is for its tool, which may have put the key into the environment.
  const apiKey = written === "" || findReference(written) !== null ? env[BOXD_KEY]?.trim() : written;
  return apiKey === undefined || apiKey === ""
    ? null
    : {
        apiKey,
        org: setting("BOXD_ORG"),
        baseURL: setting("BOXD_BASE_URL"),
        namePrefix: setting("BOXD_NAME_PREFIX"),
      };
}

/** Why BOXD_BASE_URL is not sent the key; null when it is, or not set. Its value is not shown. */
export function boxdAddressProblem({ baseURL }: BoxdSettings): string | null {
  const problem = baseURL === undefined ? null : baseUrlProblem(baseURL);
  return problem === null ? null : `BOXD_BASE_URL ${problem}`;
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
