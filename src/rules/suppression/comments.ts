import { scanTrivia } from "../../config/trivia.ts";
import type { Span } from "../../config/node.ts";
import { isEditable } from "../../config/obstacles.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { LineIndex, type SourceRange } from "../../diagnostics/source.ts";
import { type CommentSpan, scanComments } from "../../envfile/index.ts";
import { coveredLines } from "./covered-lines.ts";
import { type Directive, mayHoldDirective, type NamedRule, readDirective } from "./directive.ts";

/** A comment that suppresses findings, with its place. */
export interface PlacedDirective extends Directive {
  readonly file: string;
  /** The file's name in its deployment. */
  readonly name: string;
  readonly range: SourceRange;
  /** The line whose findings it is about, 1-based; null where it stands above none. */
  readonly covers: number | null;
  readonly rangeOf: (rule: NamedRule) => SourceRange;
  /** The whole file, and where the comment stands in it. */
  readonly text: string;
  readonly span: Span;
  /** True behind an unquoted value of an env file, of which qm reads it as a part. */
  readonly isInValue: boolean;
  /** True where a fix can write the file. */
  readonly isFixable: boolean;
}

interface CommentedFile {
  readonly file: string;
  readonly name: string;
  readonly text: string;
  readonly comments: () => readonly (Span & Partial<CommentSpan>)[];
  readonly isFixable: boolean;
}

/** The files that comments can stand in, as far as findings point to lines of them (docs/suppressions.md). */
function commentedFiles({ inputs, document, skills }: Deployment): readonly CommentedFile[] {
  const { config, envFile } = inputs;
  const files: CommentedFile[] = [
    {
      ...config,
      name: "qm.config.jsonc",
      comments: () => scanTrivia(config.text).comments.map(({ start, end }) => ({ start, end })),
      isFixable: isEditable(document),
    },
  ];
  if (envFile !== null)
    files.push({ ...envFile, name: ".env", comments: () => scanComments(envFile.text), isFixable: false });
  for (const { file, text, directory, head } of skills) {
    const comments = (): Span[] =>
      (head?.lines ?? [])
        .filter((line) => line.text.startsWith("#"))
        .map((line) => ({ start: line.start, end: line.start + line.text.length }));
    files.push({ file, name: `${directory}/SKILL.md`, text, comments, isFixable: false });
  }
  return files;
}

/** Every comment of a deployment that suppresses findings, those that do it wrong as well. Linear time. */
export function findDirectives(deployment: Deployment): readonly PlacedDirective[] {
  return commentedFiles(deployment).flatMap((file) => (mayHoldDirective(file.text) ? directivesIn(file) : []));
}

function directivesIn({ file, name, text, comments, isFixable }: CommentedFile): PlacedDirective[] {
  const spans = comments();
  const lines = new LineIndex(text);
  const covered = coveredLines(text, spans, lines);
  return spans.flatMap((span, at) => {
    const directive = readDirective(text, span);
    if (directive === null) return [];
    return {
      ...directive,
      file,
      name,
      range: lines.range(span.start, span.end),
      covers: covered[at] ?? null,
      rangeOf: ({ start, end }) => lines.range(start, end),
      text,
      span,
      isInValue: span.isInValue ?? false,
      isFixable,
    };
  });
}
