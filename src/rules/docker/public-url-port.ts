import { DEFAULT_BASE_PORT, DOCKER_PORT_OFFSET } from "../../catalog/targets/docker.ts";
import { urlHostKind } from "../../catalog/grammar/host.ts";
import { beside, type Rule } from "../rule.ts";

export const DOCKER_RULES: readonly Rule[] = [
  {
    id: "docker/public-url-port",
    title: "Local `publicUrl` with another port",
    severity: "warning",
    why: "Docker publishes the portal on the port after `basePort`, and the web interface on the next one. A local address with another port leads nowhere unless something of yours listens there.",
    bad: '{ "publicUrl": "http://localhost:3000" }',
    good: '{ "publicUrl": "http://localhost:8082" }',
    check(deployment, report) {
      const { target, publicOrigin, config, services, broken, document } = deployment;
      if (
        target !== "docker" ||
        broken ||
        publicOrigin === null ||
        !publicOrigin.startsWith("http:") ||
        urlHostKind(publicOrigin) !== "loopback"
      )
        return;
      const front = (["portal", "web-ui"] as const).find((service) => services.includes(service));
      const isUnsound = config.basePort === undefined && document.node(["basePort"]) !== undefined;
      if (front === undefined || isUnsound) return;
      const published = (config.basePort ?? DEFAULT_BASE_PORT) + (DOCKER_PORT_OFFSET[front] ?? 0);
      const port = Number(new URL(publicOrigin).port || "80");
      if (port === published) return;
      report({
        message: `\`publicUrl\` has port ${port}, and docker publishes \`${front}\` on port ${published}`,
        help: `use \`http://${new URL(publicOrigin).hostname}:${published}\`, or change \`basePort\``,
        place: { path: ["publicUrl"], at: "value" },
        related: [beside(["basePort"], "what the ports are counted from")],
      });
    },
  },
];
