import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../sources.mjs";

/** Titles of the examples, in the order of the list. */
const TITLES = [
  ["docker-boxd", "docker, agents on boxd"],
  ["docker-local", "docker, all on one machine"],
  ["fly-boxd", "fly, agents on boxd"],
  ["fly-sprites", "fly, agents on Sprites"],
  ["aws-boxd", "aws, agents on boxd"],
  ["aws-lambda", "aws, agents on Lambda MicroVMs"],
];

const CONFIG = "qm.config.jsonc";

function textsBelow(directory, prefix = "") {
  return Object.fromEntries(
    readdirSync(directory)
      .sort()
      .flatMap((name) => {
        const path = join(directory, name);
        return statSync(path).isDirectory()
          ? Object.entries(textsBelow(path, `${prefix}${name}/`))
          : [[`${prefix}${name}`, readFileSync(path, "utf8")]];
      }),
  );
}

function exampleOf([id, title]) {
  const { [CONFIG]: config, ...files } = textsBelow(join(ROOT, "examples", id));
  return { id, title, config, files };
}

/** What the list of the page offers: a draft with mistakes, which it opens with, and what stands in examples/. */
export function playgroundExamples() {
  const config = readFileSync(join(ROOT, "playground", "examples", "first-draft.jsonc"), "utf8");
  const examples = TITLES.map(exampleOf);
  const files = { "package.json": examples[0].files["package.json"].replace("docker-boxd", "first-draft") };
  return [{ id: "first-draft", title: "First draft, with mistakes", config, files }, ...examples];
}
