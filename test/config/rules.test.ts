import { describe, expect, test } from "vitest";
import { applyChanges } from "../../src/config/edit.ts";
import { loadConfig } from "../../src/config/load.ts";
import { CONFIG_RULES } from "../../src/config/rules.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = join(import.meta.dirname, "../../src/config");

/** What is too large or too binary to be printed as a fragment. */
const REAL_BAD: { readonly [rule: string]: string } = {
  "syntax/depth": `{ "env": ${"[".repeat(201)}${"]".repeat(201)} }`,
  "syntax/encoding": "{\u0000}\u0000",
  "syntax/more-problems": `{ "skills": [${" 1e999,".repeat(150)}] }`,
  "syntax/size": `// ${"x".repeat(1024 * 1024)}`,
  "config/more-problems": `{ ${Array.from({ length: 120 }, (_, at) => `"k${at}": 0`).join(", ")} }`,
};

function firing(text: string): string[] {
  return loadConfig({ file: "f", text }).diagnostics.map(({ rule }) => rule);
}

describe.each(CONFIG_RULES)("$id", (rule) => {
  const bad = REAL_BAD[rule.id] ?? rule.bad;

  test("fires on its bad fragment, and is silent on the good one", () => {
    expect(firing(bad)).toContain(rule.id);
    expect(firing(rule.good)).not.toContain(rule.id);
    expect(firing(rule.good).filter((id) => id.startsWith("syntax/"))).toEqual([]);
  });

  test("has its usual severity, one line of message, and a range inside the text", () => {
    for (const diagnostic of loadConfig({ file: "f", text: bad }).diagnostics.filter(
      ({ rule: id }) => id === rule.id,
    )) {
      expect(diagnostic.severity).toBe(rule.severity);
      expect(diagnostic.message).toMatch(/^[^\n\r]+[^.\n\r]$/);
      expect(diagnostic.help).not.toBe("");
      expect(diagnostic.range?.end.offset).toBeLessThanOrEqual(bad.length);
    }
  });

  test("its fixes mend what they are offered for", () => {
    const { diagnostics, document } = loadConfig({ file: "f", text: bad });
    // Where the syntax is at fault no fix can be made before that is mended.
    if (document.diagnostics.length > 0) return;
    for (const { fix, message } of diagnostics) {
      if (fix === null) continue;
      const edited = applyChanges(bad, fix.changes);
      if (!edited.ok) throw new Error(`${message}: ${edited.reason}`);
      expect(loadConfig({ file: "f", text: edited.text }).diagnostics.map((each) => each.message)).not.toContain(
        message,
      );
    }
  });
});

test("every id in the sources has its rule, and every rule an id in the sources", () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith("rules.ts"),
  );
  const ids = new Set(
    files.flatMap(
      (file) => readFileSync(join(SOURCES, file), "utf8").match(/(?<=")(?:syntax|config|secrets)\/[a-z-]+(?=")/g) ?? [],
    ),
  );
  expect([...ids].sort()).toEqual(CONFIG_RULES.map(({ id }) => id).sort());
});
