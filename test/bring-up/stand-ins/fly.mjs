// flyctl: commands, flags and behaviour as in its source (superfly/flyctl, August 2026).
import { existsSync } from "node:fs";
import { parse } from "smol-toml";
import { fileText, FLAG, must, VALUE } from "./answers.mjs";

const APP = { "--app": VALUE };
const STAGED = { ...APP, "--stage": FLAG };

function app(world, name) {
  must(name !== undefined, "which app?");
  must(Object.hasOwn(world.fly.apps, name), `app not found: ${name}`);
  return world.fly.apps[name];
}

function newApp(world, { args: [name], one }) {
  must(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name), `not a name of an app: ${name}`);
  must(!Object.hasOwn(world.fly.apps, name), `Name has already been taken: ${name}`);
  must(one("--org") !== undefined, "the organization would be asked for");
  world.fly.apps[name] = { org: one("--org"), secrets: {}, machines: 0, isPublic: false, certificates: [] };
}

function importSecrets(world, { one, stdin }) {
  const target = app(world, one("--app"));
  const lines = stdin.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  must(lines.length > 0, "requires at least one SECRET=VALUE pair");
  let open = null;
  for (const line of lines) {
    // A value in three double quotes may go over many lines.
    if (open !== null) {
      if (line.endsWith('"""')) open = null;
      continue;
    }
    const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.+)$/s.exec(line) ?? [];
    must(name !== undefined, `not NAME=VALUE: a line of ${line.length} characters`);
    target.secrets[name] = "staged";
    if (value.startsWith('"""') && !value.slice(3).includes('"""')) open = name;
  }
  must(open === null, `the value of ${open} does not end`);
}

function deploy(world, { one, flags, args: [directory] }) {
  const target = app(world, one("--app"));
  const config = parse(fileText(one("--config")));
  must(config.app === one("--app"), `${one("--config")} is of ${config.app}`);
  must((config.build?.image !== undefined) !== (directory !== undefined), "one of an image and a directory to build");
  must(directory === undefined || existsSync(`${directory}/Dockerfile`), `no Dockerfile in ${directory}`);
  must(!config.app.endsWith("-core") || target.secrets.DATABASE_URL, "core starts without DATABASE_URL");
  must(config.env?.SNAPSHOT_STORE !== "s3" || target.secrets.AWS_ACCESS_KEY_ID, "core has no keys of its bucket");
  for (const name of Object.keys(target.secrets)) target.secrets[name] = "deployed";
  target.machines = 1;
  const serves = config.http_service !== undefined || config.services !== undefined;
  if (serves && flags["--no-public-ips"] === undefined) target.isPublic = true;
}

function machines(world, { one, args }) {
  must(app(world, one("--app")).machines > 0, "no machines");
  for (const id of args) must(/^[0-9a-f]{14}$/.test(id), `machine ${id} not found`);
}

function cluster(world, id) {
  const found = Object.entries(world.fly.clusters).find(([, one]) => one.id === id);
  must(found !== undefined, `managed postgres cluster "${id}" not found`);
  return found;
}

function createCluster(world, { one }) {
  const name = one("--name");
  must(!Object.hasOwn(world.fly.clusters, name), `there is a cluster ${name}`);
  must(["basic", "starter", "launch", "scale", "performance"].includes(one("--plan")), `no plan ${one("--plan")}`);
  world.fly.clusters[name] = { id: "q49ypo4wvg9r17ln" };
  return `Cluster created successfully\n  ID: q49ypo4wvg9r17ln\n  Name: ${name}`;
}

function clusterStatus(world, { args: [id] }) {
  cluster(world, id);
  const uri = `postgresql://fly-user:p%40ss@pgbouncer.${id}.flympg.net/fly-db`;
  return JSON.stringify({ data: { id }, credentials: { status: "ready", user: "fly-user", pgbouncer_uri: uri } });
}

function certificate(world, { one, args: [host] }) {
  const { certificates } = app(world, one("--app"));
  must(certificates.includes(host), `no certificate of ${host}`);
  return `${host}: Issued`;
}

