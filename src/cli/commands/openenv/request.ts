import { closestName } from "../../../base/closest-name.ts";
import { type ConfigPath, printPath } from "../../../base/config-path.ts";
import { withoutUndefined } from "../../../base/without-undefined.ts";
import { assertMilliseconds } from "../../../boxd/openenv/connection.ts";
import { dockerfileImage } from "../../../boxd/openenv/dockerfile-image.ts";
import { decodeHandle } from "../../../boxd/openenv/machine-handle.ts";
import { proxyAgent } from "../../../boxd/openenv/proxy-agent.ts";
import { checkStart, optionProblems, SERVER_PORT, type BoxdProviderOptions } from "../../../boxd/openenv/options.ts";
import type { ConfigDocument } from "../../../config/document.ts";
import { parseDocument } from "../../../config/parse.ts";
import type { SourceRange } from "../../../diagnostics/source.ts";
import { boxdSdkProblem, boxdSettings, boxdSettingsProblem, BOXD_KEY } from "../../../doctor/boxd-connection.ts";
import { STDIN_NAME } from "../../../workspace/paths.ts";
import { textOf } from "../../../workspace/read-file.ts";
import { type ProcessIo, readStdin } from "../../process-io.ts";
import { VERSION } from "../../version.ts";

/** What is wrong with one field of a request; lines and columns count from 1. */
export interface Fault {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Why a request cannot be served. Nothing was done then. */
export interface Refusal {
  readonly code: "INVALID_REQUEST" | "NO_KEY" | "NO_SDK" | "VERSION_MISMATCH";
  readonly problem: string;
  readonly faults: readonly Fault[];
}

/** Fields that are no options of the provider. */
interface OwnFields {
  /** the version that the caller was made for */
  toolkit?: string;
  port?: number;
  dockerfile?: { path: string; contextDir?: string };
  handle?: string;
  timeoutMs?: number;
}

/** A request that can be served. */
export interface Request {
  readonly options: BoxdProviderOptions;
  readonly own: OwnFields;
}

/** Each throws what is wrong with a value. */
const OWN_CHECKS: { readonly [field in keyof OwnFields]-?: (value: unknown) => void } = {
  toolkit: checkText,
  port(value) {
    if (value !== SERVER_PORT) throw new RangeError(`\`port\` must be ${SERVER_PORT}, the port of OpenEnv's images`);
  },
  dockerfile(value) {
    const fields = (typeof value === "object" ? value : null) ?? {};
    const { path, contextDir, ...others } = fields as { readonly [field: string]: unknown };
    const isText = typeof path === "string" && (contextDir === undefined || typeof contextDir === "string");
    if (!isText || Object.keys(others).length > 0)
      throw new TypeError('`dockerfile` must be { "path": "…", "contextDir": "…" }, the latter optional');
    dockerfileImage(path, contextDir);
  },
  handle(value) {
    checkText(value);
    decodeHandle(value as string);
  },
  timeoutMs: (value) => assertMilliseconds("`timeoutMs`", value),
};

const ACCESS = ["apiKey", "baseURL", "org", "toolkit"];
const IMAGE = ["image", "dockerfile"];
const MACHINE = ["name", "namePrefix", "labels", "vcpu", "memory", "egressAllow"];
const TIMES = ["deleteAfterSeconds", "autoSuspendSeconds", "startTimeoutMs"];
const OUTPUT = ["envVars", "surfaceServerLogs"];

/** What each request takes, and of which fields it needs exactly one. */
export const REQUESTS = {
  start: { fields: ["public", ...IMAGE, "command", "port", ...MACHINE, ...TIMES, ...OUTPUT, ...ACCESS], oneOf: IMAGE },
  wait: { fields: ["handle", "timeoutMs", ...OUTPUT, ...ACCESS], oneOf: ["handle"] },
  stop: { fields: ["handle", "name", ...ACCESS], oneOf: ["handle", "name"] },
} as const satisfies {
  readonly [kind: string]: { readonly fields: readonly string[]; readonly oneOf: readonly string[] };
};

export type RequestKind = keyof typeof REQUESTS;

/** Far above every request: a line of an environment has less than 64 KiB. */
const MOST_BYTES = 1024 * 1024;

/** Reads and judges the request on stdin: everything that is wrong with it, each with its place. */
export async function readRequest(io: ProcessIo, kind: RequestKind): Promise<Request | Refusal> {
  const bytes = await readStdin(io, MOST_BYTES);
  if (bytes.length > MOST_BYTES) return refusal("the request on stdin is larger than 1 MiB");
  const read = textOf(bytes, STDIN_NAME);
  if ("problem" in read) return refusal("the request on stdin is not UTF-8 text");
  if (read.text.trim() === "") return refusal("a request is needed on stdin: a JSON object");
  const document = parseDocument({ file: STDIN_NAME, text: read.text });
  const syntax = document.diagnostics.map(({ range, message }) => faultAt("", range, message));
  const values = document.value([]);
  if (syntax.length > 0 || typeof values !== "object") return refusal(FAULTY, syntax);
  const { own, options } = split(kind, values as object);
  const faults = [...shapeFaults(document, kind, values as object), ...valueFaults(document, own, options)];
  if (faults.length > 0) return refusal(FAULTY, faults);
  const request = withAccess(io, { own, options } as Request);
  if ("code" in request) return request;
  const sendable = kind === "wait" ? reachable(io, request) : contained(request);
  if ("code" in sendable) return sendable;
  const noSdk = await boxdSdkProblem();
  return noSdk === null ? sendable : { code: "NO_SDK", problem: noSdk, faults: [] };
}

const FAULTY = "the request on stdin cannot be used";

function refusal(problem: string, faults: readonly Fault[] = []): Refusal {
  return { code: "INVALID_REQUEST", problem, faults };
}

function faultAt(path: string, range: SourceRange | null, message: string): Fault {
  const { line, column } = range?.start ?? { line: 1, column: 1 };
  return { path, line, column, message };
}

/** The fields that a request takes. Consent to a public address is for whoever makes one. */
function split(kind: RequestKind, values: object): { own: object; options: object } {
  const fields: readonly string[] = REQUESTS[kind].fields;
  const entries = Object.entries(values).filter(([field]) => fields.includes(field));
  const isOwn = (field: string): boolean => Object.hasOwn(OWN_CHECKS, field);
  const options = Object.fromEntries(entries.filter(([field]) => !isOwn(field)));
  return {
    own: Object.fromEntries(entries.filter(([field]) => isOwn(field))),
    options: kind === "start" ? options : { public: true, ...options },
  };
}

/** Looks at a build context again, which may be large or hold what cannot be sent: before a machine is made. */
function contained(request: Request): Request | Refusal {
  try {
    if (request.options.image !== undefined) checkStart(request.options, undefined, {});
    return request;
  } catch (error) {
    return refusal((error as Error).message);
  }
}

/** With the environment's way to the machine's address. */
function reachable({ env }: ProcessIo, { own, options }: Request): Request | Refusal {
  try {
    const agent = proxyAgent(env, decodeHandle(own.handle as string).url);
    return { own, options: withoutUndefined({ ...options, connection: agent && { agent } }) };
  } catch (error) {
    return refusal((error as Error).message);
  }
}

/** Fields that the request does not take, and choices that were not made. */
function shapeFaults(document: ConfigDocument, kind: RequestKind, values: object): Fault[] {
  const { fields, oneOf } = REQUESTS[kind] as { fields: readonly string[]; oneOf: readonly string[] };
  const unknown = Object.keys(values)
    .filter((field) => !fields.includes(field))
    .map((field) => {
      const close = closestName(field, fields);
      const hint = close === null ? "" : `; did you mean \`${close}\`?`;
      return faultAt(printPath([field]), document.keyRange([field]), `\`${kind}\` takes no such field${hint}`);
    });
  if (oneOf.filter((field) => Object.hasOwn(values, field)).length === 1) return unknown;
  const names = oneOf.map((field) => `\`${field}\``).join(" or ");
  return [
    ...unknown,
    faultAt("", document.keyRange([]), `${names} is needed${oneOf.length > 1 ? ", one of them" : ""}`),
  ];
}

function valueFaults(document: ConfigDocument, own: object, options: object): Fault[] {
  const fault = (path: ConfigPath, message: string): Fault =>
    faultAt(printPath(path), document.valueRange(path), message);
  const wrong = Object.entries(own).flatMap(([field, value]) => {
    try {
      OWN_CHECKS[field as keyof OwnFields](value);
      return [];
    } catch (error) {
      return [fault([field], (error as Error).message)];
    }
  });
  const wrongOptions = optionProblems(options).flatMap(({ option, error }) => {
    // Of a map or list each entry that is wrong by itself has its place.
    const inside = partsOf(Reflect.get(options, option)).flatMap(({ at, alone }) =>
      optionProblems({ public: true, [option]: alone }).map((problem) => fault([option, at], problem.error.message)),
    );
    return inside.length > 0 ? inside : [fault([option], error.message)];
  });
  return [...wrong, ...wrongOptions];
}

/** The entries of a map or list, each as a map or list of its own. */
function partsOf(value: unknown): { at: string | number; alone: object }[] {
  if (Array.isArray(value)) return value.map((one: unknown, at) => ({ at, alone: [one] }));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).map(([at, one]) => ({ at, alone: { [at]: one } }));
}

