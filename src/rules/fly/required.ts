import type { ConfigPath } from "../../base/config-path.ts";
import { field, own, type Rule } from "../rule.ts";

const SOUND_ENV = '"SNAPSHOT_STORE": "s3", "TRANSFER_STORE": "s3", "S3_BUCKET": "acme-qm-data"';

/** What a deployment on fly cannot do without. */
export const FLY_REQUIRED_RULES: readonly Rule[] = [
  {
    id: "fly/missing-field",
    title: "Fly region or organization missing",
    severity: "error",
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
    severity: "error",
    clause: "config.v1",
    why: "A Fly machine loses its disk when it is replaced. qm demands that snapshots and transfers go to S3 storage, and that its bucket and region are named.",
    bad: `{ "target": "fly", "env": { "core": { "HARNESS": "pi", ${SOUND_ENV} } } }`,
    good: `{ "target": "fly", "env": { "core": { "HARNESS": "pi", ${SOUND_ENV}, "S3_REGION": "auto" } } }`,
    check({ target, config, document, broken }, report) {
      if (target !== "fly" || broken) return;
      for (const [name, only] of [
        ["SNAPSHOT_STORE", "s3"],
        ["TRANSFER_STORE", "s3"],
        ["S3_BUCKET", null],
        ["S3_REGION", null],
      ] as const) {
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
          ...(only === null || value === undefined
            ? {}
            : {
                fix: {
                  safety: "suggested",
                  title: `set ${field(path)} to \`${only}\``,
                  changes: [{ kind: "set", path, value: only }],
                },
              }),
        });
      }
    },
  },
];
