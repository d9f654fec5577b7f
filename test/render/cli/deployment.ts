import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { soundConfig } from "../../cli/deployments.ts";
import { tempDirectory } from "../../workspace/temp.ts";

const DIGEST = "5e".repeat(32);
/** What 0.1.6 needs to render. */
export const IMAGES = {
  core: `registry.acme-corp.dev/core@sha256:${DIGEST}`,
  "web-ui": `registry.acme-corp.dev/web@sha256:${DIGEST}`,
};
export const CONFIG = "qm.config.jsonc";

/** A directory with a sound deployment. */
export function deployment(more: object = {}): string {
  return tempDirectory({ [CONFIG]: soundConfig({ imageOverrides: IMAGES, ...more }) });
}

/** Every file below a directory, by path. */
export function files(directory: string): { [name: string]: string } {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(directory, name)).isFile(),
  );
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(directory, name), "utf8")]));
}
