import type { ConfigPath } from "../../base/config-path.ts";
import { assumedRelease, field, type Report, type Rule } from "../rule.ts";
import { inTool, itemsAt, textAt, type Tool, toolBinary, toolId } from "../../deployment/tools.ts";

const FILES: ConfigPath = ["install", "files"];

/** What tools install. */
export const INSTALL_RULES: readonly Rule[] = [
  {
    id: "layer/binary-missing",
    title: "Tool without its command",
    severity: "error",
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
    severity: "error",
    clause: "sandbox.descriptors",
    why: "A tool may install files that lie beside its tool.json, as its own command or into a library directory of its own.",
    bad: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "install": { "files": [{ "from": "acme", "to": "/usr/bin/acme" }] } }\n// sandbox/tools/acme/acme\n',
    good: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "install": { "files": [{ "from": "acme", "to": "/usr/local/bin/acme" }] } }\n// sandbox/tools/acme/acme\n',
    check(deployment, report) {
      for (const tool of deployment.tools) {
        if (tool.document?.node(FILES) === undefined) continue;
        if (!deployment.release.release.toolInstallFiles) {
          report({
            message: `${field(FILES)} is not known to qm ${deployment.release.resolved}, which ignores it`,
            help: `let \`sandbox/Dockerfile\` install the files, or deploy a newer release${assumedRelease(deployment)}`,
            place: inTool(tool, FILES, "key"),
          });
          continue;
        }
        const seen = new Set<string>();
        for (const { path } of itemsAt(tool, FILES)) {
          reportSource(tool, path, report);
          reportDestination(tool, path, seen, report);
        }
      }
    },
  },
];

function reportSource(tool: Tool, entry: ConfigPath, report: Report): void {
  const path = [...entry, "from"];
  const from = textAt(tool, path);
  if (from === null) return;
  const place = inTool(tool, path);
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(from) || from === "tool.json") {
    report({
      message: `${field(path)} must be the name of a file beside tool.json`,
      help: "use letters, digits and `._-`, and no directories",
      place,
    });
    return;
  }
  const file = tool.files.get(from);
  const where = `\`sandbox/tools/${tool.directory}/${from}\``;
  if (file === undefined)
    report({
      message: `${field(path)} names ${where}, which is no file`,
      help: "add the file, or mend the name",
      place,
    });
  else if (file.kind === "symlink")
    report({
      message: `${field(path)} names ${where}, which is a link`,
      help: "put the file itself there: core takes no links",
      place,
    });
  else if (!file.isText)
    report({
      message: `${field(path)} names ${where}, which is not UTF-8 text`,
      help: "the deployment layer carries text only: install programs in an image",
      place,
    });
}

function reportDestination(tool: Tool, entry: ConfigPath, seen: Set<string>, report: Report): void {
  const path = [...entry, "to"];
  const to = textAt(tool, path);
  const [id, binary] = [toolId(tool), toolBinary(tool)];
  if (to === null || id === null || binary === null) return;
  const place = inTool(tool, path);
  const parts = to.split("/").slice(1);
  const isPath =
    to.startsWith("/") && parts.every((part) => /^[A-Za-z0-9._-]+$/.test(part) && part !== "." && part !== "..");
  if (!isPath || (to !== `/usr/local/bin/${binary}` && !to.startsWith(`/usr/local/lib/${id}/`))) {
    report({
      message: `${field(path)} must be \`/usr/local/bin/${binary}\` or below \`/usr/local/lib/${id}/\``,
      help: "a tool installs its own command and its own library, and nothing of others",
      place,
    });
  } else if (seen.has(to)) {
    report({
      message: `${field(path)} is the place of another file of this tool`,
      help: "give each file its own place",
      place,
    });
  }
  seen.add(to);
}
