import { counted } from "../base/phrase.ts";
import { connect } from "node:net";
import { isErrorKind, loadSdk, SDK_PACKAGE } from "../boxd/driver/index.ts";
import { explainError } from "../boxd/driver/errors.ts";
import { boxdAddressProblem, boxdSettings, BOXD_KEY, withMachines } from "./boxd-connection.ts";
import { failed, ok, skipped, type Probe, type ProbeContext, type ProbeOutcome } from "./probe.ts";

/** Where the SDK goes by itself (docs/contract/boxd.md#client). */
const DEFAULT_BASE_URL = "https://boxd.sh:9443";
const NOT_SELECTED = "boxd is not a selected backend";

/** The boxd key, its org and the way there. Machines are listed, none is made or woken. */
export const BOXD_PROBES: readonly Probe[] = [
  { id: "boxd-base-url", title: "boxd address", run: (context) => whenSelected(context, () => probeAddress(context)) },
  { id: "boxd-sdk", title: "boxd SDK", run: (context) => whenSelected(context, () => probeSdk(context)) },
  { id: "boxd-key", title: "boxd key and org", run: (context) => whenSelected(context, () => probeKey(context)) },
  {
    id: "boxd-quota",
    title: "boxd quota",
    run: (context) => whenSelected(context, async () => skipped("the SDK has no call that reads it")),
  },
];

async function whenSelected({ deployment }: ProbeContext, probe: () => Promise<ProbeOutcome>): Promise<ProbeOutcome> {
  return deployment.sandbox.selected.some((backend) => backend.name === "boxd") ? probe() : skipped(NOT_SELECTED);
}

async function probeAddress({ deployment, env, signal }: ProbeContext): Promise<ProbeOutcome> {
  const settings = boxdSettings(deployment, { ...env, [BOXD_KEY]: "-" });
  const problem = settings === null ? null : boxdAddressProblem(settings);
  if (problem !== null) return failed(problem, "nothing was sent there; `qm-deploy check` says where it is set");
  const url = new URL(settings?.baseURL ?? DEFAULT_BASE_URL);
  const port = Number(url.port || (url.protocol === "http:" ? 80 : 443));
  const reason = await connectionProblem(url.hostname.replace(/^\[|\]$/g, ""), port, signal);
  if (reason === null) return ok(`takes connections on port ${port}`);
  const help = "look at BOXD_BASE_URL and at what the network between lets through";
  return failed(`no connection to port ${port} (${reason})`, help);
}

/** Only with a key at hand there is something to ask. */
async function probeSdk({ deployment, env }: ProbeContext): Promise<ProbeOutcome> {
  try {
    const { version } = await loadSdk();
    return ok(`${SDK_PACKAGE} ${version ?? "of unknown version"}`);
  } catch (error) {
    const says = explainError(error);
    if (boxdSettings(deployment, env) === null) return skipped(`${says}; without a key nothing is asked of boxd`);
    return failed(says, "`doctor` and `boxd` talk to boxd through it; `check` and `render` do without");
  }
}

function connectionProblem(host: string, port: number, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal }, () => {
      socket.destroy();
      resolve(null);
    });
    socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
  });
}

async function probeKey({ deployment, env, signal }: ProbeContext): Promise<ProbeOutcome> {
  const settings = boxdSettings(deployment, env);
  if (settings === null) return skipped(`no ${BOXD_KEY} in .env or the environment; the target's store may have it`);
  try {
    const machines = await withMachines(settings, (driver) => driver.list({}, { signal }));
    const count = counted(machines.length, "machine");
    const { org } = settings;
    return ok(org === undefined ? `accepted; its org has ${count}` : `accepted for org ${org}, which has ${count}`);
  } catch (error) {
    const help = isErrorKind(error, "auth")
      ? `\`qm-deploy secrets set ${BOXD_KEY}\` replaces the key; BOXD_ORG must be the key's org`
      : "nothing was learnt about the key; fix what it says and try again";
    return failed(explainError(error), help);
  }
}
