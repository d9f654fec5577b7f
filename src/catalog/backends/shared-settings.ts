import type { BackendSetting } from "./backend.ts";

/** Settings in `env.core` that core reads whatever the sandbox backend is. */
export const SHARED_SETTINGS: readonly BackendSetting[] = [
  {
    name: "SANDBOX_TIMEOUT_SEC",
    description: "Seconds after which a command in a sandbox is stopped (600 where it is not set)",
    example: "600",
    judge: (value) =>
      /^\d+(\.\d+)?$/.test(value) && Number(value) > 0 && Number.isFinite(Number(value))
        ? null
        : {
            severity: "error",
            message: "is not a positive number of seconds",
            help: 'write seconds as a plain number, such as `"600"`, or remove it',
          },
  },
];
