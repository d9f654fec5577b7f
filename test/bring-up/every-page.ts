import { describe, expect, test } from "vitest";
import { answers } from "../support/programs.ts";
import { forOldRelease } from "./old-release.ts";
import { bringUp, takeDown } from "./walk.ts";

const EXAMPLES = ["docker-boxd", "docker-local", "fly-boxd", "fly-sprites", "aws-boxd", "aws-lambda"];

/** A name that is the deployer's own. */
const ownName = (text: string): string =>
  text.replace(/"publicUrl": "[^"]+"/, '"publicUrl": "https://qm.acme-corp.dev"');
/** A name of core's own beside it. */
const ownNames = (text: string): string =>
  ownName(text).replace('"target"', '"apiUrl": "https://api.acme-corp.dev", "target"');
/** A database that the deployer brings. */
const ownDatabase = (text: string): string =>
  text.replace(/"secretEnv": \{\s*"core": \{/, (start) => `${start} "DATABASE_URL": "MY_DATABASE",`);

const PAGES = [
  ...EXAMPLES.map((example) => ({ example, release: "0.1.12", as: "as it is" })),
  // It has no local sandboxes.
  ...EXAMPLES.filter((example) => example !== "docker-local").map((example) => ({
    example,
    release: "0.1.6",
    as: "with own images",
    config: forOldRelease,
  })),
  { example: "fly-boxd", release: "0.1.12", as: "with an own domain", config: ownName },
  { example: "aws-boxd", release: "0.1.12", as: "with an own domain", config: ownName },
  { example: "aws-boxd", release: "0.1.12", as: "with a name for core", config: ownNames },
  { example: "fly-boxd", release: "0.1.12", as: "with an own database", config: ownDatabase },
];

/** Runs every command of every page in a shell, there and back. A file for each shell calls it, so that they run side by side. */
export function describeEveryPage(shell: string): void {
  describe.skipIf(!answers(shell, ["-c", ":"]))(`every command of bring-up.md in ${shell} (skipped without it)`, () => {
    test.each(PAGES)("$example under $release, $as", (page) => {
      const stage = bringUp({ ...page, shell });
      takeDown(stage);
      expect(stage.refusals).toBe("");
    });
  });
}
