import { secretShape } from "../../base/secret-shape.ts";
import { textsBelow } from "../../config/node.ts";
import { inTool } from "../../deployment/tools.ts";
import { field, type Rule } from "../rule.ts";

/** Secrets in the descriptors of tools, whose texts are rendered. */
export const TOOL_TEXT_RULES: readonly Rule[] = [
  {
    id: "secrets/secret-in-tool",
    title: "Secret in a tool's descriptor",
    clause: "config.no-secret-values",
    why: "A tool.json is committed and handed to every agent, and its texts stand in rendered files. What an agent needs of a secret is a name in `auth`.",
    bad: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "label": "Acme https://bot:k3v9x2m7q4w8@api.acme.dev" }\n// sandbox/tools/acme/acme\n',
    good: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "label": "Acme https://api.acme.dev" }\n// sandbox/tools/acme/acme\n',
    check({ tools }, report) {
      for (const tool of tools)
        for (const { text, path } of textsBelow(tool.document?.root ?? null)) {
          const what = secretShape(text);
          if (what === null) continue;
          report({
            message: `${path.length === 0 ? "tool.json" : field(path)} holds ${what}, which does not belong in a descriptor`,
            help: "take it out, and let the tool get it as a secret; if it was real, replace it",
            place: inTool(tool, path, path.length === 0 ? "value" : "key"),
          });
        }
    },
  },
];
