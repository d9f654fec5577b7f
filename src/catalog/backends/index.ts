import { TARGET_NAMES, type TargetName } from "../../config/written-config.ts";
import type { Release } from "../releases/release.ts";
import { ALL_BACKENDS } from "./all.generated.ts";
import type { Backend, BackendSetting } from "./backend.ts";
import { unless } from "./parts.ts";

/** Every sandbox backend that qm-deploy knows, sorted by name. */
export const BACKENDS: readonly Backend[] = ALL_BACKENDS;

/** The backend of exactly this name. */
export function findBackend(name: string): Backend | undefined {
  return BACKENDS.find((backend) => backend.name === name);
}

/** True when qm's own CLI of this release accepts the name in `sandbox.backend`; others need the projection that `render` writes. */
export function acceptedByQm(name: string, release: Release, target: TargetName): boolean {
  return release.backendPolicy[target].includes(name);
}

/** The targets on which `sandbox.backend` may name the backend; empty: only through `env.core.SANDBOX_BACKEND`. */
export function declarableTargets(backend: Backend, release: Release): readonly TargetName[] {
  return TARGET_NAMES.filter(
    (target) => acceptedByQm(backend.name, release, target) || backend.proposedOn.includes(target),
  );
}

/** True when the published core image of the release implements the backend; false asks for `imageOverrides.core`. */
export function inStockCore(backend: Backend, release: Release): boolean {
  return release.coreBackends.includes(backend.name);
}

/** True when some core of this release can run the backend: the stock one, or for a proposed backend one built for it. */
export function runnableUnder(backend: Backend, release: Release): boolean {
  return inStockCore(backend, release) || backend.proposedOn.length > 0;
}

/** Settings in `env.core` that core reads whatever the sandbox backend is. */
export const SHARED_SETTINGS: readonly BackendSetting[] = [
  {
    name: "SANDBOX_TIMEOUT_SEC",
    description: "Seconds after which a command in a sandbox is stopped (600 where it is not set)",
    default: "600",
    example: "600",
    validate: unless(
      (value) => /^\d+(\.\d+)?$/.test(value) && Number(value) > 0 && Number.isFinite(Number(value)),
      "is not a positive number of seconds",
      'write seconds as a plain number, such as `"600"`, or remove it',
    ),
  },
];
