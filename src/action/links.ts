import { code } from "../base/markdown.ts";
import { plainText, type Shown, shown } from "../base/shown.ts";
import { fileUri } from "../diagnostics/reporters/sarif.ts";
import type { DiagnosticView } from "../diagnostics/view.ts";

/** Makes links of places and rules, as far as the runner tells where they can be looked up. */
export interface Links {
  /** `directory` is the one that a reader knows to be meant: a file in it is called by its name there. */
  place(diagnostic: Pick<DiagnosticView, "file" | "range">, directory: string): Shown;
  rule(id: string): Shown;
}

interface RunnerEnvironment {
  readonly [name: string]: string | undefined;
}

/** `owner/repo` or a host with nothing in it that could end a link. */
const PLAIN = /^[\w./:-]+$/;

/** The address of a tree on GitHub; null where the runner names none. */
function treeUrl(server = "", repository = "", commit = ""): string | null {
  return [server, repository, commit].every((part) => PLAIN.test(part))
    ? `${server}/${repository}/blob/${commit}`
    : null;
}

/** `fileName` names a file from the root of the repository. */
export function linksFor(env: RunnerEnvironment, fileName: (file: string) => string): Links {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_SHA: commit } = env;
  const own = treeUrl(server, repository, commit);
  const toolkit = treeUrl(server, env["GITHUB_ACTION_REPOSITORY"], env["GITHUB_ACTION_REF"]);
  return {
    place({ file, range }, directory) {
      const path = fileName(file);
      const name = file.startsWith(`${directory}/`) ? file.slice(directory.length + 1) : path;
      const text = code(plainText(range === null ? name : `${name}:${range.start.line}`));
      if (own === null || path.startsWith("../") || path.startsWith("<")) return text;
      const anchor = range === null ? "" : `#L${range.start.line}`;
      return shown`[${text}](<${plainText(`${own}/${fileUri(path)}${anchor}`)}>)`;
    },
    rule(id) {
      const text = code(plainText(id));
      return toolkit === null ? text : shown`[${text}](${plainText(`${toolkit}/docs/rules.md#${id}`)})`;
    },
  };
}
