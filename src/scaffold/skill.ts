/** Where the example skill lies. */
export const SKILL_PATH = "sandbox/skills/greet/SKILL.md";

/** An example skill: what every agent of the deployment reads when the head fits its task. */
export function skillText(): string {
  return `---
name: greet
description: Greet somebody who is new here, and tell them what agents can do for them.
---

Say hello by name, in the language that they wrote in. Then name three things that you can help with here, each in one
line, and ask which one they would like to begin with. Keep it under 80 words.

This is an example: change it, or delete its directory. Every directory beside it with a SKILL.md is one more skill.
`;
}
