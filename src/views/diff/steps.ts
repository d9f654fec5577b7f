import type { Deployment } from "../../deployment/deployment.ts";
import { backendSteps } from "./backend-steps.ts";
import type { DeploymentDiff, Step } from "./deployment-diff.ts";

type Changes = Omit<DeploymentDiff, "steps" | "same">;

function step(title: string, detail: string | null = null): Step {
  return { title, detail, done: null };
}

function secretSteps({ secrets }: Changes, after: Deployment): Step[] {
  const needed = secrets.add.filter(({ required, managedBy }) => required && managedBy === "operator");
  const steps = needed.map(({ name, making }) => {
    const isOurs = after.secrets.find((secret) => secret.name === name)?.source.kind !== "operator";
    return isOurs
      ? step(`make \`${name}\`: \`qm-deploy secrets set ${name} --generate\``)
      : step(`get \`${name}\` and put it into \`.env\`: \`qm-deploy secrets set ${name}\``, making);
  });
  if (steps.length === 0 || after.target === "docker") return steps;
  return [
    ...steps,
    step(
      `put ${steps.length === 1 ? "it" : "them"} into the store of ${after.target ?? "the target"}`,
      "`qm-deploy render --secrets` writes what the store takes",
    ),
  ];
}

function dataSteps({ data }: Changes): Step[] {
  return data.map(({ what, message }) => {
    const title =
      what === "agent-computers"
        ? "have agents save what must be kept: push repositories, hand files over"
        : what === "database"
          ? "back up the database"
          : "copy the files to the new place";
    return step(title, message);
  });
}

function deploySteps({ workloads, artifacts, to }: Changes): Step[] {
  const rolled = workloads.filter(({ change }) => change !== "removed").map(({ name }) => `\`${name}\``);
  const gone = workloads.filter(({ change }) => change === "removed").map(({ name }) => `\`${name}\``);
  if (rolled.length === 0 && gone.length === 0 && (artifacts ?? []).length === 0) return [];
  return [
    step("run `qm-deploy check`, then `qm-deploy render`, and review what changed below `rendered/`"),
    ...(rolled.length === 0
      ? []
      : [step(`deploy ${rolled.join(", ")}`, `rendered/${to.target ?? "<target>"}/bring-up.md has the commands`)]),
    ...(gone.length === 0
      ? []
      : [step(`take down ${gone.join(", ")}, which ${gone.length === 1 ? "is" : "are"} no longer declared`)]),
  ];
}

function afterwards({ secrets }: Changes, before: Deployment, hasSwitched: boolean): Step[] {
  const old = before.sandbox.effective?.backend?.title ?? null;
  return [
    ...(hasSwitched ? [step("start one agent, and let it run a command and call core")] : []),
    ...(secrets.retire.length === 0
      ? []
      : [
          step(
            `retire ${secrets.retire.map((name) => `\`${name}\``).join(", ")}`,
            "take them out of `.env` and the target's store, and revoke them where they were issued",
          ),
        ]),
    ...(hasSwitched && old !== null
      ? [step(`delete the agents' computers on ${old} once nothing on them is missed`)]
      : []),
  ];
}

/** What an operator does to get from one deployment to the other, in order. */
export function stepsFor(before: Deployment, after: Deployment, changes: Changes): readonly Step[] {
  const to = after.sandbox.effective?.backend ?? null;
  const hasSwitched = to !== null && before.sandbox.effective?.name !== to.name;
  return [
    ...secretSteps(changes, after),
    ...(hasSwitched ? backendSteps(before, after, to) : []),
    ...dataSteps(changes),
    ...deploySteps(changes),
    ...afterwards(changes, before, hasSwitched),
  ];
}
