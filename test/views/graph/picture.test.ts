import { describe, expect, test } from "vitest";
import type { DeploymentGraph } from "../../../src/render/graph/graph.ts";
import { drawText } from "../../../src/pure.ts";
import { mermaidOf, pictureOf, svgOf } from "../../../src/views/graph/picture.ts";
import { deploymentOf, type FragmentContext } from "../../support/fragment.ts";

/** The lines of a picture by the titles of their ends. */
function linesOf({ nodes, edges }: DeploymentGraph): string[] {
  const titles = new Map(nodes.map(({ id, title }) => [id, title]));
  return edges
    .map(
      ({ from, to, labels, both }) =>
        `${titles.get(from)} ${both ? "<->" : "->"} ${titles.get(to)}: ${labels.join(", ")}`,
    )
    .sort();
}

const CASES: readonly {
  readonly about: string;
  readonly fragment: string;
  readonly context?: FragmentContext;
  readonly has: readonly string[];
  readonly lacks?: readonly RegExp[];
}[] = [
  {
    about: "docker with its own database, boxd without a proxy",
    fragment: '{ "target": "docker" }',
    has: [
      "Agents on boxd -> The internet: open egress",
      "People -> web-ui: https://qm.acme.dev",
      "core -> Anthropic: models",
      "core -> Data volume: ",
      "core -> Postgres: ",
      "core <-> Agents on boxd: PUBLIC_API_URL",
      "web-ui -> core: CORE_API_URL",
    ],
  },
  {
    about: "a proxy takes the place of the internet",
    fragment:
      '{ "env": { "core": { "HARNESS": "pi", "BOXD_EGRESS_PROXY_URL": "https://user@proxy.acme.dev:8443/x" } } }',
    has: ["Agents on boxd -> proxy.acme.dev: BOXD_EGRESS_PROXY_URL"],
    lacks: [/internet/, /user/],
  },
  {
    about: "a plugin that calls core, another that core calls, and hosts outside of one caller in one box",
    fragment: `{ "target": "docker", "env": { "core": { "HARNESS": "pi", "ACME_URL": "http://acme-search:8080/x", "ACME_A": "https://b.acme.dev", "ACME_B": "https://a.acme.dev" } },
      "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot:1", "coreAccess": true }, { "name": "acme-search", "image": "ghcr.io/acme/search:1" }] }`,
    has: [
      "acme-bot -> core: CORE_API_URL",
      "core -> 2 addresses outside: ACME_B, ACME_A",
      "core -> acme-search: ACME_URL",
    ],
  },
  {
    about: "fly: the portal and its upstreams by their names there",
    fragment: '{ "target": "fly", "services": ["core", "web-ui", "portal", "slack"] }',
    has: [
      "People -> portal: https://qm.acme.dev",
      "core <-> Slack: messages",
      "portal -> web-ui: WEB_UI_UPSTREAM",
      "core -> Object store: ",
    ],
  },
  {
    about: "aws under 0.1.12: what runs inside another is no box of its own",
    fragment: '{ "target": "aws", "services": ["core", "web-ui", "admin", "portal", "auth"] }',
    context: { release: "0.1.12" },
    has: [
      "portal -> Resend: sign-in mails",
      "portal -> web-ui: ADMIN_UPSTREAM, WEB_UI_UPSTREAM",
      "portal -> core: CORE_API_URL",
    ],
    lacks: [/admin ->/, /127\.0\.0\.1/],
  },
  {
    about: "a secondary backend has a box of its own",
    fragment: '{ "env": { "core": { "HARNESS": "pi", "SANDBOX_SECONDARY_BACKEND": "sprites" } } }',
    has: ["core <-> Agents on boxd: PUBLIC_API_URL", "core <-> Agents on Fly Sprites: PUBLIC_API_URL"],
  },
  {
    about: "agents in containers beside core are called and call nobody back",
    fragment: '{ "sandbox": { "backend": "local" } }',
    context: { release: "0.1.12" },
    has: ["core -> Agents on local containers: "],
    lacks: [/<->/],
  },
  {
    about: "an unknown backend is drawn by its name",
    fragment: '{ "sandbox": { "backend": "boxed" } }',
    has: ["core <-> Agents on boxed: PUBLIC_API_URL"],
  },
];

