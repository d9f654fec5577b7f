import { SERVICE_NAMES } from "../../config/written-config.ts";
import { field } from "../wording.ts";
import type { Rule } from "../rule.ts";
import { coordinates } from "./block.ts";

/** Segments and length that the load balancer's rules take. */
const PATH = /^\/[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*\/\*$/;
const LONGEST = 128;

/** Paths of the load balancer that lead to something else than they say. */
export const PUBLIC_PATHS: Rule = {
  id: "aws/public-paths",
  title: "Public path that is not the plugin's own",
  severity: "error",
  clause: "config.v1",
  why: "A plugin may answer paths under its own name without sign-in. Services have their paths already, and one plugin must not take those of another.",
  bad: '{ "target": "aws", "aws": { "services": { "web-ui": { "publicPaths": ["/web-ui/*"] } } } }',
  good: '{ "target": "aws", "aws": { "services": { "web-ui": { "desiredCount": 2 } } } }',
  check(deployment, report) {
    for (const [workload, { publicPaths }] of coordinates(deployment)) {
      if (publicPaths === undefined) continue;
      const path = ["aws", "services", workload, "publicPaths"];
      if ((SERVICE_NAMES as readonly string[]).includes(workload)) {
        report({
          message: `${field(path)} is for plugins only`,
          help: "remove it: the portal publishes the services",
          place: { path },
        });
        continue;
      }
      for (const [at, each] of publicPaths.entries()) {
        if (each.startsWith(`/${workload}/`) && PATH.test(each) && each.length <= LONGEST) continue;
        report({
          message: `${field([...path, at])} must be \`/${workload}/\`, letters, digits and \`_-\` between slashes, and \`*\` at the end`,
          help: `write it as \`/${workload}/*\``,
          place: { path: [...path, at], at: "value" },
        });
      }
    }
  },
};
