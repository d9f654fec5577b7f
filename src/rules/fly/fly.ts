import { closestName } from "../../base/closest-name.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { FLY_TEMPLATES } from "../../catalog/fly-templates.generated.ts";
import { DNS_LABEL_LENGTH } from "../../catalog/grammar/dns.ts";
import { CLOSED_FLY_REGIONS, FLY_REGIONS, FLY_VM_SIZES, readFlyMemory } from "../../catalog/targets/fly.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import { RUNNABLE_SERVICE_NAMES } from "../../config/written-config.ts";
import { flyAppPrefix } from "../../deployment/derived-names.ts";
import { type Finding, type Rule, field, own, replacement } from "../rule.ts";

/** What core must be told of its object store, with the one value that is sound where there is only one. */
const OBJECT_STORE = [
  ["core.snapshotStore", "s3"],
  ["core.transferStore", "s3"],
  ["core.s3Bucket", null],
  ["core.s3Region", null],
] as const;

const SOUND_ENV = '"SNAPSHOT_STORE": "s3", "TRANSFER_STORE": "s3", "S3_BUCKET": "acme-qm-data"';

/** What Fly demands of a deployment, and what it has. */
export const FLY_RULES: readonly Rule[] = [
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
        ...lookedUpWith("fly platform regions", meant),
        place,
        fix: replacement(["region"], meant),
      });
    },
  },
  {
    id: "fly/app-name",
    title: "Fly app name that is too long",
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
  {
    id: "fly/missing-field",
    title: "Fly region or organization missing",
    clause: "config.v1",
    why: "Every app is created in an organization of Fly and runs in a region; qm does not guess either.",
    bad: '{ "target": "fly", "flyOrg": "acme-inc" }',
    good: '{ "target": "fly", "region": "sjc" }',
    check({ target, document, broken }, report) {
      if (target !== "fly" || broken) return;
      for (const [name, what] of [
        ["region", "the region that the apps run in, such as `sjc`"],
        ["flyOrg", "the organization of Fly that owns the apps"],
      ] as const) {
        if (document.node([name]) === undefined)
          report({ message: `\`${name}\` is missing, which fly needs`, help: `add ${what}`, place: { path: [name] } });
      }
    },
  },
  {
    id: "fly/object-store",
    title: "Fly deployment without an object store",
    clause: "config.v1",
    why: "A Fly machine loses its disk when it is replaced. qm demands that snapshots and transfers go to S3 storage, and that its bucket and region are named.",
    bad: `{ "target": "fly", "env": { "core": { "HARNESS": "pi", ${SOUND_ENV} } } }`,
    good: `{ "target": "fly", "env": { "core": { "HARNESS": "pi", ${SOUND_ENV}, "S3_REGION": "auto" } } }`,
    check({ target, config, document, broken, release }, report) {
      if (target !== "fly" || broken) return;
      for (const [key, only] of OBJECT_STORE) {
        const name = nameOf(release.release, key);
        const path: ConfigPath = ["env", "core", name];
        const value = own(config.env?.core, name);
        const isUnsound = value === undefined && document.node(path) !== undefined;
        if (isUnsound || (only === null ? value !== undefined && value.trim() !== "" : value === only)) continue;
        report({
          message:
            value === undefined
              ? `${field(path)} is missing, which fly needs`
              : `${field(path)} must ${only === null ? "not be blank" : `be \`${only}\``} on fly`,
          help:
            only === null
              ? "name it: `fly storage create` makes a bucket and prints both (the region of Tigris is `auto`)"
              : "set it to `s3`",
          command: only === null ? "fly storage create" : undefined,
          place: value === undefined ? { path } : { path, at: "value" },
          fix: value === undefined ? undefined : replacement(path, only),
        });
      }
    },
  },
];

function unknownSize(path: readonly string[], size: string): Finding {
  const meant = closestName(size, [...FLY_VM_SIZES.keys()]);
  return {
    message: `${field(path)} names \`${size}\`, which is no machine size that is known here`,
    ...lookedUpWith("fly platform vm-sizes", meant),
    severity: "warning",
    place: { path, at: "value" },
    fix: replacement(path, meant),
  };
}

function lookedUpWith(command: string, meant: string | null): Pick<Finding, "help" | "command"> {
  const help =
    meant === null ? `\`${command}\` lists them` : `did you mean \`${meant}\`? \`${command}\` lists them all`;
  return { help, command };
}
