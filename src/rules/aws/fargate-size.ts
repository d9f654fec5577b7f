import { FARGATE_MEMORY } from "../../catalog/targets/aws.ts";
import { phrase } from "../wording.ts";
import type { Rule } from "../rule.ts";
import { coordinates } from "./block.ts";

/** CPU and memory that Fargate does not sell together. */
export const FARGATE_SIZE: Rule = {
  id: "aws/fargate-size",
  title: "CPU and memory that Fargate does not combine",
  severity: "error",
  clause: "config.v1",
  why: "Fargate has a few sizes only: each number of CPU units goes with certain amounts of memory. ECS refuses a task of another size.",
  bad: '{ "target": "aws", "aws": { "services": { "core": { "cpu": 256, "memory": 4096 } } } }',
  good: '{ "target": "aws", "aws": { "services": { "core": { "cpu": 1024, "memory": 4096 } } } }',
  check(deployment, report) {
    for (const [workload, { cpu, memory }] of coordinates(deployment)) {
      if (cpu === undefined || memory === undefined) continue;
      const offered = FARGATE_MEMORY.get(cpu);
      if (offered?.includes(memory) === true) continue;
      const path = ["aws", "services", workload, offered === undefined ? "cpu" : "memory"];
      report({
        message: `\`${workload}\` asks for ${cpu} CPU units and ${memory} MiB, which is no size of Fargate`,
        help:
          offered === undefined
            ? `\`cpu\` can be ${phrase([...FARGATE_MEMORY.keys()].map(String), "or")}`
            : `with ${cpu} CPU units \`memory\` can be ${described(offered)}`,
        place: { path, at: "value" },
      });
    }
  },
};

/** Short lists as they are; of long ones the ends and the step. */
function described(amounts: readonly number[]): string {
  if (amounts.length < 5) return phrase(amounts.map(String), "or");
  const [first = 0, second = 0] = amounts;
  return `from ${first} to ${amounts.at(-1)} in steps of ${second - first}`;
}
