import { findPlaceholder } from "../../config/placeholder.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { field, type Rule } from "../rule.ts";
import { inTool, itemsAt } from "../../deployment/tools.ts";

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

const LABEL = "[A-Za-z0-9_*](?:[A-Za-z0-9_*-]{0,61}[A-Za-z0-9_*])?";

const HOST = new RegExp(`^${LABEL}(?:\\.${LABEL})*\\.?$`);

/** Where tools connect to. */
export const EGRESS_RULES: readonly Rule[] = [
  {
    id: "layer/egress",
    title: "Egress entry that is not a host",
    clause: "sandbox.descriptors",
    why: "`egress` lists the hosts that a tool connects to. qm refuses an address with a scheme or a path; anything else that is no host would be compared with hosts in vain.",
    bad: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "egress": ["https://api.acme.dev/v1"] }\n// sandbox/tools/acme/acme\n',
    good: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "egress": ["api.acme.dev", "10.1.0.0/16"] }\n// sandbox/tools/acme/acme\n',
    check(deployment, report) {
      for (const { host, path, place } of egressOf(deployment)) {
        if (isEgressHost(host) || findPlaceholder(host) !== null) continue;
        const message = `${field(path)} must be a host or a block of addresses (CIDR)`;
        const help = "write `api.acme.dev` or `10.0.0.0/8`, without scheme, port and path";
        report({ message, help, severity: isRefused(host) ? "error" : "warning", place });
      }
    },
  },
  {
    id: "layer/broad-egress",
    title: "Egress to everywhere",
    severity: "warning",
    why: "A wildcard or a block of all addresses says nothing about where a tool connects to, and would allow everything where egress is limited.",
    bad: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "egress": ["*.acme.dev"] }\n// sandbox/tools/acme/acme\n',
    good: '// sandbox/tools/acme/tool.json\n{ "id": "acme", "egress": ["api.acme.dev"] }\n// sandbox/tools/acme/acme\n',
    check(deployment, report) {
      for (const { host, path, place } of egressOf(deployment)) {
        if (isEgressHost(host) && /\*|\/0+$/.test(host))
          report({
            message: `${field(path)} allows many hosts at once`,
            help: "list the hosts that the tool needs",
            place,
          });
      }
    },
  },
];

function egressOf({ tools }: Deployment) {
  return tools.flatMap((tool) =>
    itemsAt(tool, ["egress"]).flatMap(({ node, path }) =>
      node.kind === "string" ? [{ host: node.value, path, place: inTool(tool, path) }] : [],
    ),
  );
}

/** True for what qm itself refuses: a scheme, or a path that does not look like the length of a block. */
function isRefused(host: string): boolean {
  if (/^[a-z]+:\/\//i.test(host)) return true;
  return host.includes("/") && !/^(?:\d{1,3}(?:\.\d{1,3}){3}\/\d{1,2}|[\da-f:]+\/\d{1,3})$/i.test(host);
}

function isAddress(text: string): boolean {
  if (IPV4.test(text)) return text.split(".").every((part) => Number(part) < 256);
  return text.includes(":") && URL.canParse(`http://[${text}]/`);
}

/** `10.0.0.0/8`, `fd00::/8`. */
function isCidr(text: string): boolean {
  const [address = "", length = "", ...rest] = text.split("/");
  return (
    rest.length === 0 &&
    isAddress(address) &&
    /^\d{1,3}$/.test(length) &&
    Number(length) <= (address.includes(":") ? 128 : 32)
  );
}

/** True for a host name (a wildcard as its first label allowed), an address or a block of addresses. */
export function isEgressHost(text: string): boolean {
  if (isCidr(text) || isAddress(text)) return true;
  return text.length <= 253 && HOST.test(text) && !/^[\d.]+$/.test(text);
}
