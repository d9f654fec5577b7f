import * as z from "zod/mini";
import { envMap, envName, image, text } from "./field-types.ts";

/** `env`: per declared service, names and values. */
export function envSchema() {
  const map = () => z.optional(envMap());
  return z.strictObject({ core: map(), "web-ui": map(), admin: map(), portal: map(), auth: map(), slack: map() });
}

/** `secretEnv`: per declared service, environment name to name in the secrets store. */
export function secretEnvSchema() {
  const map = () => z.optional(z.record(envName(), envName()));
  return z.strictObject({ core: map(), "web-ui": map(), admin: map(), portal: map(), auth: map(), slack: map() });
}

/** `imageOverrides`: per service that is a program of its own. */
export function imageOverridesSchema() {
  const reference = () => z.optional(image());
  return z.strictObject({
    core: reference(),
    "web-ui": reference(),
    admin: reference(),
    portal: reference(),
    auth: reference(),
  });
}

/** Memory as Fly reads it: megabytes, or with a unit. */
const MEMORY = /^[1-9][0-9]*([mMgG]([iI]?[bB])?)?$/;

/** `vms`: Fly machine sizes. */
export function vmsSchema() {
  const vm = () =>
    z.optional(
      z.strictObject({
        size: z.optional(text(/^[a-z0-9]+(-[a-z0-9]+)*$/, "the name of a Fly machine size, such as `shared-cpu-1x`")),
        memory: z.optional(text(MEMORY, "an amount of memory such as `512mb` or `2gb`")),
      }),
    );
  return z.strictObject({ core: vm(), "web-ui": vm(), admin: vm(), portal: vm(), auth: vm() });
}
