// curl: who answers at an address, by what has been brought up.
import { FLAG, must, VALUE } from "./answers.mjs";

function answers(world, url) {
  const { hostname, port } = new URL(url);
  const containers = Object.values(world.docker.containers).filter(({ running }) => running);
  if (hostname === "127.0.0.1") return containers.some(({ ports }) => ports.includes(port));
  if (containers.some(({ sites }) => sites?.includes(hostname))) return true;
  const onFly = Object.entries(world.fly.apps).some(
    ([name, { isPublic, machines, certificates }]) =>
      isPublic && machines > 0 && (hostname === `${name}.fly.dev` || certificates.includes(hostname)),
  );
  const tasks = Object.values(world.aws.clusters).flatMap(({ services }) => Object.values(services));
  const behind = world.aws.doors[hostname];
  return onFly || tasks.some(({ workload, runningCount }) => workload === behind && runningCount > 0);
}

export const PROGRAM = {
  name: "curl",
  commands: {
    "": {
      flags: {
        "--fail": FLAG,
        "--silent": FLAG,
        "--show-error": FLAG,
        "--globoff": FLAG,
        "--output": VALUE,
        "--write-out": VALUE,
      },
      args: [1, 1],
      run(world, { args: [url] }) {
        must(answers(world, url), `could not connect to ${url}`);
        return "200";
      },
    },
  },
};
