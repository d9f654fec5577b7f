import type { DeploymentFiles, TextOptions } from "qm-deploy/pure";

/** What is judged, without `.env`: all of it may stand in a link. */
export interface Draft {
  readonly config: string;
  /** The example whose files stand beside the config; null for none. */
  readonly example: string | null;
  /** As `--target`; null: as written. */
  readonly target: string | null;
  /** As `--release`; null: as pinned, or the newest known. */
  readonly release: string | null;
  readonly strict: boolean;
}

/** A deployment to begin with. */
export interface Example {
  readonly id: string;
  readonly title: string;
  readonly config: string;
  readonly files: DeploymentFiles;
}

/** The options with which the library judges a draft. A blank `.env` is none. */
export function optionsOf(draft: Draft, env: string, files: DeploymentFiles): TextOptions {
  return {
    files,
    ...(env.trim() === "" ? {} : { env }),
    ...(draft.target === null ? {} : { target: draft.target }),
    ...(draft.release === null ? {} : { release: draft.release }),
  };
}

/** The command that would judge the same in a directory. */
export function commandOf({ target, release, strict }: Draft): string {
  return [
    "qm-deploy check",
    ...(target === null ? [] : [`--target ${target}`]),
    ...(release === null ? [] : [`--release ${release}`]),
    ...(strict ? ["--strict"] : []),
  ].join(" ");
}
