/** The page as it is built: what is in it, how large it is, and what it may do. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { buildPlayground, playgroundSizes } from "../../scripts/playground/build.mjs";
import { playgroundExamples } from "../../scripts/playground/examples.mjs";
import { checkText } from "../../src/pure.ts";

const ROOT = join(import.meta.dirname, "../..");
const SOURCE = join(ROOT, "playground");
const out = mkdtempSync(join(tmpdir(), "qm-deploy-playground-"));
await buildPlayground(out);
afterAll(() => rmSync(out, { recursive: true, force: true }));

const SOURCES = readdirSync(join(SOURCE, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name: name.replaceAll("\\", "/"), text: readFileSync(join(SOURCE, "src", name), "utf8") }));

function sum(sizes: { readonly [name: string]: number }): number {
  return Object.values(sizes).reduce((all, size) => all + size, 0);
}

describe("the page", () => {
  test("is under 400 kB gzipped when it opens, and loads what draws the picture later", () => {
    const { initial, later } = playgroundSizes(out);
    expect(Object.keys(initial)).toEqual(expect.arrayContaining(["index.html", "style.css", "main.js", "worker.js"]));
    expect(sum(initial)).toBeLessThan(400_000);
    expect(sum(initial)).toBeGreaterThan(100_000);
    const dagre = /acyclicer|rankdir/;
    const holding = (names: readonly string[]) =>
      names.filter((name) => dagre.test(readFileSync(join(out, name), "utf8")));
    expect(holding(Object.keys(initial))).toEqual([]);
    expect(holding(Object.keys(later))).toHaveLength(1);
  });

  test("allows itself nothing but its own files: no inline script or style, and no connection", () => {
    const html = readFileSync(join(out, "index.html"), "utf8");
    const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(html)?.[1] ?? "";
    const allowed = Object.fromEntries(policy.split("; ").map((part) => part.split(/ (.*)/).slice(0, 2)));
    expect(allowed).toEqual({
      "default-src": "'none'",
      "script-src": "'self'",
      "worker-src": "'self'",
      "style-src": "'self'",
      "img-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'none'",
    });
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
    const addresses = [...html.matchAll(/(?:src|href)="(?!#)([^"]+)"/g)].map(([, address]) => address);
    expect(addresses.filter((address) => !address?.startsWith("./"))).toEqual([]);
    for (const name of readdirSync(out, { recursive: true, encoding: "utf8" }).filter((one) => one.endsWith(".css")))
      expect(readFileSync(join(out, name), "utf8")).not.toMatch(/url\(|@import/);
  });

  test("names the licences of all that is in it", () => {
    const licences = readFileSync(join(out, "THIRD_PARTY_LICENSES"), "utf8");
    for (const name of ["@codemirror/view", "@dagrejs/dagre", "zod", "jsonc-parser"]) expect(licences).toContain(name);
  });
});

describe("its sources", () => {
  test("stand on qm-deploy/pure alone, which the worker loads and nothing else", () => {
    const allowed = /^(?:\.{1,2}\/|@codemirror\/|@lezer\/highlight$|playground:examples$|qm-deploy\/pure$)/;
    for (const { name, text } of SOURCES) {
      const imports = [...text.matchAll(/^(?:import|export)\b([^;"]*?)\bfrom "([^"]+)"/gm)];
      for (const [, what = "", from = ""] of imports) {
        expect(from, name).toMatch(allowed);
        expect(from.startsWith(".") && join(name, "..", from).startsWith(".."), `${name} -> ${from}`).toBe(false);
        if (from === "qm-deploy/pure" && name !== "worker.ts") expect(what.trim(), name).toMatch(/^type /);
      }
      expect(text, name).not.toMatch(/\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon|innerHTML|eval\(/);
    }
    expect(SOURCES.length).toBeGreaterThan(15);
  });

  test("are files and functions that one can read", () => {
    for (const { name, text } of SOURCES) expect(text.split("\n").length, name).toBeLessThanOrEqual(300);
  });
});

describe("the examples", () => {
  const examples = playgroundExamples();

  test("are those of examples/, and a draft that shows each kind of finding and fix", () => {
    const folders = readdirSync(join(ROOT, "examples")).filter((name) => name !== "library");
    expect(
      examples
        .map(({ id }) => id)
        .slice(1)
        .toSorted(),
    ).toEqual(folders.toSorted());
    const [draft] = examples;
    const { ok, diagnostics } = checkText(draft?.config ?? "", { files: draft?.files });
    expect(ok).toBe(false);
    expect(new Set(diagnostics.map(({ severity }) => severity))).toEqual(new Set(["error", "warning", "info"]));
    expect(new Set(diagnostics.map(({ fix }) => fix?.safety))).toEqual(new Set([undefined, "safe", "suggested"]));
    expect(diagnostics.map(({ rule }) => rule)).not.toContain("release/assumed");
  });

  test("pass, each with the release that it pins", () => {
    for (const { id, config, files } of examples.slice(1)) {
      const { ok, release } = checkText(config, { files });
      expect([id, ok, release.source]).toEqual([id, true, "package.json"]);
    }
  });
});
