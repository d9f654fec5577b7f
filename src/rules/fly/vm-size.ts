import { FLY_TEMPLATES } from "../../catalog/fly-templates.generated.ts";
import { FLY_VM_SIZES, readFlyMemory, suggestFlyVmSize } from "../../catalog/targets/fly.ts";
import { RUNNABLE_SERVICE_NAMES } from "../../config/written-config.ts";
import { field } from "../wording.ts";
import type { Finding, Rule } from "../rule.ts";

/** A machine size that Fly does not sell. */
export const VM_SIZE: Rule = {
  id: "fly/vm-size",
  title: "Machine size that Fly does not have",
  severity: "error",
  clause: null,
  why: "Fly refuses to make a machine with memory that its size cannot have. A size that is not known here may be new, so that is a warning.",
  bad: '{ "target": "fly", "vms": { "core": { "size": "shared-cpu-1x", "memory": "16gb" } } }',
  good: '{ "target": "fly", "vms": { "core": { "size": "performance-2x", "memory": "16gb" } } }',
  check({ target, config, services, release, document }, report) {
    // What the machine really gets counts: a size or memory that is not written is the template's.
    if (target !== "fly") return;
    for (const service of RUNNABLE_SERVICE_NAMES) {
      const vm = config.vms?.[service];
      if (vm === undefined || !services.includes(service)) continue;
      if (vm.size === undefined && document.node(["vms", service, "size"]) !== undefined) continue;
      const template = FLY_TEMPLATES[release.resolved]?.[service]?.vm[0];
      const size = vm.size ?? template?.size;
      const range = size === undefined ? undefined : FLY_VM_SIZES.get(size);
      if (vm.size !== undefined && range === undefined) report(unknownSize(["vms", service, "size"], vm.size));
      const isWritten = document.node(["vms", service, "memory"]) !== undefined;
      const amount = isWritten ? vm.memory : template?.memory;
      const memory = amount === undefined ? null : readFlyMemory(amount);
      if (
        range === undefined ||
        memory === null ||
        (memory >= range.least && memory <= range.most && memory % range.step === 0)
      )
        continue;
      const path = ["vms", service, isWritten ? "memory" : "size"];
      report({
        message: isWritten
          ? `${field(path)} is ${memory} MB, which a \`${size}\` cannot have`
          : `${field(path)} is \`${size}\`, which cannot have the ${memory} MB that \`${service}\` gets when \`memory\` is not set`,
        help: `it has from ${range.least} to ${range.most} MB, in steps of ${range.step}: ${isWritten ? "change the memory or the size" : "set `memory` beside it"}`,
        place: { path, at: "value" },
      });
    }
  },
};

function unknownSize(path: readonly string[], size: string): Finding {
  const meant = suggestFlyVmSize(size);
  return {
    message: `${field(path)} names \`${size}\`, which is no machine size that is known here`,
    help:
      meant === null
        ? "`fly platform vm-sizes` lists them"
        : `did you mean \`${meant}\`? \`fly platform vm-sizes\` lists them all`,
    command: "fly platform vm-sizes",
    severity: "warning",
    place: { path, at: "value" },
    ...(meant === null
      ? {}
      : {
          fix: {
            safety: "suggested",
            title: `set ${field(path)} to \`${meant}\``,
            changes: [{ kind: "set", path, value: meant }],
          },
        }),
  };
}