/** The key and where boxd is, from the request or the environment. */
function withAccess(io: ProcessIo, { own, options }: Request): Request | Refusal {
  if (own.toolkit !== undefined && own.toolkit !== VERSION) {
    const problem = `this is qm-deploy ${VERSION}, and the caller was made for ${own.toolkit}: install the same version of both`;
    return { code: "VERSION_MISMATCH", problem, faults: [] };
  }
  const given = { [BOXD_KEY]: options.apiKey, BOXD_BASE_URL: options.baseURL, BOXD_ORG: options.org };
  // What the request says has been judged, so that only what the environment says can be wrong now.
  const access = boxdSettings(null, { ...io.env, ...withoutUndefined(given) });
  if (access === null)
    return { code: "NO_KEY", problem: `no boxd key: give \`apiKey\`, or set ${BOXD_KEY}`, faults: [] };
  const problem = boxdSettingsProblem(access);
  if (problem !== null) return refusal(problem);
  const image = own.dockerfile && dockerfileImage(own.dockerfile.path, own.dockerfile.contextDir);
  const { apiKey, baseURL, org } = access;
  return { own, options: withoutUndefined({ image, ...options, apiKey, baseURL, org }) };
}

function checkText(value: unknown): void {
  if (typeof value !== "string") throw new TypeError("text is needed");
}