describe("the picture has what is resolved", () => {
  test.each(CASES)("$about", ({ fragment, context, has, lacks = [] }) => {
    const lines = linesOf(pictureOf(deploymentOf(fragment, context)));
    expect(lines).toEqual(expect.arrayContaining([...has]));
    for (const pattern of lacks) expect(lines.join("\n")).not.toMatch(pattern);
  });

  test("a database of one's own is not one that docker brings", () => {
    const titles = (env?: string) =>
      pictureOf(deploymentOf("{}", env === undefined ? {} : { env })).nodes.find(({ title }) => title === "Postgres");
    expect(titles()?.lines).toEqual(["postgres:16", "volume qm-acme-pgdata"]);
    expect(titles()?.inside).toBe(true);
    expect(titles("DATABASE_URL=postgres://a:b@db.acme.dev/qm\n")?.lines).toEqual(["at DATABASE_URL"]);
    expect(titles("DATABASE_URL=postgres://a:b@db.acme.dev/qm\n")?.inside).toBe(false);
  });

  test("secrets are named where they go, each once", () => {
    const core = pictureOf(deploymentOf("{}")).nodes.find(({ title }) => title === "core");
    expect(core?.secrets).toContainEqual({ name: "BOXD_API_KEY", required: true });
    const names = core?.secrets.map(({ name }) => name) ?? [];
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("many that are alike are one box", () => {
  /** Plugins of which the even ones may call core, and the others an address outside of their own. */
  const plugins = (count: number) =>
    deploymentOf(
      JSON.stringify({
        target: "docker",
        plugins: Array.from({ length: count }, (_, at) => ({
          name: `p${at}`,
          image: "ghcr.io/acme/p:1",
          secrets: [{ name: `P${at}_TOKEN` }],
          coreAccess: at % 2 === 0,
          ...(at % 2 === 0 ? {} : { env: { UP: `https://h${at}.acme.dev` } }),
        })),
      }),
    );

  test("of each way to be connected, with the names of all in reach", async () => {
    const deployment = plugins(200);
    const { nodes, description } = pictureOf(deployment);
    expect(nodes.length).toBeLessThan(15);
    expect(description).toContain("core, web-ui and 200 plugins run on docker");
    expect(linesOf(pictureOf(deployment))).toEqual(
      expect.arrayContaining(["100 plugins -> core: CORE_API_URL", "100 plugins -> 100 addresses outside: UP"]),
    );
    const svg = await svgOf(deployment);
    expect(Number(/width="(\d+)"/.exec(svg)?.[1])).toBeLessThan(1600);
    expect(Number(/height="(\d+)"/.exec(svg)?.[1])).toBeLessThan(1600);
    for (const name of ["p0", "p77", "p199", "P77_TOKEN", "h77.acme.dev"])
      expect(svg).toMatch(new RegExp(`\\b${name}\\b`));
    expect(mermaidOf(deployment)).toMatch(/100 plugins <br\/>p0 <br\/>p10 .*and 94 more/);
  });

  test("a few stay what they are", () => {
    const titles = pictureOf(plugins(16)).nodes.map(({ title }) => title);
    expect(titles).toEqual(expect.arrayContaining(["p0", "p15", "h15.acme.dev"]));
    expect(titles.filter((title) => /plugins|outside/.test(title))).toEqual([]);
  });
});

describe("as text", () => {
  test.each([
    "",
    "{",
    "[]",
    '{ "target": "dockr" }',
    '{ "target": "aws" }',
    '{ "target": "fly", "services": ["core", "x"] }',
  ])("a broken config is drawn as far as it is sound: %j", async (config) => {
    const mermaid = await drawText(config, "mermaid");
    expect(mermaid.ok).toBe(true);
    expect(mermaid.text).toMatch(
      /^flowchart TB\n {2}accTitle: .+\n {2}accDescr: .+\bunder qm [\d.]+, agents work on .+\n/,
    );
    expect((await drawText(config, "svg")).text).toMatch(/^<svg [^]*<title id="t">[^]*<desc id="d">[^]*<\/svg>\n$/);
  });

  test("a text that is too large is none", async () => {
    expect(await drawText(" ".repeat(1024 * 1024 + 1), "svg")).toEqual({ ok: false, text: "" });
  });

  test("names that Mermaid or XML would take for their own are names", async () => {
    const fragment = JSON.stringify({
      plugins: [
        { name: "end", image: "x", secrets: [{ name: 'A"]--><b>' }] },
        { name: "2. x `y` #quot; %%{init}", image: "x" },
      ],
      orgId: "a\u0000b\u001b[31m<script>",
    });
    const deployment = deploymentOf(fragment);
    const mermaid = mermaidOf(deployment);
    expect(mermaid.replaceAll(" <br/>", "").replaceAll("<-->", "")).not.toMatch(/<|`|%%|"\]-->/);
    const svg = await svgOf(deployment);
    // eslint-disable-next-line no-control-regex -- these are what XML has no place for
    expect(svg).not.toMatch(/<script|[\u0000-\u0008\u000b-\u001f]/);
    expect(unclosed(svg)).toEqual([]);
  });

  test("an SVG has light and dark colours, and nothing from elsewhere", async () => {
    const svg = await svgOf(deploymentOf("{}"));
    expect(svg).toContain("@media (prefers-color-scheme:dark)");
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(
      /<script|<image|<use|@import|(?:href|src)=|url\((?!#a\))/,
    );
    expect(unclosed(svg)).toEqual([]);
  });
});

/** Elements of an SVG that are not closed where they should be. */
function unclosed(svg: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [, closes, name = "", closesItself] of svg.matchAll(
    /<(\/?)([a-z]+)(?:\s+[a-zA-Z:-]+="[^"<]*")*\s*(\/?)>|</g,
  )) {
    if (name === "") wrong.push("<");
    else if (closes === "/" && open.pop() !== name) wrong.push(name);
    else if (closes === "" && closesItself === "") open.push(name);
  }
  return [...wrong, ...open];
}
