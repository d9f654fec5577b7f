import type { Rule } from "../rule.ts";
import { about } from "../subject.ts";
import { APPROVAL } from "./approvals.ts";
import { BROAD_CREDENTIAL, CREDENTIAL_PATH } from "./credential-paths.ts";
import { BROAD_EGRESS, EGRESS } from "./egress.ts";
import { LAYER_SIZE, SKILL_DIRECTORY, SKILL_FILE, TOOL_DIRECTORY } from "./entries.ts";
import { BINARY_MISSING, INSTALL_FILE } from "./install.ts";
import { LAYER_LINK } from "./link.ts";
import { SKILL_FRONTMATTER } from "./skill.ts";
import { DUPLICATE_TOOL, TOOL_FIELD, UNKNOWN_TOOL_FIELD } from "./tool-fields.ts";
import { TOOL_JSON } from "./tool-json.ts";

/** The deployment layer: what `sandbox/tools` and `sandbox/skills` hand to core. */
export const LAYER_RULES: readonly Rule[] = about("layer", [
  LAYER_LINK,
  TOOL_DIRECTORY,
  TOOL_JSON,
  TOOL_FIELD,
  UNKNOWN_TOOL_FIELD,
  DUPLICATE_TOOL,
  EGRESS,
  BROAD_EGRESS,
  CREDENTIAL_PATH,
  BROAD_CREDENTIAL,
  APPROVAL,
  BINARY_MISSING,
  INSTALL_FILE,
  SKILL_DIRECTORY,
  SKILL_FRONTMATTER,
  SKILL_FILE,
  LAYER_SIZE,
]);
