import type { Release } from "../../catalog/releases/release.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { field, type Rule } from "../rule.ts";
import { inTool, itemsAt, textAt, type Tool } from "../../deployment/tools.ts";

interface Credential {
  readonly tool: Tool;
  readonly path: string;
  readonly kind: string | null;
  readonly at: ConfigPath;
}

/** Where tools keep credentials. */
export const CREDENTIAL_PATH_RULES: readonly Rule[] = [
  {
    id: "layer/credential-path",
    title: "Unusable credential path",
    clause: "sandbox.descriptors",
    why: "Core carries these files from one machine of an agent to the next. They must be apart from its work, and no two entries may carry the same file in two ways.",
    bad: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "auth": { "check": "acme whoami", "reauth": "acme login", "credentialPaths": [{ "path": "work/acme", "kind": "directory" }] } }\n// sandbox/tools/acme/acme\n',
    good: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "auth": { "check": "acme whoami", "reauth": "acme login", "credentialPaths": [{ "path": ".config/acme", "kind": "directory" }] } }\n// sandbox/tools/acme/acme\n',
    check(deployment, report) {
      const { release } = deployment.release;
      const seen = new SeenCredentials();
      for (const credential of credentials(deployment)) {
        const form = formProblem(credential.path, release);
        const [problem, help] = form ?? builtInClash(credential, release) ?? seen.clash(credential) ?? [];
        if (problem !== undefined && help !== undefined)
          report({
            message: `${field(credential.at)} ${problem}`,
            help,
            place: inTool(credential.tool, credential.at),
          });
        if (form === null) seen.add(credential);
      }
    },
  },
  {
    id: "layer/broad-credential",
    title: "All SSH keys as credentials of a tool",
    severity: "warning",
    why: "`.ssh` holds every key that a person signed in with, and they would all travel with the agent.",
    bad: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "auth": { "check": "acme whoami", "reauth": "acme login", "credentialPaths": [{ "path": ".ssh", "kind": "directory" }] } }\n// sandbox/tools/acme/acme\n',
    good: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "auth": { "check": "acme whoami", "reauth": "acme login", "credentialPaths": [{ "path": ".config/acme", "kind": "directory" }] } }\n// sandbox/tools/acme/acme\n',
    check(deployment, report) {
      for (const { tool, path, at } of credentials(deployment)) {
        if (path === ".ssh")
          report({
            message: `${field(at)} carries whole SSH identities`,
            help: "keep it only if the tool cannot do with a key of its own",
            place: inTool(tool, at),
          });
      }
    },
  },
];

function credentials(deployment: Deployment): Credential[] {
  return deployment.tools.flatMap((tool) =>
    itemsAt(tool, ["auth", "credentialPaths"]).flatMap(({ path: at }) => {
      const path = textAt(tool, [...at, "path"]);
      return path === null ? [] : [{ tool, path, kind: textAt(tool, [...at, "kind"]), at: [...at, "path"] }];
    }),
  );
}

function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

/** What is wrong with a path, as an end of "`…path` …", and what to do; null where nothing is. */
type Problem = readonly [problem: string, help: string] | null;

function formProblem(path: string, { plainCredentialPaths }: Release): Problem {
  const help = "name a hidden file or directory of the home directory, such as `.config/acme`";
  if (plainCredentialPaths && !/^[A-Za-z0-9._/@+-]+$/.test(path)) return ["must be letters, digits and `._/@+-`", help];
  if (path === "" || /[\s\\]/.test(path)) return ["must have no blanks and backslashes, and not be empty", help];
  if (path.startsWith("/") || path.split("/").some((part) => part === "" || part === "." || part === ".."))
    return ["must be relative to the home directory, without empty parts, `.` and `..`", help];
  return path.startsWith(".")
    ? null
    : ["must start with a hidden file or directory: what is not hidden is an agent's own work", help];
}

/** What core keeps for its own tools. A tool may name one of these exactly. */
function builtInClash({ path, kind }: Credential, { ownCredentials }: Release): Problem {
  const [base, baseKind] = Object.entries(ownCredentials).find(([builtIn]) => overlap(path, builtIn)) ?? [];
  if (base === undefined || (base === path && (kind === null || baseKind === kind))) return null;
  return [
    `overlaps \`${base}\`, which core keeps as a ${baseKind}`,
    `name exactly \`${base}\` with the kind \`${baseKind}\`, or another place`,
  ];
}

/** The credentials so far, by path and by every directory above one, so that none is compared with all the others. */
class SeenCredentials {
  readonly #at = new Map<string, Credential>();
  readonly #below = new Map<string, Credential>();

  add(credential: Credential): void {
    if (!this.#at.has(credential.path)) this.#at.set(credential.path, credential);
    for (const directory of directoriesAbove(credential.path))
      if (!this.#below.has(directory)) this.#below.set(directory, credential);
  }

  /** The first credential that one gets in the way of. */
  clash({ tool, path, kind }: Credential): Problem {
    const same = this.#at.get(path);
    const other =
      same !== undefined && (same.tool === tool || same.kind !== kind)
        ? same
        : (this.#below.get(path) ??
          directoriesAbove(path)
            .map((directory) => this.#at.get(directory))
            .find((above) => above !== undefined));
    if (other === undefined) return null;
    const where = other.tool === tool ? field(other.at) : `that of \`sandbox/tools/${other.tool.directory}/tool.json\``;
    return [`overlaps ${where}`, "use places that are apart, or in two tools the same one with the same kind"];
  }
}

function directoriesAbove(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}
