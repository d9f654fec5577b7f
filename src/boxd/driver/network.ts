import type { Deadline } from "./deadline.ts";
import type { DriverContext } from "./call.ts";
import { BoxdDriverError } from "./errors.ts";
import { reading, requireMachine } from "./lookup.ts";

/**
 * The machine's public address, without a trailing slash. Whoever has it can reach the machine, so it is a secret: it is in no message.
 * Throws `insecure` when boxd gives none or one that is not https.
 */
export async function httpsUrl(context: DriverContext, id: string, budget: Deadline): Promise<string> {
  const machine = await requireMachine(context, id, budget);
  const url = (machine.access?.url ?? "").replace(/\/+$/, "");
  if (!URL.canParse(url) || new URL(url).protocol !== "https:") {
    throw new BoxdDriverError({ kind: "insecure" }, `machine ${id} has no https address`);
  }
  return url;
}

/** Ties the machine's default route to one port, instead of the first of a list of usual ports that answers. */
export async function pinRoute(context: DriverContext, id: string, port: number, budget: Deadline): Promise<void> {
  await reading(context, budget, `pin the route of machine ${id} to port ${port}`, () =>
    context.client.machines.proxies.setPort(id, port),
  );
}

/**
 * Switches the browser check in front of the machine's address. False when this SDK cannot do that: it then stays on, and a client that is no
 * browser may be refused while the machine sleeps.
 */
export async function setBotProtection(
  context: DriverContext,
  id: string,
  enabled: boolean,
  budget: Deadline,
): Promise<boolean> {
  const { machines } = context.client;
  if (machines.setBotProtection === undefined) return false;
  await reading(context, budget, `set the browser check of machine ${id}`, async () =>
    machines.setBotProtection?.(id, enabled),
  );
  return true;
}

/** boxd enforces a changed list about a second later. */
const EGRESS_SETTLE_MS = 1_000;

/**
 * Limits what the machine can reach: `["none"]` nothing, `[]` everything. Returns once the list is enforced. The call answers the list that is then in force; when
 * that is another one, it throws, for a list that was dropped on the way leaves the machine open.
 */
export async function setEgressAllow(
  context: DriverContext,
  id: string,
  entries: readonly string[],
  budget: Deadline,
): Promise<void> {
  const what = `set the egress list of machine ${id}`;
  const inForce = await reading(context, budget, what, () => context.client.machines.setEgressAllow(id, [...entries]));
  if (!isSameList(inForce, entries))
    throw new BoxdDriverError({ kind: "unknown" }, `${what}: boxd answered another list than was asked for`);
  await budget.sleep(EGRESS_SETTLE_MS, `the egress list of machine ${id} takes effect`);
}

/** Whether the answer has exactly these entries, in any order and case. An answer that is no list proves nothing. */
function isSameList(answer: unknown, entries: readonly string[]): boolean {
  if (!Array.isArray(answer)) return false;
  const sorted = (list: readonly unknown[]): string => JSON.stringify([...new Set(list.map(plainEntry))].sort());
  return sorted(answer) === sorted(entries);
}

/** One address may come back as the range that it is. */
function plainEntry(entry: unknown): string {
  return String(entry)
    .trim()
    .toLowerCase()
    .replace(/^([\d.]+)\/32$|^([\da-f:]+)\/128$/, "$1$2");
}
