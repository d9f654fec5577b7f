import { CLOSED_FLY_REGIONS, FLY_REGIONS, suggestFlyRegion } from "../../catalog/targets/fly.ts";
import type { Rule } from "../rule.ts";

/** A region that Fly does not have, as far as is known. */
export const FLY_REGION: Rule = {
  id: "fly/region",
  title: "Unknown or closed Fly region",
  severity: "warning",
  clause: null,
  why: "Fly refuses machines in a region that it does not have, or has closed. Regions come and go, so this is no error.",
  bad: '{ "target": "fly", "region": "sjs" }',
  good: '{ "target": "fly", "region": "sjc" }',
  check({ target, config }, report) {
    const region = config.region?.trim();
    if (target !== "fly" || region === undefined || FLY_REGIONS.includes(region)) return;
    const meant = suggestFlyRegion(region);
    const place = { path: ["region"], at: "value" } as const;
    if (CLOSED_FLY_REGIONS.includes(region)) {
      report({
        message: `the Fly region \`${region}\` takes no new machines any more`,
        help: "use another one: `fly platform regions` lists them",
        command: "fly platform regions",
        place,
      });
      return;
    }
    report({
      message: `\`${region}\` is no region of Fly that is known here`,
      help:
        meant === null
          ? "`fly platform regions` lists them"
          : `did you mean \`${meant}\`? \`fly platform regions\` lists them all`,
      command: "fly platform regions",
      place,
      ...(meant === null
        ? {}
        : {
            fix: {
              safety: "suggested",
              title: `set \`region\` to \`${meant}\``,
              changes: [{ kind: "set", path: ["region"], value: meant }],
            },
          }),
    });
  },
};
