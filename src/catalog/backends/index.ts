import { closestName } from "../../base/closest-name.ts";
import { ALL_BACKENDS } from "./all.generated.ts";
import type { Backend } from "./backend.ts";

/** Every sandbox backend that qm-deploy knows, sorted by name. */
export const BACKENDS: readonly Backend[] = ALL_BACKENDS;

/** The backend of exactly this name. */
export function findBackend(name: string): Backend | undefined {
  return BACKENDS.find((backend) => backend.name === name);
}

/** The known backend that an unknown name probably means; null where none is near. */
export function suggestBackend(name: string): string | null {
  return closestName(
    name,
    BACKENDS.map((backend) => backend.name),
  );
}
