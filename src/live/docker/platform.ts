import type { JsonValue } from "../../base/json.ts";
import { COMPOSE } from "../../render/docker/names.ts";
import { list, object, parseAnswer, text } from "../answer.ts";
import { type Ask, type Answer, refusal } from "../ask.ts";
import { artifactText, type Platform, type RenderedDeployment } from "../platform.ts";
import { type DockerAnswers, dockerAnswers } from "./answers.ts";
import { containerIds, orgLabel, projectLabel } from "./labels.ts";
import { projectName, renderedServices } from "./rendered.ts";
import { runningContainers, workingDirectory } from "./running.ts";

/** Containers of docker, through its client (docs/contract/live.md#docker). */
export const dockerPlatform: Platform<DockerAnswers> = {
  ask: askDocker,
  read: dockerAnswers,
  compare(deployment, answers) {
    const { context, directory } = deployment;
    const compose = artifactText(deployment, COMPOSE);
    const rendered =
      compose === null
        ? []
        : renderedServices(context, compose, (service) => workingDirectory(answers, service) ?? directory);
    return { rendered, running: runningContainers(answers, rendered, projectName(context)) };
  },
};

/** Containers of the compose project, and those that bear the deployment's label, as `qm up` makes them. */
async function askDocker({ context }: RenderedDeployment, ask: Ask): Promise<DockerAnswers> {
  const labels = [projectLabel(projectName(context)), orgLabel(context.deployment.config)];
  const listed = await Promise.all(labels.map((label) => containerIds(label, ask)));
  const ids = [...new Set(listed.flat())];
  if (ids.length === 0) return { containers: [], images: [] };
  const containers = inspected(await ask(["docker"], ["container", "inspect", ...ids]));
  const images = new Set(containers.map((one) => text(object(one, "a container")["Image"], "`Image` of a container")));
  return { containers, images: inspected(await ask(["docker"], ["image", "inspect", ...images])) };
}

/** What is gone since it was listed is left out; docker prints the others all the same. */
function inspected(answer: Answer): readonly JsonValue[] {
  const complaints = answer.stderr.split("\n").filter((line) => line.trim() !== "" && !/no such/i.test(line));
  if (answer.status !== 0 && (complaints.length > 0 || answer.stdout.trim() === "")) throw refusal(answer);
  return list(parseAnswer(answer.stdout, `what \`${answer.call}\` printed`), "what docker printed");
}
