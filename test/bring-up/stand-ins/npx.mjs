// `npx --no qm …`: qm's own command line, as its help has it; 0.1.6 has fewer commands.
import { readFileSync, writeFileSync } from "node:fs";
import { applyEdits, modify, parse } from "jsonc-parser";
import { fileText, FLAG, must, VALUE } from "./answers.mjs";

const COMMON = { "--config": VALUE, "--env-file": VALUE, "--sandbox-dir": VALUE };

/** The config that a call is about; what qm refuses is refused. */
function config(world, { one }) {
  const file = one("--config") ?? "qm.config.jsonc";
  const value = parse(fileText(file));
  must(value.$schema === undefined, 'unknown top-level field "$schema"');
  must(value.sandbox?.backend !== "boxd", 'sandbox.backend "boxd" is not allowed');
  fileText(one("--env-file") ?? ".env");
  return { file, value };
}

function buildImage(world, call) {
  const { file, value } = config(world, call);
  must(value.target === "aws" && value.env.core.AWS_DEPLOY_IMAGE, "env.core.AWS_DEPLOY_IMAGE is required");
  must(world.aws.clusters[value.aws.cluster] !== undefined, `no cluster ${value.aws.cluster}`);
  const set = (text, name, to) => applyEdits(text, modify(text, ["env", "core", name], to, {}));
  const role = `arn:aws:iam::${value.aws.accountId}:role/${value.aws.cluster}-microvm-exec`;
  const text = set(readFileSync(file, "utf8"), "AWS_DEPLOY_IMAGE_VERSION", "7");
  writeFileSync(file, set(text, "AWS_DEPLOY_EXEC_ROLE_ARN", role));
  world.aws.microVm = value.env.core.AWS_DEPLOY_IMAGE;
}

const since = (release, run) => (world, call) => {
  must(world.release !== "0.1.6", `qm 0.1.6 has no such command (${release})`);
  return run(world, call);
};

export const PROGRAM = {
  name: "npx",
  globals: { "--no": FLAG },
  commands: {
    "qm down": { flags: COMMON, run: (world, call) => void config(world, call) },
    "qm up": {
      flags: COMMON,
      run(world, call) {
        must(config(world, call).value.target !== "aws", "needs --yes");
      },
    },
    "qm layer sync": { flags: COMMON, run: since("0.1.12", (world, call) => void config(world, call)) },
    "qm infra build-image": { flags: COMMON, run: buildImage },
    "qm infra delete-image": {
      flags: { ...COMMON, "--yes": FLAG },
      needs: ["--yes"],
      run(world, call) {
        must(world.aws.microVm === config(world, call).value.env.core.AWS_DEPLOY_IMAGE, "no such image");
        world.aws.microVm = null;
      },
    },
    "qm admin-login": {
      flags: { "--config": VALUE, "--env-file": VALUE, "--email": VALUE },
      run: since("0.1.12", (world, call) => {
        const { value } = config(world, call);
        must(value.services.includes("portal") && value.services.includes("admin"), "needs portal and admin");
        const env = fileText(call.one("--env-file"));
        must(/^PORTAL_SESSION_SECRET=.{32}/m.test(env), "PORTAL_SESSION_SECRET");
        must(/^ADMIN_GRANTS=\S+@\S+:org_admin$/m.test(env), "one email with :org_admin in ADMIN_GRANTS");
        return `${value.publicUrl}/auth/admin-login#token=x`;
      }),
    },
  },
};
