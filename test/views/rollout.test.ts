import { expect, test } from "vitest";
import { rolloutCommands } from "../../src/views/rollout.ts";
import { example } from "../render/support.ts";

/** What another value of a secret asks for, in order, and nothing of who does not read it. */
test.each([
  ["docker-boxd", "CORE_SIGNING_SECRET", [/^qm-deploy render --secrets/, /^docker compose .* up /]],
  [
    "fly-boxd",
    "BOXD_API_KEY",
    [/^qm-deploy render --secrets/, /secrets import .*acme-core/, /^fly deploy .*acme-core/],
  ],
  [
    "aws-boxd",
    "BOXD_API_KEY",
    [
      /^qm-deploy render --secrets/,
      /put-secret-value/,
      /register-task-definition .*core/,
      /update-service .*core/,
      /wait/,
    ],
  ],
  ["fly-boxd", "DATABASE_URL", []],
  ["fly-boxd", "NOBODYS", []],
] as const)("%s: %s", (name, secret, wanted) => {
  const commands = rolloutCommands(example(name), secret);
  expect(commands, commands.join("\n")).toHaveLength(wanted.length);
  for (const [at, pattern] of wanted.entries()) expect(commands[at]).toMatch(pattern);
});
