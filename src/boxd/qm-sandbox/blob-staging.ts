import { randomUUID } from "node:crypto";
import { ownField, parseJson } from "../../base/json.ts";
import { beginning, shellQuote } from "../driver/index.ts";
import { envOf } from "./command.ts";
import { failure, type MachinesByName } from "./machines-by-name.ts";
import { PREPARE_MS, STAGE_MS } from "./timeouts.ts";
import type { BlobStaging } from "./options.ts";
import { inside } from "./paths.ts";
import type { Sandbox, SandboxHandle } from "./sandbox.ts";

/** The header that carries core's tokens (docs/contract/boxd.md#blob-staging). */
const HEADER = "x-agent-capability";
const CURL = "curl -fsS --connect-timeout 15";

/** `stageIn` and `stageOut` of a backend whose machines have curl. The token goes in through standard input: not on a command line. */
export function blobMethods(machines: MachinesByName, staging: BlobStaging) {
  const blobs = `${staging.apiBaseUrl.replace(/\/+$/, "")}/v1/blobs`;
  const transfer = async (handle: SandboxHandle, label: string, script: string, token: string): Promise<string> => {
    const stdin = `${HEADER}: ${token}\n`;
    const end = await machines.command(handle.id, label, { script, env: envOf(handle), stdin, timeoutMs: STAGE_MS });
    if (end.code === 0) return end.stdout;
    const why = beginning(end.stderr.trim(), 200) || `curl ended with status ${String(end.code)}`;
    throw failure(label, handle.id, why);
  };
  return {
    async stageIn(handle, path, blobId) {
      const target = inside(handle.rootDir, path);
      const part = `${target}.${randomUUID()}.part`;
      const url = `${blobs}/${encodeURIComponent(blobId)}`;
      const token = await staging.mintToken({ dir: "read", id: blobId });
      const folder = shellQuote(target.slice(0, target.lastIndexOf("/")));
      const script = `mkdir -p ${folder} && ${CURL} -H @- -o ${shellQuote(part)} ${shellQuote(url)} && mv -f ${shellQuote(part)} ${shellQuote(target)}`;
      try {
        await transfer(handle, "stageIn", script, token);
      } catch (error) {
        await machines.script(handle.id, "stageIn", `rm -f ${shellQuote(part)}`, PREPARE_MS).catch(() => undefined);
        throw error;
      }
    },
    async stageOut(handle, path) {
      const source = shellQuote(inside(handle.rootDir, path));
      const token = await staging.mintToken({ dir: "write" });
      const script = [
        `_s=$(sha256sum <${source}) || exit 1`,
        `${CURL} -X POST -H @- -H "x-content-sha256: \${_s%% *}" -H 'content-type: application/octet-stream' --upload-file ${source} ${shellQuote(blobs)}`,
      ].join("\n");
      return blobIdOf(await transfer(handle, "stageOut", script, token), handle.id);
    },
  } satisfies Partial<Sandbox>;
}

function blobIdOf(text: string, name: string): string {
  const answer = parseJson(text);
  if (answer === undefined) throw failure("stageOut", name, `the answer is not JSON: ${beginning(text, 200)}`);
  const id = ownField(answer, "blobId");
  if (typeof id !== "string" || id === "") throw failure("stageOut", name, "the answer names no `blobId`");
  return id;
}
