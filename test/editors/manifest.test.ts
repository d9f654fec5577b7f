import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../cli/built.ts";

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

const PACKAGE = JSON.parse(read("package.json"));
const EXTENSION = JSON.parse(read("editors/vscode/package.json"));

test("the extension for VS Code has this package's version and licence, and asks for a VS Code that its client takes", () => {
  expect(EXTENSION.version).toBe(PACKAGE.version);
  expect(EXTENSION.license).toBe(PACKAGE.license);
  const client = JSON.parse(read("node_modules/vscode-languageclient/package.json"));
  expect(EXTENSION.engines.vscode).toBe(client.engines.vscode);
  expect(EXTENSION.engines.vscode).toBe(`^${PACKAGE.devDependencies["@types/vscode"]}`);
});

test("it installs nothing, and starts nothing of a workspace that is not trusted", () => {
  expect(Object.keys(EXTENSION).filter((field) => /dependencies|scripts/i.test(field))).toEqual([]);
  expect(EXTENSION.activationEvents).toEqual(["workspaceContains:**/qm.config.jsonc"]);
  const { supported, restrictedConfigurations } = EXTENSION.capabilities.untrustedWorkspaces;
  expect(supported).toBe("limited");
  expect(restrictedConfigurations).toEqual(Object.keys(EXTENSION.contributes.configuration.properties));
});
