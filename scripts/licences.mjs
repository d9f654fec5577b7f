import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The directory of the npm package that a bundled module is part of; null for a module of ours or of the bundler. */
function packageDirectory(id) {
  // The bundler marks what it made from a module with a NUL before, or a query behind, the path.
  return /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id)?.[1] ?? null;
}

/** What a package's licence and notice files say; one without any cannot be passed on. */
function licenceOf(directory) {
  const { name, version, license } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  const files = readdirSync(directory).filter((file) =>
    /^(?:licen[cs]e|copying|notice|thirdpartynotices)(?:\.(?:md|txt))?$/i.test(file),
  );
  if (files.length === 0) throw new Error(`${name} ${version} is bundled and comes without a licence file`);
  const texts = files.sort().map((file) => readFileSync(join(directory, file), "utf8").replaceAll("\r\n", "\n").trim());
  return { title: `${name} ${version} (${license})`, text: texts.join("\n\n") };
}

/**
 * The licences of every npm package of which a module is in a bundle, as one text.
 *
 * @param {Iterable<string>} moduleIds as the bundler names the modules that it wrote
 */
export function thirdPartyLicences(moduleIds) {
  const directories = new Set();
  for (const id of moduleIds) {
    const directory = packageDirectory(id);
    if (directory !== null) directories.add(directory);
  }
  const licences = [...directories].map(licenceOf).sort((a, b) => (a.title < b.title ? -1 : 1));
  const rule = "-".repeat(80);
  const parts = licences.map(({ title, text }) => `${rule}\n${title}\n${rule}\n\n${text}\n`);
  return `The bundles of qm-deploy contain code of the packages below.\n\n${parts.join("\n")}`;
}
