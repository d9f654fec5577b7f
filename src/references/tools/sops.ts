import { readEnvFile } from "../../envfile/index.ts";
import type { Tool } from "../tool.ts";

/** `sops`, for an env file whose values it has encrypted. It is asked for the whole file, whose checksum it verifies, once. */
export const SOPS: Tool = {
  program: "sops",
  install: "SOPS (https://getsops.io)",
  help: "run `sops --decrypt` with the file by hand: it says which key it looks for",
  failures:
    /Failed to get the data key required to decrypt the SOPS file|sops metadata not found|MAC mismatch|Error unmarshalling input|cannot operate on non-existent file/,
  callFor: (_, __, { file }) => {
    if (file === null)
      return {
        problem: "is encrypted by SOPS in what is no file, and `sops` reads files alone",
        help: "name the file itself with `-e`, or decrypt it on the way: `-e <(sops --decrypt …)`",
      };
    return {
      args: ["--decrypt", "--input-type", "dotenv", "--output-type", "dotenv", file],
      read: (printed, { entry }) => readEnvFile(printed).values.get(entry.key) ?? null,
    };
  },
};
