import type { AgentComputerProfile } from "./sandbox.ts";
import { WORKSPACE } from "./paths.ts";
import type { BoxdSandboxSettings } from "./settings.ts";

const MEMORY_MB_PER_VCPU = 4096;
const DISK_GB = 100;
const TOOLS = ["git", "curl", "jq", "tar", "python3", "gh", "docker"];
const NOT_INSTALLED = ["aws", "gcloud", "kubectl", "flyctl", "glab"];

/** What boxd machines are. Sizes are advertised when they are asked for; the disk always is 100 GB unless another size is. */
export function boxdProfile(
  options: Pick<BoxdSandboxSettings, "vcpu" | "diskGb"> & { extraTools?: readonly string[] },
  home: string,
): AgentComputerProfile {
  const { vcpu, diskGb = DISK_GB, extraTools = [] } = options;
  const firstWord = (line: string): string => line.trim().split(/\s+/)[0] ?? "";
  const added = new Map(extraTools.map((line) => [firstWord(line), line] as const).filter(([word]) => word !== ""));
  const tools = [...TOOLS, ...[...added].filter(([word]) => !TOOLS.includes(word)).map(([, line]) => line)];
  return {
    backend: "boxd",
    writablePersistence: "resident_disk",
    processSessions: true,
    egressEnforcement: "none",
    spec: {
      os: "Ubuntu 24.04 LTS, a boxd microVM that sleeps when idle and keeps its whole disk",
      runtimes: ["Node 24", "Python 3"],
      tools,
      notInstalled: NOT_INSTALLED.filter((name) => !added.has(name)),
      ...(vcpu === undefined ? {} : { cpus: vcpu, memoryMb: vcpu * MEMORY_MB_PER_VCPU }),
      diskGb,
      homeDir: home,
      workdir: `${home}/${WORKSPACE}`,
    },
  };
}
