import { shellWord } from "../../base/shell-word.ts";
import { hostKind } from "../../catalog/grammar/host.ts";
import { POSTGRES_IMAGE } from "../../catalog/targets/docker.ts";
import { apiOrigin } from "../../deployment/api-origin.ts";
import { dockerName } from "../../deployment/derived-names.ts";
import type { RenderContext } from "../artifact.ts";
import { bringsPostgres, POSTGRES_DB, POSTGRES_USER } from "../database.ts";
import { composeCommand, startCommand } from "../docker/names.ts";
import { hasLayer } from "./agents.ts";
import { renderSecretsCommand, type Step } from "./step.ts";

/** A web server that gets its own certificates, and the ports that it takes for that. */
const PROXY_IMAGE = "caddy:2";

/** A proxy with TLS before the containers; nothing where all addresses stay on this host. */
export function proxyStep(context: RenderContext): Step | [] {
  const sites = siteBlocks(context);
  if (sites.length === 0) return [];
  const { config, services } = context.deployment;
  // The name that compose gives the network of a project.
  const network = shellWord(`${dockerName(config)}_default`);
  const name = shellWord(dockerName(config, "proxy"));
  const doors = services.includes("portal")
    ? "The portal signs people in, and hands what agents send on to core. Set `env.portal.PORTAL_XFF_TRUSTED_HOPS` to `1`: it counts visitors by the address that the proxy reports."
    : "Only `/v1/` of core goes out, where agents call it: without the service `portal` nobody is asked who they are, so the web UI stays on this host.";
  return {
    title: "Put a proxy with TLS before it",
    text: `Caddy here; any other does as well. ${doors} First let an A record (and AAAA) of each name lead to this host, and ports 80 and 443 in. Where PUBLIC_API_URL has a name of its own, it needs a block like the one for \`/v1/\`.`,
    commands: [
      "test -e Caddyfile || cat > Caddyfile <<'END'",
      ...sites,
      "END",
      `docker run --detach --name ${name} --restart unless-stopped --network ${network} --publish 80:80 --publish 443:443 --volume ${name}:/data --volume "$PWD/Caddyfile:/etc/caddy/Caddyfile:ro" ${PROXY_IMAGE}`,
    ],
    changes: `a container and a volume \`${dockerName(config, "proxy")}\`, with the certificates, on ports 80 and 443; \`Caddyfile\`, to be committed.`,
    check: { commands: [`docker logs ${name}`], text: "ends without a complaint about certificates" },
    undo: { commands: [`docker rm --force ${name}`], text: "the certificates stay in the volume" },
  };
}

/** Of a Caddyfile: who answers under which name. Core's own address serves agents alone. */
function siteBlocks({ deployment }: RenderContext): readonly string[] {
  const { publicOrigin, services } = deployment;
  const front = publicOrigin === null ? null : new URL(publicOrigin);
  const api = apiOrigin(deployment);
  const isOutside = (origin: string): boolean => {
    const url = new URL(origin);
    return url.protocol === "https:" && hostKind(url.hostname) !== "loopback";
  };
  const block = (origin: string, rule: string): string[] => [
    `${new URL(origin).host} {`,
    `\treverse_proxy ${rule}`,
    "}",
  ];
  const hasPortal = services.includes("portal");
  const core = "/v1/* core:8080";
  return [
    ...(hasPortal && front !== null && isOutside(front.origin) ? block(front.origin, "portal:8080") : []),
    ...(api !== null && isOutside(api) && !(hasPortal && api === front?.origin) ? block(api, core) : []),
  ];
}

/** Copies of what cannot be made again: the database, and the files of core. */
export function backupStep(context: RenderContext): Step {
  const { config } = context.deployment;
  const own = bringsPostgres(context);
  const pg = shellWord(dockerName(config, "pg"));
  const data = shellWord(dockerName(config, "coredata"));
  const archive = (mode: string, command: string): string =>
    `docker run --rm --volume ${data}:/data${mode} --volume "$PWD/backups:/backups" ${POSTGRES_IMAGE} tar ${command}`;
  const dump = `docker exec ${pg} pg_dump --username ${POSTGRES_USER} --format custom ${POSTGRES_DB} > backups/qm.dump`;
  const restore = `docker exec --interactive ${pg} pg_restore --username ${POSTGRES_USER} --dbname ${POSTGRES_DB} --clean --if-exists < backups/qm.dump`;
  return {
    title: "Back up the data",
    text: `Once now, and then each day by cron; copy \`backups/\` and \`.env\` to another place. ${own ? "" : "The database is backed up where it runs."}`.trim(),
    commands: [
      "(umask 077 && mkdir -p backups && printf '*\\n' > backups/.gitignore)",
      ...(own ? [`(umask 077 && ${dump})`] : []),
      archive(":ro", "-czf /backups/coredata.tar.gz -C /data ."),
    ],
    changes: "`backups/`, which git ignores.",
    check: { commands: ["ls -l backups"], text: `shows ${own ? "both copies" : "the copy"}, not empty` },
    undo: {
      commands: [
        composeCommand(context, "stop core"),
        ...(own ? [restore] : []),
        archive("", "-xzf /backups/coredata.tar.gz -C /data"),
        startCommand(context),
      ],
      text: "puts the copies back",
    },
  };
}

/** A newer qm, other images or settings, on what runs. */
export function updateStep(context: RenderContext): Step {
  const layer = hasLayer(context);
  return {
    title: "Update it later",
    text: `Back up first. Change an image or a setting${layer ? ", or the skills and tools of `sandbox/`, which core reads as it starts" : ""}, or let \`qm-deploy upgrade\` change the release of qm; then:`,
    commands: [
      "qm-deploy check",
      renderSecretsCommand(context),
      composeCommand(context, "pull --ignore-buildable"),
      startCommand(context),
      ...(layer ? [composeCommand(context, "restart core")] : []),
    ],
    changes: "containers whose image or settings are others; the volumes stay.",
    check: { commands: [composeCommand(context, "ps")], text: "every container is healthy" },
    undo: {
      text: "take the former files out of git and run the same; a newer core may have changed the database, so put the backup back too.",
    },
  };
}
