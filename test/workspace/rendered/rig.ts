import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadDeployment } from "../../../src/workspace/load-deployment.ts";
import type { RenderRequest } from "../../../src/workspace/render-plan.ts";
import { renderedDirectory } from "../../../src/workspace/rendered-directory.ts";
import { writeRender } from "../../../src/workspace/render-write.ts";

export { deployment as deploymentDirectory, IMAGES } from "../../render/cli/deployment.ts";

/** What `render` asks for in a directory. */
export function request(cwd: string, more: Partial<RenderRequest> & { secrets?: boolean; out?: string } = {}): RenderRequest {
  const { deployment, problem } = loadDeployment(cwd, { cwd });
  if (problem !== undefined) throw new Error(problem.message);
  const { secrets = false, out, ...rest } = more;
  return {
    deployment,
    output: renderedDirectory(cwd, deployment.target ?? "docker", out, cwd),
    options: { secrets, withOptional: false, bind: "127.0.0.1" },
    only: null,
    prune: false,
    ...rest,
  };
}

/** Renders there. */
export const write = (cwd: string, more: Parameters<typeof request>[1] = {}) => writeRender(request(cwd, more), (plan) => plan.refusals.length === 0);

/** Every file below a directory with its content, links with what they point at. */
export function snapshot(directory: string): { [path: string]: string } {
  if (!existsSync(directory)) return {};
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(files.flatMap((name) => {
    const stats = lstatSync(join(directory, name));
    return stats.isFile() ? [[name, readFileSync(join(directory, name), "utf8")]] : stats.isSymbolicLink() ? [[name, "link"]] : [];
  }));
}
