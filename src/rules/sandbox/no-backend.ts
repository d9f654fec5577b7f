import { declarableBackends } from "../../catalog/backends/index.ts";
import type { TargetName } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { assumedRelease, names, replacement, type Rule } from "../rule.ts";

export const NO_BACKEND_RULES: readonly Rule[] = [
  {
    id: "sandbox/no-backend",
    title: "No sandbox backend",
    severity: "warning",
    why: "Without a backend core does not start in production, and agents cannot execute anything. qm 0.1.6 demands `sandbox.app` of docker and fly deployments instead (an error there).",
    bad: '{ "sandbox": {} }',
    good: '{ "sandbox": { "backend": "boxd" } }',
    check(deployment, report) {
      const { target, broken, sandbox } = deployment;
      const { release } = deployment.release;
      if (target === null || broken || sandbox.effective !== null || hasApp(deployment)) return;
      const demanded = release.demandsSandboxApp.includes(target);
      report({
        message: demanded
          ? `nothing names a sandbox backend, and \`sandbox.app\`, which qm ${release.version} demands on ${target} then, is missing`
          : "nothing names a sandbox backend: agents cannot execute anything",
        help: `${waysOut(deployment, target)}${assumedRelease(deployment)}`,
        place: { path: ["sandbox"] },
        severity: demanded ? "error" : "warning",
      });
    },
  },
  {
    id: "sandbox/inert-app",
    title: "`sandbox.app` without a backend",
    severity: "warning",
    why: "`sandbox.app` names where Sprites would run and chooses no backend (but for qm 0.1.6 on fly): core is started with no `SANDBOX_BACKEND`, which it refuses in production.",
    bad: '{ "target": "docker", "sandbox": { "app": "acme-sandboxes" } }',
    good: '{ "target": "docker", "sandbox": { "backend": "boxd" } }',
    check(deployment, report) {
      const { target, broken, sandbox } = deployment;
      const { release } = deployment.release;
      if (target === null || broken || sandbox.effective !== null || !hasApp(deployment)) return;
      const reader = appReader(deployment, target);
      report({
        message: `\`sandbox.app\` does not choose a backend on ${target}: core would start with no SANDBOX_BACKEND`,
        help: `${waysOut(deployment, target)}${assumedRelease(deployment)}`,
        place: { path: ["sandbox", "app"] },
        severity: release.demandsSandboxApp.includes(target) ? "error" : "warning",
        fix: replacement(["sandbox", "backend"], reader),
      });
    },
  },
];

function hasApp({ config }: Deployment): boolean {
  return (config.sandbox?.app ?? "").trim() !== "";
}

/** The one backend that a config of this target and release can declare and that reads `sandbox.app`. */
function appReader({ release: { release } }: Deployment, target: TargetName): string | null {
  const readers = declarableBackends(target, release).filter((backend) => backend.fields(release).includes("app"));
  return readers.length === 1 && readers[0] !== undefined ? readers[0].name : null;
}

/** Every way to have a backend: those that take the app that is there (or is demanded), and those that do without. */
function waysOut(deployment: Deployment, target: TargetName): string {
  const { release } = deployment.release;
  const here = declarableBackends(target, release);
  const withApp = here.filter((backend) => backend.fields(release).includes("app")).map(({ name }) => name);
  const without = here.map(({ name }) => name).filter((name) => !withApp.includes(name));
  const bare = `set \`sandbox.backend\` to ${names(without, "or")}`;
  if (withApp.length === 0) return hasApp(deployment) ? `${bare}, and remove \`sandbox.app\`` : bare;
  const pair = `to ${names(withApp, "or")}`;
  if (hasApp(deployment)) return `${bare} and remove \`sandbox.app\`, or ${pair} and keep it`;
  return `${bare}, which need${without.length === 1 ? "s" : ""} no app, or ${pair} together with \`sandbox.app\``;
}
