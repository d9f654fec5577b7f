import { groupBy } from "../../../base/group-by.ts";
import { shellWord } from "../../../base/shell-word.ts";
import type { Deployment } from "../../../deployment/deployment.ts";
import { flyAppName } from "../../../render/fly-toml.ts";
import type { Changes } from "../changes.ts";
import { isMoved } from "./place.ts";
import { quotedList, type Step, step } from "./step.ts";

type Added = Changes["secrets"]["add"][number];

/** Getting what is needed and new; comes before anything is deployed. */
export function gettingSteps({ secrets }: Changes, after: Deployment): readonly Step[] {
  const mine = secrets.add.filter(({ managedBy }) => managedBy === "operator");
  const needed = mine.filter(({ required }) => required).map((secret) => gettingStep(secret, after));
  const optional = mine.filter(({ required }) => !required).map(({ name }) => name);
  const supplied = secrets.add.filter(({ managedBy }) => managedBy !== "operator");
  const nowRequired = secrets.change.filter(({ required }) => required.to && !required.from).map(({ name }) => name);
  const nowOptional = secrets.change.filter(({ required }) => required.from && !required.to).map(({ name }) => name);
  return [
    ...needed,
    ...some(nowRequired, (names) => `see that ${quotedList(names)} ${has(names)} a value, which is required now`, {
      commands: ["qm-deploy secrets check"],
    }),
    ...some(optional, (names) => `decide whether to set ${quotedList(names)}, which ${are(names)} optional`, {
      detail: "a value counts once it is in the store of the target and what reads it is deployed again",
      commands: ["qm-deploy secrets"],
    }),
    ...supplied.map(({ name, making }) => step([name], `let \`${name}\` come into being`, { detail: making })),
    ...some(nowOptional, (names) => `keep or retire ${quotedList(names)}, which ${are(names)} optional now`),
  ];
}

function gettingStep({ name, making }: Added, after: Deployment): Step {
  const isMadeHere = after.secrets.find((secret) => secret.name === name)?.source.kind !== "operator";
  return isMadeHere
    ? step([name], `make \`${name}\``, { commands: [`qm-deploy secrets set ${shellWord(name)} --generate`] })
    : step([name], `get \`${name}\` and put it into \`.env\``, {
        detail: making,
        commands: [`qm-deploy secrets set ${shellWord(name)}`],
      });
}

/** Comes last: what nothing reads any longer may still be read by what runs before. */
export function retiringSteps(before: Deployment, after: Deployment, { secrets }: Changes): readonly Step[] {
  const retired = before.secrets
    .filter(({ name }) => secrets.retire.includes(name))
    .flatMap(({ destinations }) => destinations.map(({ workload, env }) => `${workload}.${env}`));
  const gone = goneWorkloads(before, after);
  const stays = (place: string): boolean => !gone.has(place.slice(0, place.indexOf(".")));
  const moved = secrets.change.filter(({ removedFrom }) => removedFrom.some(stays));
  const places = moved.flatMap(({ removedFrom }) => removedFrom.filter(stays));
  return [
    ...some(secrets.retire, (names) => `retire ${quotedList(names)}`, {
      detail: "take them out of `.env` and the target's store, and revoke them where they were issued",
      commands: unsetCommands(before, after, retired),
    }),
    ...some(
      moved.map(({ name }) => name),
      (names) =>
        `see that ${quotedList(names)} ${names.length === 1 ? "is" : "are"} gone from where nothing reads ${names.length === 1 ? "it" : "them"}`,
      { detail: quotedList(places), commands: unsetCommands(before, after, places) },
    ),
  ];
}

/** The workloads that end where they ran, with what they were handed. */
function goneWorkloads(before: Deployment, after: Deployment): ReadonlySet<string> {
  const stay = new Set(isMoved(before, after) ? [] : after.workloads.map(({ name }) => name));
  return new Set(before.workloads.map(({ name }) => name).filter((name) => !stay.has(name)));
}

/**
 * Fly keeps what it was given until it is taken away, or the app is; the stores of the other targets follow from what is rendered.
 * A place that another secret fills now keeps that one's value.
 */
function unsetCommands(before: Deployment, after: Deployment, places: readonly string[]): readonly string[] {
  if (before.target !== "fly") return [];
  const gone = goneWorkloads(before, after);
  const filled = new Set(
    after.secrets.flatMap(({ destinations }) => destinations.map(({ workload, env }) => `${workload}.${env}`)),
  );
  const left = [...new Set(places)]
    .filter((place) => !filled.has(place))
    .map((place): [workload: string, env: string] => {
      const at = place.indexOf(".");
      return [place.slice(0, at), place.slice(at + 1)];
    });
  const byWorkload = groupBy(
    left.filter(([workload]) => !gone.has(workload)),
    ([workload]) => workload,
  );
  return [...byWorkload].map(([workload, entries]) => {
    const words = [flyAppName(before, workload), ...entries.map(([, env]) => env)];
    return `fly secrets unset --app ${words.map(shellWord).join(" ")}`;
  });
}

function some(
  names: readonly string[],
  title: (names: readonly string[]) => string,
  more: Parameters<typeof step>[2] = {},
): readonly Step[] {
  return names.length === 0 ? [] : [step(names, title(names), more)];
}

function has(names: readonly string[]): string {
  return names.length === 1 ? "has" : "each have";
}

function are(names: readonly string[]): string {
  return names.length === 1 ? "is" : "are";
}
