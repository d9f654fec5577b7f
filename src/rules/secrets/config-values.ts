import type { StringMap } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { ConfigPath } from "../../base/config-path.ts";

/** A value that the config itself hands to a program, where no secret belongs. */
export interface ConfigValue {
  readonly name: string;
  readonly value: string;
  readonly path: ConfigPath;
  /** How the value reaches its reader as a secret instead, as a short imperative. */
  readonly instead: () => string;
}

/** Every environment value and build argument that stands in the config, in the order of its blocks. */
export function configValues({ config }: Deployment): ConfigValue[] {
  const all: ConfigValue[] = [];
  for (const [service, map] of Object.entries(config.env ?? {})) {
    add(
      all,
      map,
      ["env", service],
      (name) => `keep the value in \`.env\` or the target's store, and route it with \`secretEnv.${service}.${name}\``,
    );
  }
  config.plugins?.forEach((plugin, at) => {
    add(
      all,
      plugin.env,
      ["plugins", at, "env"],
      () => `declare it in \`plugins[${at}].secrets\`, and keep the value in \`.env\` or the target's store`,
    );
  });
  add(
    all,
    config.sandbox?.env,
    ["sandbox", "env"],
    () => "name it in `sandbox.secretEnv` (Sprites only), and keep the value in `.env` or the target's store",
  );
  for (const [workload, service] of Object.entries(config.aws?.services ?? {})) {
    add(
      all,
      service.buildArgs,
      ["aws", "services", workload, "buildArgs"],
      () => "build arguments stay readable in the image: fetch it at run time instead, as a secret of the service",
    );
  }
  return all;
}

function add(
  all: ConfigValue[],
  map: StringMap | undefined,
  path: ConfigPath,
  instead: (name: string) => string,
): void {
  for (const [name, value] of Object.entries(map ?? {}))
    all.push({ name, value, path: [...path, name], instead: () => instead(name) });
}
