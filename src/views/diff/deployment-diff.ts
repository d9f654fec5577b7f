/** One of the two deployments that are compared. */
export interface DiffSide {
  /** As it was named on the command line. */
  readonly named: string;
  readonly config: string;
  readonly target: string | null;
  readonly release: string;
  /** The backend that core will really use; null where there is none. */
  readonly backend: string | null;
  /** Errors that `check` finds in its config; with any, the rest may be incomplete. */
  readonly errors: number;
}

export type Change = "added" | "removed" | "changed";

/** A value before and after; null where there is none. What may be secret is `[hidden]`. */
export interface ValueChange {
  readonly name: string;
  readonly change: Change;
  readonly from: string | null;
  readonly to: string | null;
}

export interface WorkloadChange {
  readonly name: string;
  readonly change: Change;
  /** Null where the image is the same. */
  readonly image: { readonly from: string | null; readonly to: string | null } | null;
  /** Sorted by name. Secrets are in {@link DeploymentDiff.secrets}. */
  readonly environment: readonly ValueChange[];
}

/** A secret that only the new deployment uses. */
export interface AddedSecret {
  readonly name: string;
  readonly required: boolean;
  readonly managedBy: string;
  readonly reason: string;
  readonly making: string;
  readonly destinations: readonly { readonly workload: string; readonly env: string }[];
}

/** A secret that both use, but not alike. */
export interface ChangedSecret {
  readonly name: string;
  readonly required: { readonly from: boolean; readonly to: boolean };
  /** Places as `workload.NAME`. */
  readonly addedTo: readonly string[];
  readonly removedFrom: readonly string[];
}

export interface ArtifactChange {
  readonly name: string;
  readonly change: Change;
  readonly linesAdded: number;
  readonly linesRemoved: number;
}

/** Something that holds data and that the change leaves behind or moves. */
export interface DataAtRisk {
  readonly what: "agent-computers" | "database" | "files";
  readonly message: string;
}

/** One thing to do, in order. `done`: the new config has it already; null where the config cannot tell. */
export interface Step {
  readonly title: string;
  readonly detail: string | null;
  readonly done: boolean | null;
}

/** What changes from one deployment to another. */
export interface DeploymentDiff {
  readonly from: DiffSide;
  readonly to: DiffSide;
  /** True when nothing of what follows changes. */
  readonly same: boolean;
  readonly workloads: readonly WorkloadChange[];
  readonly secrets: {
    readonly add: readonly AddedSecret[];
    readonly retire: readonly string[];
    readonly change: readonly ChangedSecret[];
  };
  /** Null where one of the two has no target to render for. */
  readonly artifacts: readonly ArtifactChange[] | null;
  readonly data: readonly DataAtRisk[];
  /** Empty where nothing is to be done. */
  readonly steps: readonly Step[];
}
