// What an operator types into the editor: every secret that is asked for, and the variables that only they know.
import { readFileSync, writeFileSync } from "node:fs";

const file = process.argv[2];
const world = JSON.parse(readFileSync(process.env.BRING_UP_WORLD, "utf8"));
const text = readFileSync(file, "utf8");
const certificate = Object.keys(world.aws.certificates)[0] ?? "";
writeFileSync(
  file,
  text
    .replace(/^([A-Z][A-Z0-9_]*)=$/gm, (line, name) => `${name}=${world.secrets[name] ?? ""}`)
    .replace("replace-me/repository", "acme/deployment")
    .replace(/^(certificate_arn\s*=) .*$/m, (line, start) => `${start} "${certificate}"`),
);
