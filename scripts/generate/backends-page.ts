import type { Backend } from "../../src/catalog/backends/backend.ts";
import { BACKENDS, declarableTargets, inStockCore, runnableUnder } from "../../src/catalog/backends/index.ts";
import { describeSetting, settingOf } from "../../src/catalog/settings/index.ts";
import type { Setting } from "../../src/catalog/settings/setting.ts";
import { RELEASES } from "../../src/catalog/releases/index.ts";

function settingLines(settings: readonly Setting[]): string[] {
  return settings.map(
    (setting) => `- \`${setting.name}\`${setting.required === true ? " (required)" : ""}: ${describeSetting(setting)}`,
  );
}

function section(backend: Backend): string[] {
  const rows = RELEASES.map((release) => {
    const targets = declarableTargets(backend, release);
    const own = runnableUnder(backend, release) ? "one of your own" : "none";
    const core = inStockCore(backend, release) ? "the published one" : own;
    return `| ${release.version} | ${targets.length === 0 ? "–" : targets.join(", ")} | ${core} |`;
  });
  const secrets = backend.secrets.map(({ name, description }) => `- \`${name}\`: ${description}`);
  return [
    `## ${backend.name}`,
    "",
    `${backend.title}: ${backend.summary}.`,
    "",
    "| qm | targets on which `sandbox.backend` may name it | core image |",
    "|---|---|---|",
    ...rows,
    "",
    ...(secrets.length === 0 ? [] : ["Secrets:", "", ...secrets, ""]),
    ...(backend.settings.length === 0 ? [] : ["Settings in `env.core`:", "", ...settingLines(backend.settings), ""]),
  ];
}

/** The page `docs/backends.md`: what each sandbox backend needs, and where it can be declared. */
export function backendsPage(): string {
  const lines = [
    "<!-- Generated from src/catalog/backends/ by `npm run generate`; do not edit. -->",
    "# Sandbox backends",
    "",
    "Where agents work. A backend that no target lists below is chosen by `env.core.SANDBOX_BACKEND` only. Every backend reads:",
    "",
    ...settingLines([settingOf("core.sandboxTimeout")]),
    "",
    ...BACKENDS.flatMap(section),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}
