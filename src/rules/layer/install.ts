import type { ConfigPath } from "../../base/config-path.ts";
import { assumedRelease, field, type Rule } from "../rule.ts";
import { inTool, itemsAt, textAt, type Tool, toolBinary, toolId } from "../../deployment/tools.ts";

const FILES: ConfigPath = ["install", "files"];

/** What tools install. */
export const INSTALL_RULES: readonly Rule[] = [
  {
    id: "layer/binary-missing",
    title: "Tool without its command",
    clause: "sandbox.descriptors",
    why: "Agents call a tool by its command. It comes from a file beside tool.json, from `install.files`, or from `sandbox/Dockerfile`.",
    bad: '// sandbox/tools/acme/tool.json\n{ "id": "acme" }',
    good: '// sandbox/tools/acme/tool.json\n{ "id": "acme" }\n// sandbox/tools/acme/acme\n',
    check(deployment, report) {
      if (deployment.inputs.sandboxTree.some(({ path }) => path === "sandbox/Dockerfile")) return;
      const { toolInstallFiles } = deployment.release.release;
      for (const tool of deployment.tools) {
        const binary = toolBinary(tool);
        if (binary === null || tool.document?.broken === true || tool.files.has(binary)) continue;
        const installs =
          toolInstallFiles &&
          itemsAt(tool, FILES).some(({ path }) => textAt(tool, [...path, "to"]) === `/usr/local/bin/${binary}`);
        if (installs) continue;
        const named = textAt(tool, ["install", "binary"]) === null ? ["id"] : ["install", "binary"];
        report({
          message: `nothing brings the command \`${binary}\`: there is no file \`sandbox/tools/${tool.directory}/${binary}\``,
          help: `put the file beside tool.json${toolInstallFiles ? `, or install one as \`/usr/local/bin/${binary}\` with \`install.files\`` : ", or let `sandbox/Dockerfile` install it"}`,
          place: inTool(tool, named),
        });
      }
    },
  },
  {
    id: "layer/install-file",
    title: "Unusable entry of `install.files`",
    clause: "sandbox.descriptors",
    why: "A tool may install files that lie beside its tool.json, as its own command or into a library directory of its own.",
    bad: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "install": { "files": [{ "from": "acme", "to": "/usr/bin/acme" }] } }\n// sandbox/tools/acme/acme\n',
    good: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "install": { "files": [{ "from": "acme", "to": "/usr/local/bin/acme" }] } }\n// sandbox/tools/acme/acme\n',
    check(deployment, report) {
      for (const tool of deployment.tools) {
        if (tool.document?.node(FILES) === undefined) continue;
        if (!deployment.release.release.toolInstallFiles) {
          const what = itemsAt(tool, FILES).length === 0 ? "remove it" : "let `sandbox/Dockerfile` install the files";
          report({
            message: `${field(FILES)} is not known to qm ${deployment.release.resolved}, which ignores it`,
            help: `${what}, or deploy a newer release${assumedRelease(deployment)}`,
            severity: "warning",
            place: inTool(tool, FILES, "key"),
          });
          continue;
        }
        const seen = new Set<string>();
        for (const { path } of itemsAt(tool, FILES)) {
          const from = [...path, "from"];
          const to = [...path, "to"];
          for (const [at, problem] of [
            [from, sourceProblem(tool, from)],
            [to, destinationProblem(tool, to, seen)],
          ] as const) {
            if (problem !== null)
              report({ message: `${field(at)} ${problem[0]}`, help: problem[1], place: inTool(tool, at) });
          }
        }
      }
    },
  },
];

/** What is wrong with an entry's path, as an end of "`…from` …", and what to do; null where nothing is. */
type Problem = readonly [problem: string, help: string] | null;

function sourceProblem(tool: Tool, path: ConfigPath): Problem {
  const from = textAt(tool, path);
  if (from === null) return null;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(from) || from === "tool.json")
    return ["must be the name of a file beside tool.json", "use letters, digits and `._-`, and no directories"];
  const file = tool.files.get(from);
  const names = `names \`sandbox/tools/${tool.directory}/${from}\``;
  if (file === undefined) return [`${names}, which is no file`, "add the file, or fix the name"];
  if (file.kind === "symlink") return [`${names}, which is a link`, "put the file itself there: core takes no links"];
  if (file.isText) return null;
  return [`${names}, which is not UTF-8 text`, "the deployment layer carries text only: install programs in an image"];
}

function destinationProblem(tool: Tool, path: ConfigPath, seen: Set<string>): Problem {
  const to = textAt(tool, path);
  const [id, binary] = [toolId(tool), toolBinary(tool)];
  if (to === null || id === null || binary === null) return null;
  const parts = to.split("/").slice(1);
  const isPath =
    to.startsWith("/") && parts.every((part) => /^[A-Za-z0-9._-]+$/.test(part) && part !== "." && part !== "..");
  if (!isPath || (to !== `/usr/local/bin/${binary}` && !to.startsWith(`/usr/local/lib/${id}/`)))
    return [
      `must be \`/usr/local/bin/${binary}\` or below \`/usr/local/lib/${id}/\``,
      "a tool installs its own command and its own library, and nothing of others",
    ];
  if (seen.has(to)) return ["is the place of another file of this tool", "give each file its own place"];
  seen.add(to);
  return null;
}
