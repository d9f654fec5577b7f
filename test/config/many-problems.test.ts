import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load.ts";

const AROUND = '"contract":1,"orgId":"Acme Corp","publicUrl":"https://qm.acme.dev","target":"docker"';

// Each is below a megabyte, and has more problems than a call can have arguments.
test.each([
  ["services", `"services":[${"1,".repeat(200_000)}1]`],
  ["skills", `"services":["core"],"skills":[${"1,".repeat(200_000)}1]`],
  ["plugins", `"services":["core"],"plugins":[${"{},".repeat(200_000)}{}]`],
])("%s with problems beyond number: a finding of its own, and the rest is judged", (field, text) => {
  const { diagnostics, config } = loadConfig({ file: "qm.config.jsonc", text: `{${AROUND},${text},"unknwon":1}` });
  const found = diagnostics.map(({ rule, message }) => `${rule}: ${message}`);
  expect(found.filter((each) => each.includes(`\`${field}\``))).toEqual([
    expect.stringContaining("must be of a size that somebody can look through"),
  ]);
  expect(found.filter((each) => each.includes("`orgId`") || each.includes("`unknwon`"))).toHaveLength(2);
  expect(config).not.toHaveProperty(field);
  expect(config.publicUrl).toBe("https://qm.acme.dev");
});

test("problems that a call can carry are listed, a hundred of them", () => {
  const { diagnostics } = loadConfig({
    file: "qm.config.jsonc",
    text: `{${AROUND},"services":[${"1,".repeat(2_000)}1]}`,
  });
  expect(diagnostics.length).toBeGreaterThan(90);
  expect(diagnostics.length).toBeLessThan(110);
});
