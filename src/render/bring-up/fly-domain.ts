import { shellWord } from "../../base/shell-word.ts";
import { readWebUrl } from "../../catalog/grammar/host.ts";
import type { RenderContext } from "../artifact.ts";
import { flyAppName } from "../fly-toml.ts";
import { flyApp } from "./fly-names.ts";
import type { Step } from "./step.ts";

/** Fly serves every app under its own name in this domain, with its own certificate. */
const FLY_DOMAIN = ".fly.dev";

/** A name of the deployer's before the portal; nothing where people come in under Fly's own. */
export function domainStep(context: RenderContext): Step | [] {
  const { publicOrigin, workloads } = context.deployment;
  const host = publicOrigin === null ? undefined : readWebUrl(publicOrigin)?.hostname;
  if (host === undefined || host.endsWith(FLY_DOMAIN) || !workloads.some(({ name }) => name === "portal")) return [];
  const [name, app] = [shellWord(host), flyApp(context, "portal")];
  return {
    title: "Lead your domain to the portal",
    text: `The second command says which DNS records to make where ${host} is registered: an A and an AAAA record with the app's addresses, or for a subdomain a CNAME to \`${flyAppName(context.deployment, "portal")}${FLY_DOMAIN}\`. Make them, then wait some minutes.`,
    commands: [`fly certs add ${name} --app ${app}`, `fly certs setup ${name} --app ${app}`],
    changes: `a certificate of ${host} at Fly, which renews it; your DNS.`,
    check: {
      commands: [`fly certs check ${name} --app ${app}`, `curl --fail --silent --show-error https://${host}/healthz`],
      text: "the certificate is issued, and the portal answers",
    },
    undo: { commands: [`fly certs remove ${name} --app ${app} --yes`], text: "then take the records away" },
  };
}
