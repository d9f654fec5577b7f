import { describe, expect, test } from "vitest";
import type { Deployment } from "../../src/deployment/deployment.ts";
import { DIFFERENCES } from "./peer-differences.ts";
import { PEER_CONFIGS } from "./peer/configs.ts";
import { loadWithQm, qmEnvironments, qmSecrets, type QmConfig, type StringEnv } from "./peer/qm.ts";
import { environment, resolveUnder } from "./resolving.ts";

interface Found {
  readonly what: string;
  readonly ours: string | undefined;
  readonly qm: string | undefined;
}

function compare(prefix: string, ours: StringEnv, qm: StringEnv): Found[] {
  const names = [...new Set([...Object.keys(ours), ...Object.keys(qm)])];
  return names
    .map((name) => ({ what: prefix + name, ours: ours[name], qm: qm[name] }))
    .filter((each) => each.ours !== each.qm);
}

function ourSecrets(deployment: Deployment): StringEnv {
  return Object.fromEntries(
    deployment.secrets.map(({ name, required, managedBy, destinations }) => {
      const places = destinations.map(({ workload, env }) => `${workload}.${env}`).sort();
      return [name, [required ? "required" : "optional", managedBy, ...places].join(", ")];
    }),
  );
}

async function theirSecrets(config: QmConfig): Promise<StringEnv> {
  const { secrets, destinations } = await qmSecrets(config);
  return Object.fromEntries(
    secrets.map(({ name, required, managedBy }) => [
      name,
      [required ? "required" : "optional", managedBy, ...(destinations.get(name) ?? [])].join(", "),
    ]),
  );
}

describe("what qm 0.1.12 renders", () => {
  test.each(Object.entries(PEER_CONFIGS))(
    "%s: environments and secrets are the same, apart from the listed differences",
    async (name, written) => {
      const config = await loadWithQm(written);
      const deployment = resolveUnder("0.1.12", written);
      const theirs = await qmEnvironments(deployment, config);
      expect(deployment.workloads.map((workload) => workload.name).sort()).toEqual([...theirs.keys()].sort());
      const found = [
        ...deployment.workloads.flatMap((workload) =>
          compare(`${workload.name}.`, environment(deployment, workload.name), theirs.get(workload.name) ?? {}),
        ),
        ...compare("secret ", ourSecrets(deployment), await theirSecrets(config)),
      ];
      const accepted = DIFFERENCES.filter((difference) => difference.configs.includes(name)).map(
        ({ what, ours, qm }): Found => ({ what, ours, qm }),
      );
      const order = (a: Found, b: Found): number => (a.what < b.what ? -1 : 1);
      expect(found.sort(order)).toEqual(accepted.sort(order));
    },
  );

  test("every listed difference names configurations that exist", () => {
    for (const difference of DIFFERENCES)
      expect(Object.keys(PEER_CONFIGS)).toEqual(expect.arrayContaining([...difference.configs]));
  });
});
