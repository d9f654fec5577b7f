import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BACKENDS } from "../../../src/catalog/backends/index.ts";
import type { DeploymentGraph, GraphNode } from "../../../src/render/graph/graph.ts";
import { layOut, type Layout, SIZES } from "../../../src/views/graph/layout.ts";
import { monoWidth, sansWidth } from "../../../src/views/graph/measure.ts";
import { pictureOf } from "../../../src/views/graph/picture.ts";
import { graphSvg } from "../../../src/views/graph/svg.ts";
import type { Box } from "../../../src/views/graph/wires.ts";
import { loadDeployment } from "../../../src/workspace/load-deployment.ts";
import { runs } from "../../support/runs.ts";

const ROOT = join(import.meta.dirname, "../../..");
const EXAMPLES = readdirSync(join(ROOT, "examples")).filter((name) => name !== "library");

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function contains(outer: Box, inner: Box): boolean {
  return (
    inner.x >= outer.x - 0.2 &&
    inner.y >= outer.y - 0.2 &&
    inner.x + inner.width <= outer.x + outer.width + 0.2 &&
    inner.y + inner.height <= outer.y + outer.height + 0.2
  );
}

/** What is wrong with a picture, in words. */
function faults({ width, height, nodes, edges, place }: Layout): string[] {
  const found: string[] = [];
  const named: (Box & { readonly name: string })[] = [
    ...nodes.map((one) => ({ ...one, name: `box ${one.node.id}` })),
    ...edges.flatMap(({ label, edge }) =>
      label === null ? [] : [{ ...label, name: `label ${edge.from}-${edge.to}` }],
    ),
  ];
  for (const [at, a] of named.entries())
    for (const b of named.slice(at + 1)) if (overlap(a, b)) found.push(`${a.name} overlaps ${b.name}`);
  for (const one of named)
    if (!contains({ x: 0, y: 0, width, height }, one)) found.push(`${one.name} is outside of the picture`);
  for (const { node, ...box } of nodes) {
    if (place !== null && node.inside !== contains(place, box))
      found.push(`${node.id} is on the wrong side of the frame`);
    if (place !== null && !node.inside && overlap(place, box)) found.push(`${node.id} is in the frame's way`);
    for (const { kind, text, y } of box.lines) {
      const isMono = kind === "secret" || kind === "more";
      const long = isMono
        ? 15 + monoWidth(text, SIZES.secret)
        : sansWidth(text, kind === "title" ? SIZES.title : SIZES.line);
      if (14 + long > box.width || y > box.height) found.push(`${text} does not fit into ${node.id}`);
    }
  }
  if (place !== null && sansWidth(place.text, SIZES.place) + 14 > place.width)
    found.push("the name of the place does not fit");
  for (const { edge, points } of edges)
    for (const [at, to] of points.entries()) {
      const from = points[at - 1];
      if (from === undefined) continue;
      const across: Box = {
        x: Math.min(from.x, to.x),
        y: Math.min(from.y, to.y) + 0.2,
        width: Math.abs(from.x - to.x),
        height: Math.abs(from.y - to.y) - 0.4,
      };
      for (const { node, ...box } of nodes)
        if (across.height > 0 && overlap({ ...across, width: Math.max(across.width, 0.1) }, box))
          found.push(`the line ${edge.from}-${edge.to} passes behind ${node.id}`);
    }
  return found;
}

describe("nothing overlaps, sticks out or passes behind a box", () => {
  test.each(EXAMPLES.flatMap((name) => ["docker", "fly", "aws"].map((target) => [name, target] as const)))(
    "in examples/%s on %s",
    (name, target) => {
      const { deployment } = loadDeployment(join("examples", name), { cwd: ROOT, target });
      const graph = pictureOf(deployment as NonNullable<typeof deployment>);
      expect(graph.nodes.length).toBeGreaterThan(4);
      expect(faults(layOut(graph))).toEqual([]);
      expect(graphSvg(graph)).toBe(graphSvg(structuredClone(graph)));
    },
  );

  test("in random graphs, whoever calls whom", () => {
    const text = fc.oneof(
      fc.stringMatching(/^[a-zA-Z0-9_.=-]{1,40}$/),
      fc.string({ maxLength: 90 }),
      fc.constant("漢字".repeat(30)),
    );
    const node = fc.record({
      kind: fc.constantFrom<GraphNode["kind"]>("people", "service", "plugin", "store", "agents", "outside"),
      title: text,
      lines: fc.array(text, { maxLength: 3 }),
      secrets: fc.array(fc.record({ name: text, required: fc.boolean() }), { maxLength: 12 }),
      inside: fc.boolean(),
    });
    const graphs = fc
      .tuple(
        fc.array(node, { minLength: 1, maxLength: 14 }),
        fc.array(fc.tuple(fc.nat(), fc.nat(), fc.array(text, { maxLength: 3 }), fc.boolean()), { maxLength: 24 }),
      )
      .map(([nodes, edges]): DeploymentGraph => {
        const named = nodes.map((one, at): GraphNode => ({
          ...one,
          id: `n${at}`,
          members: [],
          inside: one.inside && one.kind !== "people",
        }));
        const drawn = new Map(
          edges
            .map(([from, to, labels, both]) => ({
              from: `n${from % nodes.length}`,
              to: `n${to % nodes.length}`,
              labels,
              both,
            }))
            // As of deployments: from outside only people call what is inside, and nobody calls them.
            .filter(({ from, to }) => {
              const [caller, called] = [from, to].map((id) => named.find((one) => one.id === id) as GraphNode);
              return (
                from !== to &&
                called?.kind !== "people" &&
                (caller?.inside || !called?.inside || caller?.kind === "people")
              );
            })
            .map((edge) => [`${edge.from} ${edge.to}`, edge]),
        );
        return {
          title: "t",
          description: "d",
          place: "a place of some length",
          nodes: named,
          edges: [...drawn.values()],
        };
      });
    fc.assert(
      fc.property(graphs, (graph) => {
        expect(faults(layOut(graph))).toEqual([]);
      }),
      { numRuns: runs(60, 600) },
    );
  });

  test.each(BACKENDS.map(({ title }) => `Agents on ${title}`))("%s is not cut", (title) => {
    const node: GraphNode = { id: "a", kind: "agents", title, lines: [], members: [], secrets: [], inside: false };
    const { nodes } = layOut({ title: "t", description: "d", place: "p", nodes: [node], edges: [] });
    expect(nodes.map(({ lines }) => lines.map(({ text }) => text))).toEqual([[title]]);
  });

  test("the check sees each fault", () => {
    const { deployment } = loadDeployment("examples/docker-boxd", { cwd: ROOT });
    const sound = layOut(pictureOf(deployment as NonNullable<typeof deployment>));
    const [first, ...rest] = sound.nodes;
    if (first === undefined) throw new Error("no boxes");
    const moved = { ...sound, nodes: [{ ...first, x: rest[0]?.x ?? 0, y: rest[0]?.y ?? 0 }, ...rest] };
    expect(faults(moved).join()).toMatch(/overlaps.*wrong side/);
    expect(faults({ ...sound, nodes: sound.nodes.map((one) => ({ ...one, width: 40 })) }).join()).toMatch(
      /does not fit/,
    );
    expect(faults({ ...sound, width: 100 }).join()).toMatch(/outside of the picture/);
  });
});
