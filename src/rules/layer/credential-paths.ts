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

/** What core keeps for its own tools. A tool may name one of these exactly. */
const BUILT_IN: readonly (readonly [path: string, kind: string])[] = [
  [".aws", "directory"],
  [".config/gcloud", "directory"],
  [".config/gh", "directory"],
  [".config/glab", "directory"],
  [".config/glab-cli", "directory"],
  [".git-credentials", "file"],
  [".netrc", "file"],
  [".ssh", "directory"],
];

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
      const sound: Credential[] = [];
      for (const credential of credentials(deployment)) {
        const form = formProblem(credential.path);
        const [problem, help] = form ?? clash(credential, sound) ?? [];
        if (problem !== undefined && help !== undefined)
          report({
            message: `${field(credential.at)} ${problem}`,
            help,
            place: inTool(credential.tool, credential.at),
          });
        if (form === null) sound.push(credential);
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

function formProblem(path: string): Problem {
  const help = "name a hidden file or directory of the home directory, such as `.config/acme`";
  if (!/^[A-Za-z0-9._/@+-]+$/.test(path)) return ["must be letters, digits and `._/@+-`", help];
  if (path.startsWith("/") || path.split("/").some((part) => part === "" || part === "." || part === ".."))
    return ["must be relative to the home directory, without empty parts, `.` and `..`", help];
  return path.startsWith(".")
    ? null
    : ["must start with a hidden file or directory: what is not hidden is an agent's own work", help];
}

/** The first thing that a path gets in the way of. */
function clash({ tool, path, kind }: Credential, before: readonly Credential[]): Problem {
  const [base, baseKind] = BUILT_IN.find(([builtIn]) => overlap(path, builtIn)) ?? [];
  if (base !== undefined && (base !== path || (kind !== null && baseKind !== kind)))
    return [
      `overlaps \`${base}\`, which core keeps as a ${baseKind}`,
      `name exactly \`${base}\` with the kind \`${baseKind}\`, or another place`,
    ];
  const other = before.find(
    (each) => overlap(path, each.path) && (each.tool === tool || each.path !== path || each.kind !== kind),
  );
  if (other === undefined) return null;
  const where = other.tool === tool ? field(other.at) : `that of \`sandbox/tools/${other.tool.directory}/tool.json\``;
  return [`overlaps ${where}`, "use places that are apart, or in two tools the same one with the same kind"];
}
