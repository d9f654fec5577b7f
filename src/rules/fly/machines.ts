import { closestName } from "../../base/closest-name.ts";
import { field, type Finding, replacement, type Rule } from "../rule.ts";
import { CLOSED_FLY_REGIONS, FLY_REGIONS, FLY_VM_SIZES, readFlyMemory } from "../../catalog/targets/fly.ts";
import { DNS_LABEL_LENGTH } from "../../catalog/grammar/dns.ts";
import { flyAppPrefix } from "../../deployment/derived-names.ts";
import { FLY_TEMPLATES } from "../../catalog/fly-templates.generated.ts";
import { RUNNABLE_SERVICE_NAMES } from "../../config/written-config.ts";

/** Regions, names and sizes of Fly machines. */
export const FLY_MACHINE_RULES: readonly Rule[] = [
  {
    id: "fly/region",
    title: "Unknown or closed Fly region",
    severity: "warning",
    why: "Fly refuses machines in a region that it does not have, or has closed. Regions come and go, so this is no error.",
    bad: '{ "target": "fly", "region": "sjs" }',
    good: '{ "target": "fly", "region": "sjc" }',
    check({ target, config }, report) {
      const region = config.region?.trim();
      if (target !== "fly" || region === undefined || FLY_REGIONS.includes(region)) return;
      const meant = closestName(region, FLY_REGIONS);
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
        fix: replacement(["region"], meant),
      });
    },
  },
  {
    id: "fly/app-name",
    title: "Fly app name that is too long",
    severity: "error",
    why: "Each workload is a Fly app named `<appPrefix>-<workload>`. The name is a DNS label, which has at most 63 characters.",
    bad: `{ "target": "fly", "appPrefix": "${"a".repeat(60)}" }`,
    good: '{ "target": "fly", "appPrefix": "acme" }',
    check({ target, config, workloads }, report) {
      const prefix = flyAppPrefix(config);
      const [path] = prefix?.from ?? [];
      if (target !== "fly" || prefix === null || path === undefined) return;
      const [longest] = workloads.map(({ name }) => name).sort((a, b) => b.length - a.length);
      if (longest === undefined) return;
      const length = prefix.value.length + 1 + longest.length;
      if (length <= DNS_LABEL_LENGTH) return;
      report({
        message: `${field(path)} is too long: the app of \`${longest}\` would have a name of ${length} characters, and ${DNS_LABEL_LENGTH} are the most`,
        help: `use an \`appPrefix\` of at most ${DNS_LABEL_LENGTH - 1 - longest.length} characters`,
        place: { path, at: "value" },
      });
    },
  },
  {
    id: "fly/vm-size",
    title: "Machine size that Fly does not have",
    severity: "error",
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
  },
];

function unknownSize(path: readonly string[], size: string): Finding {
  const meant = closestName(size, [...FLY_VM_SIZES.keys()]);
  return {
    message: `${field(path)} names \`${size}\`, which is no machine size that is known here`,
    help:
      meant === null
        ? "`fly platform vm-sizes` lists them"
        : `did you mean \`${meant}\`? \`fly platform vm-sizes\` lists them all`,
    command: "fly platform vm-sizes",
    severity: "warning",
    place: { path, at: "value" },
    fix: replacement(path, meant),
  };
}
