/**
 * `npm run generate`: writes every committed file that is made from the sources (templates, the JSON Schema, docs/rules.md).
 * The tests that guard them against drift write them when they are told to.
 */
import { join } from "node:path";
import { ROOT } from "./sources.mjs";
import { ensureInstalled, runHere } from "./setup.mjs";

ensureInstalled();
const env = { ...process.env, UPDATE_TEMPLATES: "1", UPDATE_SCHEMA: "1", UPDATE_DOCS: "1" };
const tests = ["test/catalog/generated.test.ts", "test/config", "test/rules/docs.test.ts"];
process.exitCode = runHere(process.execPath, [join(ROOT, "node_modules", "vitest", "vitest.mjs"), "run", ...tests], {
  env,
});
