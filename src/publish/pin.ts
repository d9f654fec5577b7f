import { accessSync, constants, lstatSync } from "node:fs";
import { dirname } from "node:path";
import { ownField, parseJson } from "../base/json.ts";
import { readImageReference } from "../catalog/grammar/image-reference.ts";
import { applyChanges } from "../config/edit.ts";
import type { ValueChange } from "../diagnostics/diagnostic.ts";
import { withLock } from "../workspace/lock.ts";
import { readTextFile } from "../workspace/read-file.ts";
import { writeFailure, writeFileAtomically } from "../workspace/write-file.ts";
import { PublishError } from "./publish-error.ts";

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** The digest that buildx writes into its metadata file after a push. */
export function pushedDigest(metadata: string): string {
  const digest = ownField(parseJson(metadata), "containerimage.digest");
  if (typeof digest === "string" && DIGEST.test(digest)) return digest;
  const message = "docker buildx did not say under which digest it pushed the image";
  throw new PublishError(message, "update Docker and its Buildx plugin");
}

/** An image with the digest by which its own registry knows it, from docker's `RepoDigests`; the tag stays readable in it. */
export function pinnedBase(image: string, repoDigests: string): string {
  const wanted = readImageReference(image);
  const listed = parseJson(repoDigests);
  for (const item of Array.isArray(listed) ? listed : []) {
    const reading = typeof item === "string" ? readImageReference(item) : null;
    if (!wanted.ok || reading?.ok !== true || reading.reference.digest === null) continue;
    const { domain, path, digest } = reading.reference;
    if (domain === wanted.reference.domain && path === wanted.reference.path && DIGEST.test(digest))
      return `${image}@${digest}`;
  }
  const help = "pin it yourself: end its FROM with `@sha256:` and its digest";
  throw new PublishError(`docker knows no digest of \`${image}\` in its own registry`, help);
}

/** What a publish changes in the config. A base of `scratch` is nothing to record. */
export function pinChanges(image: string, base: string | null, recorded: string | undefined): readonly ValueChange[] {
  const pin: ValueChange = { kind: "set", path: ["sandbox", "image"], value: image };
  if (base !== null) return [pin, { kind: "set", path: ["sandbox", "baseImage"], value: base }];
  return recorded === undefined ? [pin] : [pin, { kind: "remove", path: ["sandbox", "baseImage"] }];
}

function edited(text: string, changes: readonly ValueChange[]): string {
  const result = applyChanges(text, changes);
  if (result.ok) return result.text;
  throw new PublishError(`the config cannot be changed: ${result.reason}`, "fix that first");
}

/** Throws where a pin cannot be recorded; asked before a push, so that no image is pushed for nothing. */
export function checkRecordable(config: string, text: string, changes: readonly ValueChange[]): void {
  edited(text, changes);
  try {
    const help = "name the file that it leads to";
    if (!lstatSync(config).isFile())
      throw new PublishError("the config is a link, and a link is not written through", help);
    accessSync(dirname(config), constants.W_OK);
  } catch (error) {
    const reason = writeFailure(error);
    if (reason === null) throw error;
    throw new PublishError(`the config cannot be written: ${reason}`, "make its directory writable");
  }
}

/** Makes changes in a config as it is now, so that nobody's edit during the build is lost; all of them or none. */
export async function recordPin(config: string, shown: string, changes: readonly ValueChange[]): Promise<void> {
  try {
    await withLock(config, () => {
      const { file, problem } = readTextFile(config, shown);
      if (problem !== undefined) throw new PublishError(problem.message, problem.help);
      const text = edited(file.text, changes);
      if (text !== file.text) writeFileAtomically(config, text, { root: dirname(config), expected: file.text });
    });
  } catch (error) {
    const reason = writeFailure(error);
    if (reason === null) throw error;
    throw new PublishError(`the config was not changed: ${reason}`, "fix that first");
  }
}
