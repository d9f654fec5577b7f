import { describe, expect, test } from "vitest";
import { findServer, type Surroundings } from "../../editors/vscode/src/find-server.ts";

interface Case extends Partial<Pick<Surroundings, "configured" | "folders" | "configs">> {
  readonly name: string;
  /** Files that are there. */
  readonly files?: readonly string[];
  /** The program, or what the sentence must hold. */
  readonly starts?: string;
  readonly says?: RegExp;
}

const CASES: readonly Case[] = [
  { name: "nothing is installed", says: /not installed.*qm-deploy\.path/ },
  { name: "at the folder", files: ["/w/node_modules/.bin/qm-deploy"], starts: "/w/node_modules/.bin/qm-deploy" },
  {
    name: "beside the config before above it",
    configs: ["/w/a/b/qm.config.jsonc"],
    files: ["/w/node_modules/.bin/qm-deploy", "/w/a/b/node_modules/.bin/qm-deploy"],
    starts: "/w/a/b/node_modules/.bin/qm-deploy",
  },
  {
    name: "above a config",
    configs: ["/w/a/b/qm.config.jsonc"],
    files: ["/w/a/node_modules/.bin/qm-deploy"],
    starts: "/w/a/node_modules/.bin/qm-deploy",
  },
  {
    name: "the first of several configs, in whatever order they are found",
    configs: ["/w/b/qm.config.jsonc", "/w/a/qm.config.jsonc"],
    files: ["/w/b/node_modules/.bin/qm-deploy", "/w/a/node_modules/.bin/qm-deploy"],
    starts: "/w/a/node_modules/.bin/qm-deploy",
  },
  {
    name: "in a second folder",
    folders: ["/v", "/w"],
    files: ["/w/node_modules/.bin/qm-deploy"],
    starts: "/w/node_modules/.bin/qm-deploy",
  },
  {
    name: "never above the folder that is open, which alone is trusted",
    folders: ["/home/w"],
    configs: ["/home/w/qm.config.jsonc"],
    files: ["/home/node_modules/.bin/qm-deploy", "/node_modules/.bin/qm-deploy"],
    says: /not installed/,
  },
  {
    name: "never for a config of no open folder",
    configs: ["/x/qm.config.jsonc"],
    files: ["/x/node_modules/.bin/qm-deploy"],
    says: /not installed/,
  },
  {
    name: "the setting before everything",
    configured: "/opt/qm-deploy",
    files: ["/opt/qm-deploy", "/w/node_modules/.bin/qm-deploy"],
    starts: "/opt/qm-deploy",
  },
  {
    name: "the setting from the first folder",
    configured: "./tools/qm-deploy",
    files: ["/w/tools/qm-deploy"],
    starts: "/w/tools/qm-deploy",
  },
  { name: "the setting as a name on PATH", configured: "qm-deploy", starts: "qm-deploy" },
  {
    name: "the setting is wrong, whatever else is there",
    configured: "tools/gone",
    files: ["/w/node_modules/.bin/qm-deploy"],
    says: /qm-deploy\.path names \/w\/tools\/gone/,
  },
];

describe("the extension for VS Code starts", () => {
  test.each(CASES)("$name", ({ files = [], starts, says, ...given }) => {
    const found = findServer({
      configured: "",
      folders: ["/w"],
      configs: [],
      platform: "linux",
      isFile: (path) => files.includes(path),
      ...given,
    });
    if (starts === undefined) expect(found).toMatch(says as RegExp);
    else expect(found).toEqual({ command: starts, args: ["lsp", "--stdio"], shell: false });
  });

  test("on Windows npm's batch file, by a shell and in quotes", () => {
    const path = "/a folder/node_modules/.bin/qm-deploy.cmd";
    const isFile = (asked: string) => asked === path;
    expect(findServer({ configured: "", folders: ["/a folder"], configs: [], platform: "win32", isFile })).toEqual({
      command: `"${path}"`,
      args: ["lsp", "--stdio"],
      shell: true,
    });
  });
});
