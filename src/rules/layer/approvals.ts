import { field, type Rule } from "../rule.ts";
import { isSlowPattern } from "./slow-pattern.ts";
import { inTool, itemsAt, textAt, toolBinary } from "../../deployment/tools.ts";

const LONGEST = 256;

/** Approvals of tools. */
export const APPROVAL_RULES: readonly Rule[] = [
  {
    id: "layer/approval",
    title: "Unusable approval",
    clause: "sandbox.descriptors",
    why: "Core compares every command of an agent with these patterns. One that is not about its own tool would stop others; one that backtracks without end would halt core.",
    bad: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "approvals": [{ "pattern": "\\\\bacme\\\\b( \\\\w+)+ delete" }] }\n// sandbox/tools/acme/acme\n',
    good: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "approvals": [{ "command": "delete" }] }\n// sandbox/tools/acme/acme\n',
    check(deployment, report) {
      for (const tool of deployment.tools) {
        const binary = toolBinary(tool);
        if (binary === null) continue;
        for (const { path } of itemsAt(tool, ["approvals"])) {
          const command = textAt(tool, [...path, "command"])?.trim() ?? "";
          const pattern = textAt(tool, [...path, "pattern"]) ?? "";
          // Both or neither is another rule's finding.
          if ((command === "") === (pattern.trim() === "")) continue;
          const problem = command === "" ? patternProblem(pattern, binary) : commandProblem(command, binary);
          if (problem === null) continue;
          const at = [...path, command === "" ? "pattern" : "command"];
          const help =
            command === ""
              ? "use `command` where a plain command is meant"
              : "shorten the command to the words that matter";
          report({ message: `${field(at)} ${problem}`, help, place: inTool(tool, at) });
        }
      }
    },
  },
];

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** What is wrong with a command of a tool, as an end of "`approvals[0].command` …"; null where nothing is. */
function commandProblem(command: string, binary: string): string | null {
  const words = [binary, ...command.split(/\s+/)].map(escaped);
  // The pattern that core makes of a command.
  const pattern = String.raw`\b${words.join(String.raw`\s+`)}(?:\b|\s|$)`;
  return pattern.length > LONGEST ? `makes a pattern of more than ${LONGEST} characters` : null;
}

/** True when a `|` stands outside all groups and classes, so that the pattern has a second beginning. */
function hasOuterAlternative(pattern: string): boolean {
  let depth = 0;
  for (const [token] of pattern.matchAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]|[^]/g)) {
    if (token === "(") depth++;
    else if (token === ")") depth--;
    else if (token === "|" && depth === 0) return true;
  }
  return false;
}

/** As {@link commandProblem}, for a pattern. */
export function patternProblem(pattern: string, binary: string): string | null {
  try {
    new RegExp(pattern, "i");
  } catch {
    return "is no regular expression";
  }
  if (pattern.length > LONGEST) return `is longer than ${LONGEST} characters`;
  if (!pattern.startsWith(`\\b${escaped(binary)}\\b`) || hasOuterAlternative(pattern))
    return `must begin with \`\\b${binary}\\b\`, and have no \`|\` outside of brackets`;
  return isSlowPattern(pattern)
    ? "can take exponential time: it has repetitions that can share their text in many ways"
    : null;
}
