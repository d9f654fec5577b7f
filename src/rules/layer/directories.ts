import { fileBelow, MOST_ENTRIES } from "../../deployment/inputs.ts";
import { type Report, type Rule } from "../rule.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { TreeEntry } from "../../deployment/inputs.ts";

/** Directories that are read by name, with what comes of a link in their place. */
const CONSEQUENCES: ReadonlyMap<string, { readonly severity: "error" | "warning"; readonly what: string }> = new Map([
  ["sandbox", { severity: "error", what: "what is behind it is neither checked, rendered nor published" }],
  ["sandbox/skills", { severity: "warning", what: "what is behind it is not checked" }],
  ["sandbox/tools", { severity: "warning", what: "what is behind it is neither checked nor published" }],
]);

/** What systems leave behind in directories; core skips it. */
const LITTER = /(?:^|\/)(?:\.DS_Store|Thumbs\.db|\._[^/]*)$/;

/** The largest body that core takes for a deployment layer, in bytes. */
const LARGEST_LAYER = 1_000_000;

/** Bytes that JSON adds for each file, its path apart. */
const FILE_OVERHEAD = 28;

/** What lies in `sandbox/`, and whether the deployment layer can carry it. */
export const LAYER_DIRECTORY_RULES: readonly Rule[] = [
  {
    id: "layer/link",
    title: "Link in the place of the deployment layer",
    why: "What a deployment is made of stands in its directory, where it is reviewed. qm follows a link in the place of `sandbox/` to whatever is there on the machine that deploys; what is rendered leaves the layer out, so that skills and tools are missing without a word.",
    bad: "",
    good: "",
    check(deployment, report) {
      for (const { path, leadsTo } of deployment.inputs.sandboxTree) {
        const consequence = CONSEQUENCES.get(path);
        if (leadsTo !== "directory" || consequence === undefined) continue;
        report({
          message: `\`${path}\` is a link to a directory: ${consequence.what}`,
          help: "put the directory itself there",
          severity: consequence.severity,
          place: { file: fileBelow(deployment.inputs, path), range: null },
        });
      }
    },
  },
  {
    id: "layer/unread",
    title: "Part of a deployment that could not be read",
    why: "What was not read was not checked either, so that nothing can be promised of it.",
    bad: "",
    good: "",
    check({ inputs }, report) {
      const trees = [
        inputs.sandboxTree,
        inputs.pluginsTree,
        ...inputs.skillsPaths.map(({ tree }) => tree?.entries ?? []),
      ];
      for (const { path, unread } of trees.flat()) {
        if (unread === undefined) continue;
        const isTooMuch = unread === "limit";
        report({
          message: isTooMuch
            ? `not all of \`${path}\` was looked at: together with what lies beside it there are more than ${MOST_ENTRIES} files`
            : `\`${path}\` could not be read`,
          help: isTooMuch
            ? "move out what does not belong to the deployment, such as installed packages"
            : "check its permissions, and run it again",
          place: { file: fileBelow(inputs, path), range: null },
        });
      }
    },
  },
  {
    id: "layer/tool-directory",
    title: "Entry of sandbox/tools that is not a tool",
    clause: "sandbox.descriptors",
    why: "Each directory of `sandbox/tools` is a tool and is described by its tool.json. The deployment layer cannot be made with anything else there.",
    bad: "// sandbox/tools/acme/acme\n",
    good: '// sandbox/tools/acme/tool.json\n{ "id": "acme" }\n// sandbox/tools/acme/acme\n',
    check(deployment, report) {
      reportStrays(deployment, "sandbox/tools/", "tool.json", "tool", report);
    },
  },
  {
    id: "layer/skill-directory",
    title: "Entry of sandbox/skills that is not a skill",
    clause: "sandbox.descriptors",
    why: "Each directory of `sandbox/skills` is a skill and is described by its SKILL.md. Core takes no files beside them.",
    bad: "// sandbox/skills/report/notes.md\n",
    good: "// sandbox/skills/report/SKILL.md\n---\nname: report\ndescription: Writes the weekly report.\n---\nCollect what was done.\n",
    check(deployment, report) {
      reportStrays(deployment, "sandbox/skills/", "SKILL.md", "skill", report);
    },
  },
  {
    id: "layer/skill-file",
    title: "File of a skill that does not arrive",
    clause: "sandbox.descriptors",
    why: "Skills travel as text inside one JSON document: links and binary files have no place in it, and qm refuses the layer.",
    bad: "",
    good: "",
    check({ inputs }, report) {
      for (const entry of inputs.sandboxTree) {
        const problem = /^sandbox\/skills\/[^/]+\/./.test(entry.path) ? untransportable(entry) : null;
        if (problem === null) continue;
        report({
          message: `\`${entry.path}\` ${problem}, which the deployment layer cannot carry`,
          help: "put a text file in its place, or let the skill fetch it",
          place: { file: fileBelow(inputs, entry.path), range: null },
        });
      }
    },
  },
  {
    id: "layer/size",
    title: "Deployment layer that is too large",
    clause: "sandbox.descriptors",
    why: "Skills and tool descriptors reach core in one request of at most 1,000,000 bytes. Quotes and line ends take twice their room in it, so that a layer which is close to the limit may be above it.",
    bad: "",
    good: "",
    check(deployment, report) {
      const carried = deployment.inputs.sandboxTree.filter(
        ({ path, kind }) =>
          kind === "file" && !LITTER.test(path) && /^sandbox\/(?:skills\/|tools\/[^/]+\/tool\.json$)/.test(path),
      );
      const size = carried.reduce((sum, entry) => sum + entry.size + entry.path.length + FILE_OVERHEAD, 0);
      if (size <= LARGEST_LAYER * 0.9) return;
      const largest = carried.reduce((a, b) => (b.size > a.size ? b : a));
      report({
        message: `skills and descriptors have ${size} bytes, and core takes at most ${LARGEST_LAYER} in one request`,
        help: `make them smaller: the largest file is \`${largest.path}\``,
        severity: size > LARGEST_LAYER ? "error" : "warning",
        place: { file: fileBelow(deployment.inputs, largest.path), range: null },
      });
    },
  },
];

