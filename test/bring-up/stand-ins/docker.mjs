// The docker client with compose and buildx: flags as its help has them.
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { Absent, fileText, FLAG, must, VALUE } from "./answers.mjs";

/** What a compose file asks of its surroundings. */
function composeFile(world, { one }) {
  const file = one("--file");
  must(file !== undefined, "compose without --file");
  const text = fileText(file);
  for (const [, name] of text.matchAll(/(?<!\$)\$\{(\w+)/g))
    must(process.env[name] !== undefined && process.env[name] !== "", `variable ${name} of ${file} is not set`);
  const compose = parse(text);
  for (const service of Object.values(compose.services))
    for (const env of service.env_file ?? []) {
      const path = typeof env === "string" ? env : env.path;
      must(existsSync(join(dirname(file), path)), `env file ${path} not found`);
    }
  return compose;
}

const names = ({ services }) => Object.values(services).map((service) => service.container_name);

function up(world, call) {
  const compose = composeFile(world, call);
  for (const service of call.args) must(compose.services[service] !== undefined, `no such service: ${service}`);
  if (call.flags["--remove-orphans"])
    for (const [name, { by }] of Object.entries(world.docker.containers))
      if (by === compose.name && !names(compose).includes(name)) delete world.docker.containers[name];
  world.docker.networks[compose.networks?.default?.name ?? `${compose.name}_default`] = true;
  for (const volume of Object.values(compose.volumes ?? {})) world.docker.volumes[volume.name] = true;
  for (const service of Object.values(compose.services)) {
    must(service.image !== undefined || service.build !== undefined, "no image");
    const ports = (service.ports ?? []).map((port) => port.split(":").slice(-2)[0]);
    world.docker.containers[service.container_name] = { by: compose.name, running: true, ports };
  }
}

function down(world, call) {
  const project = call.one("--project-name");
  if (project !== undefined) {
    const mine = Object.entries(world.docker.containers).filter(([, { by }]) => by === project);
    must(mine.length > 0, `nothing runs of ${project}`);
    for (const [name] of mine) delete world.docker.containers[name];
    return;
  }
  const compose = composeFile(world, call);
  const others = Object.entries(world.docker.containers).filter(([, { by }]) => by === "run");
  must(others.length === 0, `network has active endpoints: ${others.map(([name]) => name).join()}`);
  for (const name of names(compose)) delete world.docker.containers[name];
  world.docker.networks = {};
}

function running(world, name) {
  must(world.docker.containers[name]?.running, `container ${name} is not running`);
  return world.docker.containers[name];
}

function services(world, call, running_) {
  const compose = composeFile(world, call);
  for (const service of call.args) {
    const name = compose.services[service]?.container_name;
    must(name !== undefined && world.docker.containers[name] !== undefined, `no service ${service}`);
    world.docker.containers[name].running = running_;
  }
}

/** `docker run`: of a core without its key, of a proxy, of tar in a throw-away container. */
function run(world, { flags, one, args: [image, ...command] }) {
  must(/^[\w./-]+(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/.test(image), `not an image: ${image}`);
  if (image.includes(".dkr.ecr.")) must(hasImage(world, image), `${image} is not in its registry`);
  if (flags["--network"]) must(world.docker.networks[one("--network")], `network ${one("--network")} not found`);
  for (const volume of flags["--volume"] ?? []) {
    const [source, , mode] = volume.split(":");
    if (source.startsWith("/")) must(existsSync(source), `bind source path does not exist: ${source}`);
    else if (mode === "ro") must(world.docker.volumes[source], `volume ${source} would be made, and be empty`);
    else world.docker.volumes[source] ??= true;
  }
  const backend = (flags["--env"] ?? []).find((pair) => pair.startsWith("SANDBOX_BACKEND="));
  if (backend === "SANDBOX_BACKEND=boxd") return "Error: SANDBOX_BACKEND=boxd requires BOXD_API_KEY";
  if (command[0] === "tar") {
    const host = flags["--volume"].find((volume) => volume.includes(":/backups")).split(":")[0];
    const archive = join(host, command[2].replace("/backups/", ""));
    if (command[1] === "-czf") writeFileSync(archive, "a tar archive");
    else must(existsSync(archive), `tar: ${command[2]}: Cannot open`);
    return "";
  }
  must(flags["--detach"] && one("--name"), `${image} would run in the foreground`);
  must(world.docker.containers[one("--name")] === undefined, `the name ${one("--name")} is in use`);
  const sites = existsSync("Caddyfile")
    ? [...fileText("Caddyfile").matchAll(/^(\S+) \{$/gm)].map(([, host]) => host)
    : [];
  world.docker.containers[one("--name")] = { by: "run", running: true, ports: [], sites };
  return "0".repeat(64);
}

function exec(world, { flags, args: [container, program], stdin }) {
  running(world, container);
  must(["pg_dump", "pg_restore"].includes(program), `no program ${program} in ${container}`);
  if (program === "pg_dump") return "PGDMP";
  must(flags["--interactive"] && stdin.startsWith("PGDMP"), "did not find magic string in file header");
  return "";
}

function hasImage(world, reference) {
  const [name, digest] = reference.split("@");
  return (world.aws.repositories[name.replace(/^[^/]+\//, "")] ?? []).includes(digest);
}

function copyImage(world, { one, args: [source] }) {
  const [registry, ...path] = one("--tag").split("/");
  const [repository] = path.join("/").split(":");
  must(world.docker.logins[registry], `no basic auth credentials for ${registry}`);
  must(world.aws.repositories[repository] !== undefined, `no repository ${repository}`);
  must(/@sha256:[0-9a-f]{64}$/.test(source), `${source} is not pinned`);
  world.aws.repositories[repository].push(source.split("@")[1]);
}

const compose = (command) => ({ ...command, flags: { "--file": VALUE, ...command.flags } });

export const PROGRAM = {
  name: "docker",
  aliases: {
    "-f": "--file",
    "-t": "--tag",
    "-d": "--detach",
    "-i": "--interactive",
    "-e": "--env",
    "-v": "--volume",
    "-p": "--project-name",
  },
  globals: { "--file": VALUE, "--project-name": VALUE },
  commands: {
    "compose config": compose({ flags: { "--quiet": FLAG }, run: (world, call) => void composeFile(world, call) }),
    "compose up": compose({
      flags: { "--detach": FLAG, "--wait": FLAG, "--build": FLAG, "--remove-orphans": FLAG, "--force-recreate": FLAG },
      args: [0, 9],
      needs: ["--detach"],
      run: up,
    }),
    "compose down": compose({ run: down }),
    "compose ps": compose({
      run: (world, call) =>
        names(composeFile(world, call))
          .map((name) => (running(world, name), name))
          .join("\n"),
    }),
    "compose pull": compose({
      flags: { "--ignore-buildable": FLAG },
      run: (world, call) => void composeFile(world, call),
    }),
    "compose stop": compose({ args: [1, 9], run: (world, call) => services(world, call, false) }),
    "compose restart": compose({ args: [1, 9], run: (world, call) => services(world, call, true) }),
    run: {
      flags: {
        "--rm": FLAG,
        "--detach": FLAG,
        "--env": VALUE,
        "--name": VALUE,
        "--network": VALUE,
        "--publish": VALUE,
        "--restart": VALUE,
        "--volume": VALUE,
      },
      repeats: ["--env", "--publish", "--volume"],
      args: [1, 99],
      passesOn: true,
      run,
    },
    exec: { flags: { "--interactive": FLAG }, args: [2, 99], passesOn: true, stdin: true, run: exec },
    logs: { args: [1, 1], run: (world, { args: [name] }) => (running(world, name), "serving") },
    rm: {
      flags: { "--force": FLAG },
      args: [1, 9],
      run: (world, { args }) =>
        args.forEach((name) => must(delete world.docker.containers[(running(world, name), name)])),
    },
    build: {
      flags: { "--tag": VALUE, "--file": VALUE },
      args: [1, 1],
      stdin: true,
      run(world, { one, args: [context], stdin }) {
        must(one("--file") === "-" && /^FROM \S+@sha256:/.test(stdin), "no Dockerfile");
        for (const [, source] of stdin.matchAll(/^COPY (\S+)/gm)) must(existsSync(join(context, source)), source);
        world.docker.images[one("--tag")] = true;
      },
    },
    "image inspect": {
      flags: { "--format": VALUE },
      args: [1, 1],
      run(world, { args: [image] }) {
        if (!world.docker.images[image]) throw new Absent(`No such image: ${image}`);
        return `sha256:${"0".repeat(64)}`;
      },
    },
    "image rm": { args: [1, 9], run: (world, { args: [image] }) => must(delete world.docker.images[image], image) },
    pull: {
      flags: { "--platform": VALUE },
      args: [1, 1],
      run: (world, { args: [image] }) => void (world.docker.images[image] = true),
    },
    login: {
      flags: { "--username": VALUE, "--password-stdin": FLAG },
      args: [1, 1],
      stdin: true,
      run(world, { args: [registry], stdin }) {
        must(stdin.trim() === world.aws.password, "401 Unauthorized");
        world.docker.logins[registry] = true;
      },
    },
    "buildx imagetools create": {
      flags: { "--tag": VALUE, "--prefer-index": FLAG },
      args: [1, 1],
      needs: ["--tag"],
      run: copyImage,
    },
    "buildx build": {
      flags: {
        "--platform": VALUE,
        "--push": FLAG,
        "--provenance": FLAG,
        "--metadata-file": VALUE,
        "--tag": VALUE,
        "--file": VALUE,
      },
      args: [1, 1],
      run(world, { one, args: [context] }) {
        must(existsSync(context) && existsSync(one("--file")), "no context or Dockerfile");
        must(world.docker.logins["registry.fly.io"], "no basic auth credentials");
        const repository = /^registry\.fly\.io\/([\w-]+)/.exec(one("--tag"))?.[1];
        must(world.fly.apps[repository] !== undefined, `no app ${repository}`);
        writeFileSync(one("--metadata-file"), JSON.stringify({ "containerimage.digest": `sha256:${"ab".repeat(32)}` }));
      },
    },
  },
};
