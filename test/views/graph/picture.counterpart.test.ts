/** Pictures as Chromium and Mermaid's own parser take them. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mermaidOf, svgOf } from "../../../src/views/graph/picture.ts";
import { loadDeployment } from "../../../src/workspace/load-deployment.ts";
import { deploymentOf } from "../../support/fragment.ts";
import { answers } from "../../support/programs.ts";
import { tempDirectory } from "../../workspace/temp.ts";

const ROOT = join(import.meta.dirname, "../../..");
const CHROMIUM = "/usr/bin/chromium";
/** Mermaid as one script for browsers; `.ci/run` says where it is. */
const MERMAID = process.env["QM_DEPLOY_MERMAID"] ?? "";
const FLAGS = [
  ..."headless no-sandbox disable-gpu disable-quic no-first-run disable-background-networking disable-component-update".split(
    " ",
  ),
  ..."disable-sync dump-dom allow-file-access-from-files virtual-time-budget=60000".split(" "),
].map((flag) => `--${flag}`);

const DEPLOYMENTS = [
  ...readdirSync(join(ROOT, "examples"))
    .filter((name) => name !== "library")
    .flatMap((name) => {
      const { deployment } = loadDeployment(join("examples", name), { cwd: ROOT });
      return deployment === undefined ? [] : [{ name, deployment }];
    }),
  {
    name: "names with everything in them",
    deployment: deploymentOf(
      JSON.stringify({
        orgId: 'a{b}#c;"d"<e>',
        model: "2. x `z` $$w$$ <b>",
        plugins: [
          { name: "end", image: "x", secrets: [{ name: 'A"]--><b>%%{init}' }], env: { "X-Y": "http://end.acme.dev" } },
          { name: "漢字".repeat(40), image: "x", env: { U: "https://xn--fiq228c.acme.dev" } },
        ],
      }),
    ),
  },
];

/** What a page says when its script is done, as JSON in its body. */
function said(page: string): unknown {
  const cwd = tempDirectory({ "page.html": `<!doctype html><meta charset="utf-8">${page}` });
  const { stdout, stderr } = spawnSync(
    CHROMIUM,
    [...FLAGS, `--user-data-dir=${join(cwd, "profile")}`, `file://${join(cwd, "page.html")}`],
    {
      encoding: "utf8",
      timeout: 240_000,
    },
  );
  const found = /<pre id="said">([^<]*)<\/pre>/.exec(stdout)?.[1];
  if (found === undefined) throw new Error(`the page said nothing: ${stdout.slice(-500)} ${stderr.slice(-500)}`);
  return JSON.parse(found.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"));
}

function script(code: string): string {
  return `<script>(async () => {
    const say = (value) => { const pre = document.createElement("pre"); pre.id = "said"; pre.textContent = JSON.stringify(value); document.body.append(pre); };
    try { say(await (async () => { ${code} })()); } catch (error) { say(String(error)); }
  })();</script>`;
}

describe.skipIf(!answers(CHROMIUM, ["--version"]))("in Chromium (skipped without it)", () => {
  test.each(DEPLOYMENTS)("$name: every text stands within its box, as wide as it really is", async ({ deployment }) => {
    const measure = `return [...document.querySelectorAll("svg g[role=group]")].flatMap((group) => {
      const card = group.querySelector(".card").getBoundingClientRect();
      return [...group.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()])
        .filter(([, box]) => box.left < card.left || box.right > card.right || box.top < card.top || box.bottom > card.bottom)
        .map(([text]) => text);
    }).concat(document.querySelectorAll("svg g[role=group]").length === 0 ? ["no boxes"] : []);`;
    expect(said(`<body>${await svgOf(deployment)}${script(measure)}`)).toEqual([]);
  });

  test.skipIf(!existsSync(MERMAID))(
    "Mermaid draws each of them, with every text (skipped without QM_DEPLOY_MERMAID)",
    () => {
      const texts = DEPLOYMENTS.map(({ deployment }) => mermaidOf(deployment));
      const draw = `mermaid.initialize({ startOnLoad: false });
      const drawn = [];
      for (const [at, text] of ${JSON.stringify(texts).replaceAll("<", "\\u003c")}.entries()) {
        try { drawn.push((await mermaid.render("m" + at, text)).svg.replace(/<style>[^]*?<\\/style>/, "").replace(/<[^>]*>/g, "\\n")); }
        catch (error) { drawn.push("failed: " + error); }
      }
      return drawn;`;
      const drawn = said(`<body><script src="file://${MERMAID}"></script>${script(draw)}`) as string[];
      expect(drawn.filter((text) => text.startsWith("failed"))).toEqual([]);
      for (const [at, { deployment }] of DEPLOYMENTS.entries())
        for (const { name } of deployment.workloads.filter((workload) => /^[a-z-]+$/.test(workload.name)))
          expect(drawn[at]).toContain(name);
      expect(drawn.at(-1)?.replaceAll(/[\s\u200b]+/g, "")).toContain("2.x`z`$$w$$&lt;b&gt;");
      expect(drawn.join("\n")).not.toContain("Unsupported markdown");
    },
  );
});
