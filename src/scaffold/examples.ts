import type { Deployment } from "../deployment/deployment.ts";

const DIRECTORY = "sandbox/tools/example-tool";

const SCRIPT = `#!/bin/sh
# An example: prints what the agent computer is. Replace it with a command that your agents need.
set -eu
echo "example-tool: $(uname -s) on $(uname -m), $(date -u +%Y-%m-%d)"
`;

/**
 * An example tool, where something brings its command to the agents: the text files of tool.json, or a layer image. Where
 * nothing does there is none, so that nobody waits for a command that never arrives.
 */
export function toolFiles({
  release: { release },
  sandbox,
  target,
}: Deployment): readonly { readonly path: string; readonly text: string; readonly mode: number }[] {
  const { selected } = sandbox;
  if (target === null || selected.length === 0) return [];
  const isInImage = selected.every((backend) => backend.layerImage(release, target));
  if (!release.toolInstallFiles && !isInImage) return [];
  const files = release.toolInstallFiles
    ? { files: [{ from: "example-tool", to: "/usr/local/bin/example-tool", mode: "0755" }] }
    : {};
  const descriptor = {
    id: "example-tool",
    label: "Example tool",
    advertise: "Print what this computer is",
    install: { binary: "example-tool", ...files },
  };
  return [
    { path: `${DIRECTORY}/example-tool`, text: SCRIPT, mode: 0o755 },
    { path: `${DIRECTORY}/tool.json`, text: `${JSON.stringify(descriptor, null, 2)}\n`, mode: 0o644 },
  ];
}

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