/** Why a file of a skill does not travel, as an end of "`…` is …"; null where it does. */
export function untransportable({ path, kind, isText, unread }: TreeEntry): string | null {
  if (kind === "directory" || LITTER.test(path) || unread !== undefined) return null;
  if (kind === "symlink") return "is a link";
  if (kind === "other") return "is no regular file";
  return isText ? null : "is not UTF-8 text";
}

/** The entries directly in a directory of the layer, without litter. */
function entriesOf({ inputs }: Deployment, directory: string): TreeEntry[] {
  return inputs.sandboxTree.filter(
    ({ path }) => path.startsWith(directory) && !path.slice(directory.length).includes("/") && !LITTER.test(path),
  );
}

function reportStrays(deployment: Deployment, directory: string, file: string, what: string, report: Report): void {
  const { sandboxTree } = deployment.inputs;
  const all = new Set(sandboxTree.map(({ path }) => path));
  const root = sandboxTree.find(({ path }) => path === directory.slice(0, -1));
  if (root?.kind === "file" || root?.kind === "other")
    report({
      message: `\`${root.path}\` is a file, and must be a directory`,
      help: `put a directory there, with a directory for each ${what}`,
      place: { file: fileBelow(deployment.inputs, root.path), range: null },
    });
  for (const { path, kind, unread } of entriesOf(deployment, directory)) {
    // Nobody knows what is in it.
    if (unread !== undefined) continue;
    const isLink = kind === "symlink";
    const [message, help] =
      kind !== "directory"
        ? [
            `\`${path}\` is ${isLink ? "a link" : "a file"}, and ${directory} has only directories, each with a ${file}`,
            isLink
              ? "put the directory itself there: core takes no links"
              : `move it into the directory of a ${what}, or elsewhere`,
          ]
        : [`\`${path}\` has no ${file}`, `add the file that says what the ${what} is, or move the directory elsewhere`];
    if (kind === "directory" && all.has(`${path}/${file}`)) continue;
    report({ message, help, place: { file: fileBelow(deployment.inputs, path), range: null } });
  }
}
