import { field, repeats, type Report, type Rule } from "../rule.ts";
import { inTool, itemsAt, textAt, type Tool, toolBinary, toolId } from "../../deployment/tools.ts";
import { toolFindings } from "./tool-schema.ts";

/** A function of the shell is named after a brokered tool, which not every shell lets have a hyphen. */
const FUNCTION_NAME = /^[a-z_][a-z0-9_]*$/;

/** What tool.json says. */
export const TOOL_FIELD_RULES: readonly Rule[] = [
  {
    id: "layer/tool-field",
    title: "Field of tool.json with an unusable value",
    clause: "sandbox.descriptors",
    why: "Core refuses the whole deployment layer, skills included, when one descriptor in it is not as it should be.",
    bad: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "hints": "Use it." }\n// sandbox/tools/acme/acme\n',
    good: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "hints": ["Use it."] }\n// sandbox/tools/acme/acme\n',
    check(deployment, report) {
      for (const tool of deployment.tools) {
        if (tool.document === null || tool.document.broken) continue;
        toolFindings(tool, deployment.release.release).wrong.forEach(report);
        reportBroker(tool, report);
        reportApprovals(tool, report);
      }
    },
  },
  {
    id: "layer/unknown-tool-field",
    title: "Unknown key in tool.json",
    severity: "warning",
    why: "Core drops a key that it does not know without a word: what is misspelt has no effect.",
    bad: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "egres": ["api.acme.dev"] }\n// sandbox/tools/acme/acme\n',
    good: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "egress": ["api.acme.dev"] }\n// sandbox/tools/acme/acme\n',
    check(deployment, report) {
      for (const tool of deployment.tools) toolFindings(tool, deployment.release.release).unknown.forEach(report);
    },
  },
  {
    id: "layer/duplicate-tool",
    title: "Two tools of one id",
    clause: "sandbox.descriptors",
    why: "Approvals, hints and credentials are kept by the id of a tool; core refuses a layer in which two have the same.",
    bad: '// sandbox/tools/acme/tool.json\n{ "id": "acme" }\n// sandbox/tools/other/tool.json\n{ "id": "acme" }',
    good: '// sandbox/tools/acme/tool.json\n{ "id": "acme" }\n// sandbox/tools/other/tool.json\n{ "id": "other" }',
    check(deployment, report) {
      for (const [tool, other] of repeats(deployment.tools, toolId)) {
        report({
          message: `\`id\` is \`${toolId(tool)}\`, as in \`sandbox/tools/${other.directory}/tool.json\``,
          help: "give each tool an id of its own",
          place: inTool(tool, ["id"]),
          related: [{ place: inTool(other, ["id"]), message: "the first of that id" }],
        });
      }
    },
  },
];

function reportBroker(tool: Tool, report: Report): void {
  const path = ["auth", "broker"];
  if (tool.document?.node(path)?.kind !== "object") return;
  if (
    tool.document.node([...path, "region"]) === undefined &&
    tool.document.node([...path, "regionEnv"]) === undefined
  ) {
    report({
      message: `${field(path)} has neither \`region\` nor \`regionEnv\``,
      help: "add one: credentials of AWS go with a region",
      place: inTool(tool, path, "key"),
    });
  }
  const binary = toolBinary(tool);
  if (binary === null || FUNCTION_NAME.test(binary)) return;
  const named = tool.document.node(["install", "binary"]) === undefined ? ["id"] : ["install", "binary"];
  report({
    message: `a tool with ${field(path)} needs a command of lowercase letters, digits and \`_\`, and \`${binary}\` is none`,
    help: "name the command in `install.binary`: a shell function of its name hands over the credentials",
    place: inTool(tool, named),
  });
}

/** Each approval has either a command or a pattern. */
function reportApprovals(tool: Tool, report: Report): void {
  for (const { node, path } of itemsAt(tool, ["approvals"])) {
    if (node.kind !== "object") continue;
    const texts = ["command", "pattern"]
      .map((name) => [...path, name])
      .filter((at) => tool.document?.node(at) !== undefined)
      .map((at) => textAt(tool, at));
    const count = texts.filter((text) => text?.trim() !== "").length;
    if (count === 1 || texts.includes(null)) continue;
    report({
      message: `${field(path)} has ${count === 0 ? "neither" : "both"} \`command\` ${count === 0 ? "nor" : "and"} \`pattern\``,
      help: "give it one of the two",
      place: inTool(tool, path),
    });
  }
}
