import { stringify, type TomlTable } from "smol-toml";

/**
 * TOML of a table. Scalars come before tables, as TOML demands, so nothing lands inside `[[vm]]` by accident. Strings are
 * basic single-line ones; DEL and the other characters that TOML forbids raw are escaped here, as smol-toml leaves some.
 */
export function tomlText(table: object): string {
  return stringify(table as TomlTable).replace(
    FORBIDDEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

// eslint-disable-next-line no-control-regex -- control characters are what is looked for; tab and line feed are layout
const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]/g;
