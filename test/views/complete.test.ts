/** What is offered at a place of a config or an env file, and what a text is after one was chosen. */
import { describe, expect, test } from "vitest";
import { type Completion, completeEnvTextAt, completeTextAt } from "../../src/pure.ts";

/** Splits a text at the mark of its cursor. */
function marked(text: string): { readonly text: string; readonly at: number } {
  return { text: text.replace("|", ""), at: text.indexOf("|") };
}

/** A text after a choice, with the mark where the cursor then is. */
function chosen(text: string, { range, text: written, cursor }: Completion): string {
  return `${text.slice(0, range.start)}${written.slice(0, cursor)}|${written.slice(cursor)}${text.slice(range.end)}`;
}

/** Where the cursor stands is `|`; what must be offered, and what must not. */
const OFFERS: readonly (readonly [about: string, text: string, has: readonly string[], lacks: readonly string[]])[] = [
  ["fields of the top that are not there", '{ "contract": 1, | }', ["target", "services", "sandbox"], ["contract"]],
  ["a field that is half written", '{ "contract": 1, "tar|" }', ["target"], ["contract"]],
  ["targets", '{ "target": "|" }', ["docker", "fly", "aws"], []],
  ["backends of the target", '{ "target": "docker", "sandbox": { "backend": "|" } }', ["boxd", "sprites"], ["modal"]],
  ["services that are not there", '{ "services": ["core", "|"] }', ["web-ui", "portal"], ["core"]],
  [
    "settings of a service",
    '{ "env": { "core": { "BOXD_VCPU": "2", "|" } } }',
    ["HARNESS", "BOXD_NAME_PREFIX"],
    ["BOXD_VCPU"],
  ],
  ["words of a setting", '{ "env": { "core": { "BOXD_VCPU": "|" } } }', ["1", "2", "4", "8"], []],
  ["switches", '{ "aws": { "sharedAlb": | } }', ["true", "false"], []],
  [
    "names of secrets",
    '{ "secretEnv": { "core": { "X": "|" } }, "sandbox": { "backend": "boxd" } }',
    ["BOXD_API_KEY", "ACME_OWN"],
    [],
  ],
  ["fields of a plugin", '{ "plugins": [{ "name": "x", | }] }', ["image", "env", "secrets", "coreAccess"], ["name"]],
];

/** What is chosen, and what the text is then. */
const CHOICES: readonly (readonly [about: string, text: string, name: string, after: string])[] = [
  ["a text", "{ | }", "target", '{ "target": "|" }'],
  ["an object", '{ "sand|" }', "sandbox", '{ "sandbox": { | } }'],
  ["a list", '{ "contract": 1, "|" }', "services", '{ "contract": 1, "services": [|] }'],
  ["a switch", '{ "aws": { "shar|" } }', "sharedAlb", '{ "aws": { "sharedAlb": | } }'],
  ["a name alone, where its value is there", '{ "tar|": "fly" }', "target", '{ "target"|: "fly" }'],
  ["a word", '{ "target": "do|" }', "docker", '{ "target": "docker"| }'],
  ["a word in the place of the whole one", '{ "target": "f|ly" }', "docker", '{ "target": "docker"| }'],
  ["a switch without quotes", '{ "aws": { "sharedAlb": fa| } }', "false", '{ "aws": { "sharedAlb": false| } }'],
  ["a word written without quotes", '{ "target": do| }', "docker", '{ "target": "docker"| }'],
  ["a name written without quotes", "{ tar| }", "target", '{ "target": "|" }'],
  ["what stands behind a quote that is alone", '{ "sandbox": { "| } }', "backend", '{ "sandbox": { "backend": "|" } }'],
  ["an item behind a quote that is alone", '{ "services": ["co| ] }', "core", '{ "services": ["core"| ] }'],
  [
    "a comma before the next member",
    '{\n  "tar|"\n  "orgId": "a"\n}',
    "target",
    '{\n  "target": "|",\n  "orgId": "a"\n}',
  ],
  [
    "a comma before the next, past comments",
    '{ "target": "|" // x\n /* y */ "a": 1 }',
    "aws",
    '{ "target": "aws",| // x\n /* y */ "a": 1 }',
  ],
  ["no second comma", '{ "services": ["|", "core"] }', "slack", '{ "services": ["slack"|, "core"] }'],
];

const OPTIONS = { env: "ACME_OWN=1\n" };

describe("in a config", () => {
  test.each(OFFERS)("%s are offered", (_about, text, has, lacks) => {
    const place = marked(text);
    const names = completeTextAt(place.text, place.at, OPTIONS).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...has]));
    for (const name of lacks) expect(names).not.toContain(name);
  });

  test.each(CHOICES)("a choice writes %s", (_about, text, name, after) => {
    const place = marked(text);
    const offer = completeTextAt(place.text, place.at).find((one) => one.name === name);
    expect(offer && chosen(place.text, offer)).toBe(after);
  });

  test.each(['{ // tar|\n "a": 1 }', '{ /* " | */ }', '{ "orgId": "|" }', '{ "contract": | }', "|{}"])(
    "nothing is offered in %j",
    (text) => {
      const place = marked(text);
      expect(completeTextAt(place.text, place.at)).toEqual([]);
    },
  );

  test("fields and settings say what they are for", () => {
    for (const text of ["{ | }", '{ "aws": { | } }', '{ "plugins": [{ | }] }', '{ "env": { "core": { | } } }']) {
      const place = marked(text);
      const offers = completeTextAt(place.text, place.at);
      expect(offers.length).toBeGreaterThan(3);
      for (const { name, description } of offers) expect(description, name).toMatch(/\w/);
    }
  });
});

describe("in an env file", () => {
  const config =
    '{ "target": "docker", "services": ["core"], "modelProvider": "anthropic", "sandbox": { "backend": "boxd" } }';
  const offered = (env: string): { readonly text: string; readonly offers: readonly Completion[] } => {
    const { text, at } = marked(env);
    return { text, offers: completeEnvTextAt(config, at, { env: text }) };
  };

  test.each([
    ["BOXD_API_KEY=x\nANTH|", "BOXD_API_KEY=x\nANTHROPIC_API_KEY=|"],
    ["export |\n", "export ANTHROPIC_API_KEY=|\n"],
    ["ANTH|ROPIC=x\n", "ANTHROPIC_API_KEY|=x\n"],
    ["|\r\nB=1\r\n", "ANTHROPIC_API_KEY=|\r\nB=1\r\n"],
  ])("%j becomes %j", (before, after) => {
    const { text, offers } = offered(before);
    const offer = offers.find(({ name }) => name === "ANTHROPIC_API_KEY");
    expect(offer && chosen(text, offer)).toBe(after);
    expect(offer?.detail).toBe("required");
  });

  test("what it has is not offered, nor anything in a value or a comment", () => {
    const [there, value, comment] = ["BOXD_API_KEY=x\n|", "BOXD_API_KEY=|", "# |"].map((env) => offered(env).offers);
    expect(there?.map(({ name }) => name)).not.toContain("BOXD_API_KEY");
    expect([value, comment]).toEqual([[], []]);
  });
});

test.each([-1, 0.5, 3, 1000, Infinity, NaN])("an offset that a text does not have is no place: %d", (at) => {
  expect([completeTextAt("{}", at), completeEnvTextAt("{}", at, { env: "A=" })]).toEqual([[], []]);
});
