import { existsSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, join, parse } from "node:path";
import { meaningOf } from "../../envfile/index.ts";
import { ownField, parseJson } from "../../base/json.ts";
import type { Tool } from "../tool.ts";

/** What dotenvx calls the file of its private keys. */
const KEYS_FILE = ".env.keys";
const PUBLIC_KEY = /^DOTENV_PUBLIC_KEY(?:_[A-Z0-9_]+)?$/;

/**
 * `dotenvx`, for values that it has encrypted. It gets the ciphertexts one by one and in single quotes: of a file that it reads itself, and of values
 * in other quotes once they are decrypted, it runs every `$(…)` in a shell. For the same reason it finds no file in its working directory.
 */
export const DOTENVX: Tool = {
  program: "dotenvx",
  install: "dotenvx 2 (https://dotenvx.com)",
  help: `have the private key in \`${KEYS_FILE}\` beside the file or in DOTENV_PRIVATE_KEY, and dotenvx 2 or newer`,
  // What it says behind the code may have the beginning of the private key in it.
  failures:
    /\[(?:DECRYPTION_FAILED|(?:INVALID|MISPAIRED|MISSING|WRONG)_PRIVATE_KEY|MALFORMED_ENCRYPTED_DATA|MISSING_ENV_KEYS_FILE|MISSING_KEY)\]/,
  callFor: (_, all, { document, file, directory }) => {
    const keys = join(file === null ? directory : dirname(file), KEYS_FILE);
    const publicKeys = document.entries.filter(({ key, value }) => PUBLIC_KEY.test(key) && /^[0-9a-f]+$/i.test(value));
    const given = [
      ...publicKeys.map(({ key, value }) => ({ key, value })),
      ...all.map(({ entry, text }) => ({ key: entry.key, value: text })),
    ];
    return {
      args: [
        ...["get", "--overload", "--format", "json", "-f", devNull],
        ...(existsSync(keys) ? ["-fk", keys] : []),
        ...given.flatMap(({ key, value }) => ["-e", `${key}='${value}'`]),
      ],
      cwd: parse(directory).root,
      givesPart: true,
      read: (printed, { text, entry }) => {
        const value = ownField(parseJson(printed), entry.key);
        return typeof value !== "string" || value === text ? null : meaningOf(value, entry.quote);
      },
    };
  },
};
