import type { ServiceSettingKey } from "../../catalog/settings/index.ts";
import { isOff } from "../../catalog/settings/readings.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { hasFiles } from "../../deployment/inputs.ts";
import type { Severity } from "../../diagnostics/diagnostic.ts";
import { field, type Finding, notStarting, refusedAtBoot, type Rule } from "../rule.ts";
import { processOf } from "../process.ts";

/** Where docker mounts `sandbox/`. */
const LAYER = "/layer";

/** Certificates that come with the operating system are in every image. */
const OF_THE_SYSTEM = /^\/etc\/(?:ssl|pki)\//;

/** Where the image has qm's own skills. */
const SEED_DIRECTORY = /^(?:\/app\/|\.\/)?skills-seed\/?$/;

/** Paths in core's container, and what switches skills and background work off. */
export const CORE_PATH_RULES: readonly Rule[] = [
  {
    id: "core/unmounted-path",
    title: "Path in the container that nothing puts there",
    why: "No target mounts files of yours into core, but for the layer on docker. Unless the core image itself has the path, core does not start (DATABASE_CA_CERT_FILE, DEPLOYMENT_LAYER) or has no skills of qm (SKILLS_SEED_DIR).",
    bad: '{ "env": { "core": { "HARNESS": "pi", "DATABASE_CA_CERT_FILE": "/etc/qm/ca.pem" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi" } }, "secretEnv": { "core": { "DATABASE_CA_CERT": "DATABASE_CA_CERT" } } }',
    check(deployment, report) {
      for (const finding of unmountedPaths(deployment)) report(finding);
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

function* unmountedPaths(deployment: Deployment): Iterable<Finding> {
  const core = processOf(deployment, "core");
  if (core === null) return;
  const found = (key: ServiceSettingKey, what: string, help: string, severity: Severity): Finding => ({
    message: `${core.named(key)} ${what}`,
    help,
    severity,
    place: core.place(key),
  });
  const stops = `names a path that nothing mounts: ${notStarting(deployment, "core")}, unless its image has the path`;
  const severity = refusedAtBoot(deployment);
  const certificate = core.text("core.databaseCaFile")?.trim() ?? "";
  if (certificate !== "" && !OF_THE_SYSTEM.test(certificate) && !hasCertificate(deployment))
    yield found("core.databaseCaFile", stops, "hand the certificate over in the secret `DATABASE_CA_CERT`", severity);
  const layer = core.text("core.deploymentLayer");
  const isMounted = hasMountedLayer(deployment);
  if (layer === "" && isMounted) {
    const what = "is blank, so agents have neither tools nor skills of `sandbox/`";
    yield found("core.deploymentLayer", what, "remove it", "warning");
  } else if (layer !== undefined && layer !== "" && !(layer === LAYER && isMounted)) {
    const help = "remove it: docker mounts `sandbox/`, and elsewhere qm's own `up` sends it";
    yield found("core.deploymentLayer", stops, help, severity);
  }
  const seed = core.text("core.skillsSeedDirectory");
  if (seed !== undefined && !SEED_DIRECTORY.test(seed)) {
    const what = "names a path that nothing mounts: unless the core image has it, agents have none of qm's own skills";
    yield found("core.skillsSeedDirectory", what, "remove it", "warning");
  }
}

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
