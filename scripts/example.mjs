/** `npm run example:<name>`: runs examples/library/<name>.mjs on the built package and the fake control plane of the tests. Needs no account. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./sources.mjs";
import { ensureInstalled } from "./setup.mjs";

ensureInstalled();
const { ensureBuilt } = await import("./build.mjs");
const { build } = await import("rolldown");
await ensureBuilt();

const name = process.argv[2] ?? "";
const bundle = join(ROOT, "node_modules", ".cache", "qm-deploy", `example-world-${process.pid}.mjs`);
await build({
  input: join(ROOT, "test", "boxd", "openenv", "example-world.ts"),
  platform: "node",
  logLevel: "warn",
  output: { file: bundle, format: "esm", codeSplitting: false },
});
const { rmSync } = await import("node:fs");
const { exampleWorld } = await import(pathToFileURL(bundle).href).finally(() => rmSync(bundle, { force: true }));

const RUNS = {
  boxd: (main, { client }) => main(client),
  "qm-sandbox": (main, { client }) => main({ client }),
  openenv: (main, { client, connection }) => main("echo-env:latest", { client, connection }),
};
if (!Object.hasOwn(RUNS, name)) throw new Error(`there is no example "${name}": ${Object.keys(RUNS).join(", ")}`);

const world = await exampleWorld(join(ROOT, "test", "boxd", "openenv", "docker-stand-in.mjs"));
try {
  const { main } = await import(pathToFileURL(join(ROOT, "examples", "library", `${name}.mjs`)).href);
  await RUNS[name](main, world);
  if (world.left().length > 0) throw new Error(`left on the plane: ${world.left().join(", ")}`);
} finally {
  await world.end();
}
