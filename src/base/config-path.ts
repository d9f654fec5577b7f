import { parseJson } from "./json.ts";

/** A path into a config document: object keys and array indexes. */
export type ConfigPath = readonly (string | number)[];

export type PathReading =
  { readonly ok: true; readonly path: ConfigPath } | { readonly ok: false; readonly reason: string };

const BARE = /^[A-Za-z_$][\w$-]*$/;
const STEP = /(\.)?([A-Za-z_$][\w$-]*)|\[(0|[1-9]\d{0,8})\]|\[("(?:[^"\\]|\\.)*")\]/y;

/** Keys that reach into JavaScript's own objects wherever a program is careless. */
const REFUSED = new Set(["__proto__", "constructor", "prototype"]);

/** True for a path that names one of JavaScript's own object keys: edits refuse it. */
export function isRefusedPath(path: ConfigPath): boolean {
  return path.some((step) => typeof step === "string" && REFUSED.has(step));
}

/** Prints a path as users write it: `plugins[0].env`, `aws.services["my.app"].cpu`; the empty path as "". */
export function printPath(path: ConfigPath): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (BARE.test(step)) text += text === "" ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

const LONGEST_SHOWN = 120;

/** A path for a message: {@link printPath}, cut where a key is absurdly long. */
export function showPath(path: ConfigPath): string {
  const text = printPath(path);
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}…`;
}

/** Reads what {@link printPath} prints. The empty text is the path of the whole document. */
export function readPath(text: string): PathReading {
  const path: (string | number)[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const at = STEP.lastIndex;
    const match = STEP.exec(text);
    const isFirst = path.length === 0;
    if (match === null || (match[2] !== undefined && (match[1] === undefined) !== isFirst)) {
      return { ok: false, reason: `the path cannot be read from character ${at + 1} on` };
    }
    if (match[2] !== undefined) path.push(match[2]);
    else if (match[3] !== undefined) path.push(Number(match[3]));
    else {
      const key = parseJson(match[4] as string);
      if (typeof key !== "string")
        return { ok: false, reason: `the quoted key at character ${at + 1} is not valid JSON text` };
      path.push(key);
    }
  }
  return { ok: true, path };
}
