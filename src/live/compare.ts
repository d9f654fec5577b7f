import { compareText } from "../base/text-order.ts";
import { isSameImage } from "./image.ts";
import type { LiveDeployment, RenderedWorkload, RunningWorkload } from "./workload.ts";

/** What of a workload is not as it is rendered. */
export type Attribute = "workload" | "image" | "environment" | "secret" | "ports" | "size" | "mount" | "setting";

/** One way in which what runs is not what is rendered. */
export interface Difference {
  /** The workload, or the name of what runs and is not rendered. */
  readonly workload: string;
  readonly attribute: Attribute;
  /** The environment name, path or field; null where the attribute alone says it. */
  readonly name: string | null;
  /** Null: not rendered. */
  readonly rendered: string | null;
  /** Null: not there, or not to be shown. */
  readonly running: string | null;
  /** The containers, machines or services that differ so: `machine 3d8d9014a32789`; empty where there are none. */
  readonly units: readonly string[];
  /** True where others of the workload do not. */
  readonly isPartial: boolean;
  /** How it differs, for the sentence about it. */
  readonly kind:
    | "missing"
    | "empty"
    | "idle"
    | "stranger"
    | "absent"
    | "extra"
    | "other"
    | "moved"
    | "exposed"
    | "shadowed"
    | "staged";
}

type Found = Omit<Difference, "workload" | "units" | "isPartial">;

/** Compares what is rendered with what runs, in the order of what is rendered; strangers come last. */
export function compareDeployment(
  rendered: readonly RenderedWorkload[],
  running: LiveDeployment,
): readonly Difference[] {
  return [
    ...rendered.flatMap((workload) =>
      compareUnits(
        workload,
        running.workloads.filter(({ name }) => name === workload.name),
        running.empty.has(workload.name) ? "empty" : "missing",
      ),
    ),
    ...running.strangers.map(({ name, unit }) =>
      differenceOf(name, { attribute: "workload", name: null, rendered: null, running: unit, kind: "stranger" }, [
        unit,
      ]),
    ),
  ];
}

function differenceOf(workload: string, found: Found, units: readonly string[], isPartial = false): Difference {
  return { workload, ...found, units, isPartial };
}

/** What all units of a workload differ in is told once, without naming one. */
function compareUnits(
  rendered: RenderedWorkload,
  units: readonly RunningWorkload[],
  without: "empty" | "missing",
): readonly Difference[] {
  const { name: workload } = rendered;
  if (units.length === 0)
    return [
      differenceOf(
        workload,
        { attribute: "workload", name: null, rendered: "running", running: null, kind: without },
        [],
      ),
    ];
  const found = new Map<string, { readonly difference: Found; readonly units: string[] }>();
  for (const unit of units) {
    for (const difference of [...idleness(unit), ...compareWorkload(rendered, unit)]) {
      const key = JSON.stringify(difference);
      const known = found.get(key);
      if (known === undefined) found.set(key, { difference, units: [unit.unit] });
      else known.units.push(unit.unit);
    }
  }
  return [...found.values()].map(({ difference, units: named }) =>
    differenceOf(workload, difference, named, named.length < units.length),
  );
}

/** What is stopped is told; what it would be if it ran is compared all the same. */
function idleness({ idle }: RunningWorkload): readonly Found[] {
  return idle === null ? [] : [{ attribute: "workload", name: null, rendered: "running", running: idle, kind: "idle" }];
}

function compareWorkload(rendered: RenderedWorkload, running: RunningWorkload): readonly Found[] {
  return [
    ...compareImages(rendered, running),
    ...compareNames(rendered, running),
    ...comparePorts(rendered, running),
    ...compareFields("size", rendered.size, running.size),
    ...compareMounts(rendered, running),
    ...compareFields("setting", rendered.settings, running.settings),
  ];
}

function compareImages({ image: rendered }: RenderedWorkload, { image: running }: RunningWorkload): readonly Found[] {
  if (rendered === null || running === null || isSameImage(rendered, running)) return [];
  const is = { rendered: rendered.reference, running: running.reference };
  return [{ attribute: "image", name: null, ...is, kind: "other" }];
}

