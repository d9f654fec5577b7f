import { TARGET_NAMES, type TargetName } from "../../config/written-config.ts";
import type { Release } from "../releases/release.ts";
import { ALL_BACKENDS } from "./all.generated.ts";
import type { Setting } from "../settings/setting.ts";
import type { Backend } from "./backend.ts";

/** Every sandbox backend that qm-deploy knows, sorted by name. */
export const BACKENDS: readonly Backend[] = ALL_BACKENDS;

/** The backend of exactly this name. */
export function findBackend(name: string): Backend | undefined {
  return BACKENDS.find((backend) => backend.name === name);
}

/** A setting of sandbox backends, and those that read it. */
interface BackendSetting {
  readonly setting: Setting;
  readonly backends: readonly Backend[];
}

/** Every setting that some backend reads, by name. */
export const BACKEND_SETTINGS: ReadonlyMap<string, BackendSetting> = new Map(
  BACKENDS.flatMap(({ settings }) => settings).map((setting) => {
    const backends = BACKENDS.filter(({ settings }) => settings.some(({ name }) => name === setting.name));
    return [setting.name, { setting, backends }];
  }),
);

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

/** The backends that `sandbox.backend` may name on a target; null: on any. */
export function declarableBackends(target: TargetName | null, release: Release): readonly Backend[] {
  return BACKENDS.filter((backend) => {
    const targets = declarableTargets(backend, release);
    return target === null ? targets.length > 0 : targets.includes(target);
  });
}

/** True when the published core image of the release implements the backend; false asks for `imageOverrides.core`. */
export function inStockCore(backend: Backend, release: Release): boolean {
  return release.coreBackends.includes(backend.name);
}

/** True when some core of this release can run the backend: the stock one, or for a proposed backend one built for it. */
export function runnableUnder(backend: Backend, release: Release): boolean {
  return inStockCore(backend, release) || backend.proposedOn.length > 0;
}
