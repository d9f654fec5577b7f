/** An image as it is named in one place. */
export interface LiveImage {
  /** As it is written there. */
  readonly reference: string;
  /** `sha256:<hex>`: every digest that this content is known by; empty where none is known. */
  readonly digests: readonly string[];
}

/**
 * What one container, app or task is. What is rendered and what runs are told in the same words: units, order, case and the
 * spelling of defaults are those of this toolkit, so that only what means something else reads differently. Null is "not
 * said there": it differs from nothing.
 */
export interface LiveWorkload {
  /** The workload's name; of what runs and is not rendered, the name that it has there. */
  readonly name: string;
  readonly image: LiveImage | null;
  /** Environment without secrets. */
  readonly environment: ReadonlyMap<string, string>;
  /** The names under which it gets secrets; where the platform has them by reference, the reference, else null. */
  readonly secrets: ReadonlyMap<string, string | null>;
  /** `127.0.0.1:8080->8080/tcp`, sorted. */
  readonly ports: readonly string[];
  /** By the path inside: `volume qm-acme-coredata`. */
  readonly mounts: ReadonlyMap<string, string>;
  /** `cpu`, `memory`, `vm`. */
  readonly size: ReadonlyMap<string, string | null>;
  /** Everything else that is rendered, by the field's name in the rendered file. */
  readonly settings: ReadonlyMap<string, string | null>;
}

/** A workload that is rendered. */
export interface RenderedWorkload extends LiveWorkload {
  /** Names of secrets that it may have or not. */
  readonly optionalSecrets: ReadonlySet<string>;
}

/** One container, machine or task definition on the platform. */
export interface RunningWorkload extends LiveWorkload {
  /** What it is there: `container qm-acme-core`. */
  readonly unit: string;
  /** Null where it runs, else what it does instead: "has exited". */
  readonly idle: string | null;
  /** Names of environment entries whose values were not kept, as nothing renders them; each may be a secret of somebody's. */
  readonly otherNames: ReadonlySet<string>;
  /** Secrets that are in the platform's store and not in force yet. */
  readonly staged: ReadonlySet<string>;
}

/** What a platform said of a deployment. */
export interface LiveDeployment {
  readonly workloads: readonly RunningWorkload[];
  /** What belongs to the deployment, runs, and is not rendered. */
  readonly strangers: readonly Stranger[];
  /** Workloads whose place is there, with nothing in it: an app that was created and not deployed. */
  readonly empty: ReadonlySet<string>;
}

/** Something that runs and should not. */
export interface Stranger {
  /** `container qm-acme-auth` */
  readonly unit: string;
  /** As commands name it. */
  readonly name: string;
}

/** Names as which the readers of answers keep values, and names that are secrets: nothing else of an environment is kept. */
export interface KnownNames {
  readonly environment: ReadonlySet<string>;
  readonly secrets: ReadonlySet<string>;
}

/** The names that a rendered workload knows. */
export function knownNames({ environment, secrets, optionalSecrets }: RenderedWorkload): KnownNames {
  return { environment: new Set(environment.keys()), secrets: new Set([...secrets.keys(), ...optionalSecrets]) };
}

/** Sorts the entries of an environment into what may be kept of them. */
export function sortEnvironment(
  entries: Iterable<readonly [name: string, value: string]>,
  known: KnownNames,
): Pick<RunningWorkload, "environment" | "otherNames"> & { readonly secretNames: readonly string[] } {
  const environment = new Map<string, string>();
  const otherNames = new Set<string>();
  const secretNames: string[] = [];
  for (const [name, value] of entries) {
    if (known.environment.has(name)) environment.set(name, value);
    else if (known.secrets.has(name)) secretNames.push(name);
    else otherNames.add(name);
  }
  return { environment, otherNames, secretNames };
}