/** Whatever it gets by name is told once for each name, be it in the wrong place. */
function compareNames(rendered: RenderedWorkload, running: RunningWorkload): readonly Found[] {
  const names = new Set([
    ...[rendered, running].flatMap(({ environment, secrets }) => [...environment.keys(), ...secrets.keys()]),
    ...running.otherNames,
    ...running.staged,
  ]);
  return [...names].sort(compareText).flatMap((name) => compareName(name, rendered, running));
}

function compareName(name: string, rendered: RenderedWorkload, running: RunningWorkload): readonly Found[] {
  const value = rendered.environment.get(name);
  const isSecretThere = running.secrets.has(name);
  if (value !== undefined) return compareValue(name, value, running, isSecretThere);
  const reference = rendered.secrets.get(name);
  if (reference !== undefined) return compareSecret(name, reference, running, isSecretThere);
  if (running.staged.has(name)) return [{ attribute: "secret", name, rendered: null, running: null, kind: "staged" }];
  if (rendered.optionalSecrets.has(name)) return [];
  const attribute = isSecretThere ? "secret" : "environment";
  return [{ attribute, name, rendered: null, running: null, kind: "extra" }];
}

function compareValue(name: string, value: string, running: RunningWorkload, isSecretThere: boolean): readonly Found[] {
  const found = running.environment.get(name) ?? null;
  if (isSecretThere) return [{ attribute: "secret", name, rendered: null, running: null, kind: "shadowed" }];
  if (found === value) return [];
  const kind = found === null ? "absent" : "other";
  return [{ attribute: "environment", name, rendered: value, running: found, kind }];
}

/** Secrets are compared by name, and by the store's reference where both have one. */
function compareSecret(
  name: string,
  reference: string | null,
  running: RunningWorkload,
  isSecretThere: boolean,
): readonly Found[] {
  const isPlain = running.otherNames.has(name) || running.environment.has(name);
  if (!isSecretThere) {
    const kind = running.staged.has(name) ? "staged" : isPlain ? "exposed" : "absent";
    return [{ attribute: "secret", name, rendered: reference, running: null, kind }];
  }
  const there = running.secrets.get(name) ?? null;
  if (reference === null || there === null || reference === there) return [];
  return [{ attribute: "secret", name, rendered: reference, running: there, kind: "other" }];
}

function comparePorts({ ports: rendered }: RenderedWorkload, { ports: running }: RunningWorkload): readonly Found[] {
  const [is, should] = [listed(running), listed(rendered)];
  return is === should ? [] : [{ attribute: "ports", name: null, rendered: should, running: is, kind: "other" }];
}

function listed(ports: readonly string[]): string {
  return ports.length === 0 ? "none" : [...ports].sort(compareText).join(", ");
}

/** What is mounted at another path is told once. */
function compareMounts({ mounts: rendered }: RenderedWorkload, { mounts: running }: RunningWorkload): readonly Found[] {
  const found = compareFields("mount", rendered, running);
  const moved = found.flatMap((absent): readonly Found[] => {
    if (absent.kind !== "absent") return [];
    const there = found.find((extra) => extra.kind === "extra" && extra.running === absent.rendered);
    return there === undefined
      ? []
      : [{ ...absent, name: there.name, rendered: absent.name, running: there.running, kind: "moved" }];
  });
  const paths = new Set(moved.flatMap(({ name, rendered: path }) => [name, path]));
  return [...found.filter(({ name }) => !paths.has(name)), ...moved];
}

/** Fields by name; null on either side says nothing. */
function compareFields(
  attribute: Attribute,
  rendered: ReadonlyMap<string, string | null>,
  running: ReadonlyMap<string, string | null>,
): readonly Found[] {
  return [...new Set([...rendered.keys(), ...running.keys()])].flatMap((name): readonly Found[] => {
    const [should, is] = [rendered.get(name), running.get(name)];
    if (should === is || should === null || is === null) return [];
    const kind = should === undefined ? "extra" : is === undefined ? "absent" : "other";
    return [{ attribute, name, rendered: should ?? null, running: is ?? null, kind }];
  });
}
