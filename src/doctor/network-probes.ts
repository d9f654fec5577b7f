import { findReference } from "../base/stand-in.ts";
import { readWebUrl } from "../catalog/grammar/host.ts";
import { coreValue } from "../deployment/env-values.ts";
import { failed, ok, skipped, type Probe, type ProbeContext, type ProbeOutcome } from "./probe.ts";

const NAME = "PUBLIC_API_URL";

/** Addresses that others must be able to reach. */
export const NETWORK_PROBES: readonly Probe[] = [{ id: "public-api-url", title: NAME, run: probePublicApi }];

/** Agents on a remote backend call core there. The address may be a secret of the operator, so it is not shown. */
async function probePublicApi({ deployment, stage, signal }: ProbeContext): Promise<ProbeOutcome> {
  const value = deployment.env?.values.get(NAME)?.trim() || coreValue(deployment.config, NAME)?.value;
  if (value === undefined || value === "") {
    const where = deployment.target === "docker" ? "" : "; the target's store may have it";
    return skipped(`its value is not in .env${where}`);
  }
  if (findReference(value) !== null) return skipped("its value is in another store, to which .env only refers");
  const url = readWebUrl(value);
  if (url === null) return failed("it is not a web address", "`qm-deploy check` says what is wrong with it");
  try {
    const response = await fetch(new URL("/healthz", url), { redirect: "manual", signal });
    await response.body?.cancel();
    if (response.status < 500) return ok(`answers with status ${response.status} from here`);
    const help = "something is there, but core behind it is not well: look at its log";
    return failed(`answers with status ${response.status}`, help);
  } catch (error) {
    const says = `does not answer from here (${reasonOf(error)})`;
    if ((await stage) === "before") return skipped(`${says}, as is to be before the first deployment`);
    const help = "before the first deployment that is as it must be; afterwards agents need this address to reach core";
    return failed(says, help);
  }
}

/** The code of what went wrong; messages of fetch name the host. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error ? Reflect.get(cause, "code") : undefined;
  return typeof code === "string" ? code : error instanceof Error ? error.name : "unknown";
}
