import type { ServiceSettingKey } from "../../catalog/settings/index.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { hasFiles } from "../../deployment/inputs.ts";
import { field, type Finding, type Rule } from "../rule.ts";
import { processOf } from "../process.ts";

/** Where docker mounts `sandbox/`. */
const LAYER = "/layer";

/** Paths in core's container, and what switches skills and background work off. */
export const CORE_PATH_RULES: readonly Rule[] = [
  {
    id: "core/unmounted-path",
    title: "Path in the container that nothing puts there",
    severity: "warning",
    why: "No target mounts files of yours into core, but for the layer on docker. Unless the core image itself has the path, core does not start (DATABASE_CA_CERT_FILE, DEPLOYMENT_LAYER) or has no skills.",
    bad: '{ "env": { "core": { "HARNESS": "pi", "DATABASE_CA_CERT_FILE": "/etc/qm/ca.pem" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi" } }, "secretEnv": { "core": { "DATABASE_CA_CERT": "DATABASE_CA_CERT" } } }',
    check(deployment, report) {
      const core = processOf(deployment, "core");
      const written = (key: ServiceSettingKey): string => core?.text(key)?.trim() ?? "";
      const say = (key: ServiceSettingKey, without: string, help: string): void => {
        if (core === null) return;
        report({
          message: `nothing of the deployment puts a file or directory where ${core.named(key)} says: unless the core image has it, ${without}`,
          help,
          place: core.place(key),
        });
      };
      // Certificates that come with the operating system are in every image.
      if (
        written("core.databaseCaFile") !== "" &&
        !written("core.databaseCaFile").startsWith("/etc/ssl/") &&
        !hasCertificate(deployment)
      )
        say("core.databaseCaFile", "core does not start", "hand the certificate over in the secret `DATABASE_CA_CERT`");
      const layer = written("core.deploymentLayer");
      if (layer !== "" && !(layer === LAYER && hasMountedLayer(deployment)))
        say(
          "core.deploymentLayer",
          "core does not start",
          "remove it: on docker `sandbox/` is mounted, and on the others the layer is synced",
        );
      if (written("core.skillsSeedDirectory") !== "")
        say("core.skillsSeedDirectory", "agents have none of qm's own skills", "remove it");
      if (core?.text("core.deploymentLayer")?.trim() === "" && hasMountedLayer(deployment))
        report({
          message: `${core.named("core.deploymentLayer")} is blank, so agents have neither tools nor skills of \`sandbox/\``,
          help: "remove it",
          place: core.place("core.deploymentLayer"),
        });
    },
  },
  {
    id: "core/idle-parts",
    title: "Parts of core that are switched off",
    severity: "warning",
    why: "These settings switch something off that the deployment has or that people expect: skills are not installed, schedules never fire.",
    bad: '{ "env": { "core": { "HARNESS": "pi", "BACKGROUND_WORK_ENABLED": "false" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi", "BACKGROUND_WORK_ENABLED": "true" } } }',
    check(deployment, report) {
      for (const finding of switchedOff(deployment)) report(finding);
    },
  },
];

function* switchedOff(deployment: Deployment): Iterable<Finding> {
  const core = processOf(deployment, "core");
  if (core === null) return;
  const found = (key: ServiceSettingKey, message: string): Finding => ({
    message: `${core.named(key)} ${message}`,
    help: "remove it, unless that is what you want",
    place: core.place(key),
  });
  if (isOff(core.text("core.backgroundWork")))
    yield found("core.backgroundWork", "keeps schedules and other background work from ever running");
  const skills = deployment.config.skills ?? [];
  const ownSkills = [
    ...(skills.length > 0 ? [field(["skills"])] : []),
    ...(hasFiles(deployment.inputs, "sandbox/skills") ? ["`sandbox/skills`"] : []),
  ].join(" and ");
  if (isOff(core.text("core.seedSkills")))
    yield found(
      "core.seedSkills",
      `keeps ${ownSkills === "" ? "qm's own skills" : `qm's own skills and those of ${ownSkills}`} from being installed`,
    );
  const directories = core.text("core.pluginSkillDirectories");
  if (directories !== undefined && skills.length > 0)
    yield found(
      "core.pluginSkillDirectories",
      "takes the place of the directories that `skills` mounts, so their skills are not installed",
    );
}

/** A boolean of core that says no. */
function isOff(value: string | undefined): boolean {
  return value !== undefined && /^(?:0|false|no|off|none)$/i.test(value.trim());
}

function hasMountedLayer({ target, inputs }: Deployment): boolean {
  return target === "docker" && (hasFiles(inputs, "sandbox/skills") || hasFiles(inputs, "sandbox/tools"));
}

/** A certificate in the secret beats the file, which is then not read. */
function hasCertificate({ secrets, env }: Deployment): boolean {
  return secrets.some(
    ({ name, required, destinations }) =>
      destinations.some((destination) => destination.env === "DATABASE_CA_CERT") &&
      (required || (env?.values.get(name)?.trim() ?? "") !== ""),
  );
}