export const PROGRAM = {
  name: "fly",
  aliases: { "-a": "--app", "-c": "--config", "-o": "--org", "-y": "--yes" },
  commands: {
    "apps create": { flags: { "--org": VALUE }, args: [1, 1], run: newApp },
    "apps list": {
      flags: { "--org": VALUE },
      run: (world) => ["NAME", ...Object.keys(world.fly.apps)].join("\n"),
    },
    "apps destroy": {
      flags: { "--yes": FLAG },
      args: [1, 99],
      stdin: true,
      run(world, { args, flags, stdin }) {
        must(flags["--yes"] || stdin.startsWith("y"), "nobody said yes");
        for (const name of args) must(delete world.fly.apps[(app(world, name), name)], name);
      },
    },
    "auth docker": { run: (world) => void (world.docker.logins["registry.fly.io"] = true) },
    "secrets set": {
      flags: STAGED,
      args: [1, 99],
      needs: ["--app"],
      run(world, { one, args }) {
        for (const pair of args) {
          must(/^[A-Za-z_][A-Za-z0-9_]*=./.test(pair), `not NAME=VALUE: ${pair}`);
          app(world, one("--app")).secrets[pair.split("=")[0]] = "staged";
        }
      },
    },
    "secrets import": { flags: STAGED, needs: ["--app"], stdin: true, run: importSecrets },
    "secrets list": {
      flags: APP,
      needs: ["--app"],
      run: (world, { one }) =>
        Object.entries(app(world, one("--app")).secrets)
          .map((row) => row.join(" "))
          .join("\n"),
    },
    "secrets unset": {
      flags: STAGED,
      args: [1, 99],
      needs: ["--app"],
      run(world, { one, args }) {
        const { secrets } = app(world, one("--app"));
        for (const name of args) must(secrets[name] !== undefined && delete secrets[name], `no secret ${name}`);
      },
    },
    "secrets deploy": {
      flags: APP,
      needs: ["--app"],
      run(world, { one }) {
        const target = app(world, one("--app"));
        must(target.machines > 0, "no machines available to deploy");
        for (const name of Object.keys(target.secrets)) target.secrets[name] = "deployed";
      },
    },
    "machine list": { flags: APP, needs: ["--app"], run: (world, { one }) => void app(world, one("--app")) },
    "machine start": { flags: APP, args: [1, 9], needs: ["--app"], run: machines },
    "machine destroy": {
      flags: { ...APP, "--force": FLAG },
      args: [1, 9],
      needs: ["--app", "--force"],
      run: machines,
    },
    "mpg create": {
      flags: { "--org": VALUE, "--region": VALUE, "--name": VALUE, "--plan": VALUE },
      needs: ["--org", "--region", "--name", "--plan"],
      run: createCluster,
    },
    "mpg list": {
      flags: { "--org": VALUE },
      needs: ["--org"],
      run: (world) =>
        ["ID NAME ORG", ...Object.entries(world.fly.clusters).map(([name, { id }]) => `${id}\t${name}\torg`)].join(
          "\n",
        ),
    },
    "mpg status": { flags: { "--json": FLAG }, args: [1, 1], needs: ["--json"], run: clusterStatus },
    "mpg destroy": {
      flags: { "--yes": FLAG },
      args: [1, 1],
      needs: ["--yes"],
      run: (world, { args: [id] }) => void delete world.fly.clusters[cluster(world, id)[0]],
    },
    "storage create": {
      flags: { ...APP, "--org": VALUE, "--name": VALUE, "--yes": FLAG },
      needs: ["--app", "--name", "--yes"],
      run(world, { one }) {
        must(!world.fly.buckets.includes(one("--name")), "the bucket exists");
        world.fly.buckets.push(one("--name"));
        const { secrets } = app(world, one("--app"));
        for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ENDPOINT_URL_S3", "BUCKET_NAME"])
          secrets[name] = "staged";
      },
    },
    "storage destroy": {
      flags: { "--yes": FLAG },
      args: [1, 1],
      needs: ["--yes"],
      run(world, { args: [name] }) {
        must(world.fly.buckets.includes(name), `no bucket ${name}`);
        world.fly.buckets = world.fly.buckets.filter((one) => one !== name);
      },
    },
    deploy: {
      flags: { ...APP, "--config": VALUE, "--ha": FLAG, "--flycast": FLAG, "--no-public-ips": FLAG },
      args: [0, 1],
      needs: ["--app", "--config"],
      run: deploy,
    },
    status: {
      flags: APP,
      needs: ["--app"],
      run(world, { one }) {
        must(app(world, one("--app")).machines > 0, "no machines");
        return "started";
      },
    },
    "scale count": {
      flags: { ...APP, "--yes": FLAG, "--region": VALUE },
      args: [1, 9],
      needs: ["--app"],
      stdin: true,
      run(world, { one, flags, args: [count], stdin }) {
        must(flags["--yes"] || stdin.startsWith("y"), "nobody said yes");
        must(/^\d+$/.test(count) && (one("--region") ?? "sjc").length === 3, "no count or region");
        // Of one region of two, the machines of the other stay.
        if (one("--region") === undefined) app(world, one("--app")).machines = Number(count);
      },
    },
    "certs add": {
      flags: APP,
      args: [1, 1],
      needs: ["--app"],
      run(world, { one, args: [host] }) {
        must(app(world, one("--app")).isPublic, "the app has no public address");
        app(world, one("--app")).certificates.push(host);
      },
    },
    "certs setup": { flags: APP, args: [1, 1], needs: ["--app"], run: certificate },
    "certs check": { flags: APP, args: [1, 1], needs: ["--app"], run: certificate },
    "certs remove": {
      flags: { ...APP, "--yes": FLAG },
      args: [1, 1],
      needs: ["--app", "--yes"],
      run(world, call) {
        certificate(world, call);
        app(world, call.one("--app")).certificates = [];
      },
    },
  },
};
