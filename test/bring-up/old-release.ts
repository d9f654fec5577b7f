import { parse } from "jsonc-parser";

type Config = { [key: string]: unknown; services: string[]; aws?: { services: { [name: string]: object } } };

/** qm 0.1.6 published no images, and runs admin and auth by themselves: the config says what it needs of that. */
export function forOldRelease(text: string): string {
  const config = parse(text) as Config;
  const services = config.services.filter((name) => name !== "slack");
  const image = (name: string): string => `ghcr.io/acme/qm-${name}@sha256:${name.length.toString(16).repeat(64)}`;
  const imageOverrides = Object.fromEntries(services.map((name) => [name, image(name)]));
  const aws = config.aws && {
    ...config.aws,
    services: Object.fromEntries(
      services.map((name) => {
        const own = { ecrRepository: `qm/${name}`, ecsService: `acme-${name}`, cpu: 512, memory: 1024 };
        return [name, { ...own, ...config.aws?.services[name], architecture: "arm64" }];
      }),
    ),
  };
  const written = {
    ...config,
    ...(aws && { aws }),
    imageOverrides: { ...imageOverrides, ...(config["imageOverrides"] as object) },
  };
  return JSON.stringify(written, null, 2);
}
