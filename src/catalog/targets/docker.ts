import type { RunnableServiceName } from "../../config/written-config.ts";

/** `basePort` where the config has none. */
export const DEFAULT_BASE_PORT = 8080;

/** What is added to `basePort` for the host port of a service; auth has none. */
export const DOCKER_PORT_OFFSET: { readonly [service in RunnableServiceName]?: number } = {
  core: 0,
  portal: 1,
  "web-ui": 2,
  admin: 3,
};

/** The bundled database, used where `.env` names no DATABASE_URL. */
export const POSTGRES_IMAGE = "postgres:16";
