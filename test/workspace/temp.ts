import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory of its own for a test, with these files (path to content); removed when the test ends. */
export function tempDirectory(files: { readonly [path: string]: string | Buffer } = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "qm-deploy-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  addFiles(root, files);
  return root;
}

/** Writes files below a directory. */
export function addFiles(root: string, files: { readonly [path: string]: string | Buffer }): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** True where permission bits stop the user that runs the tests; they do not stop root. */
export const PERMISSIONS_COUNT = process.platform !== "win32" && process.getuid?.() !== 0;

/** Makes a directory read-only until the test ends. */
export function makeReadOnly(directory: string): void {
  chmodSync(directory, 0o555);
  onTestFinished(() => chmodSync(directory, 0o755));
}
