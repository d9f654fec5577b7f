import { DockerfileParser } from "dockerfile-ast";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { heredocsOf, readInstructions } from "../../src/base/dockerfile.ts";
import {
  baseImages,
  copiedImages,
  foreignPlatform,
  readStages,
  replaceBase,
  type Stage,
} from "../../src/publish/dockerfile/stages.ts";
import { PublishError } from "../../src/publish/publish-error.ts";
import { runs } from "../support/runs.ts";

const PIN = `@sha256:${"1c".repeat(32)}`;

function stagesOf(text: string): readonly Stage[] {
  return readStages(text).stages;
}

/** The reading of a text, or why it is refused. */
function readingOf(text: string): ReturnType<typeof readStages> | PublishError {
  try {
    return readStages(text);
  } catch (error) {
    if (error instanceof PublishError) return error;
    throw error;
  }
}

/** What each FROM builds on, by BuildKit's reading. `libraryDiffers`: dockerfile-ast by itself sees other FROMs. */
const FROMS: readonly {
  readonly name: string;
  readonly text: string;
  readonly froms: readonly string[];
  readonly libraryDiffers?: true;
}[] = [
  { name: "one stage", text: "FROM a\n", froms: ["a"] },
  { name: "no line end at the end", text: "FROM a", froms: ["a"] },
  { name: "lower case", text: "from a as b\nfrom c\n", froms: ["a", "c"] },
  { name: "a byte order mark", text: "\uFEFFFROM a\n", froms: ["a"] },
  {
    name: "a port and a digest",
    text: `FROM localhost:5000/a/b:t${PIN} AS z\n`,
    froms: [`localhost:5000/a/b:t${PIN}`],
  },
  { name: "indented", text: "  FROM a\n\t FROM b\n", froms: ["a", "b"] },
  { name: "CRLF", text: "FROM a\r\nRUN <<EOF\r\nFROM b\r\nEOF\r\nFROM c\r\n", froms: ["a", "c"] },
  { name: "in a heredoc", text: "FROM a\nRUN <<EOF\nFROM b\nEOF\nFROM c\n", froms: ["a", "c"] },
  {
    name: "in a quoted heredoc",
    text: "FROM a\nRUN <<\"E F\" cat\nFROM b\nE F\nRUN <<'E'\nFROM d\nE\nFROM c\n",
    froms: ["a", "c"],
    libraryDiffers: true,
  },
  {
    name: "in a heredoc on a descriptor",
    text: "FROM a\nRUN 3<<EOF cat /dev/fd/3\nFROM b\nEOF\n",
    froms: ["a"],
    libraryDiffers: true,
  },
  { name: "in two heredocs", text: "FROM a\nCOPY <<A <<-B /x/\nFROM b\nA\nFROM c\n\tB\nFROM d\n", froms: ["a", "d"] },
  {
    name: "tabs count where only the other heredoc chomps",
    text: "FROM a\nCOPY <<-A <<B /x/\n\tA\n\tB\nFROM c\nB\nFROM d\n",
    froms: ["a", "d"],
    libraryDiffers: true,
  },
  { name: "an indented end does not end a heredoc", text: "FROM a\nRUN <<EOF\n EOF\nFROM b\nEOF\n", froms: ["a"] },
  { name: "a heredoc in a continued line", text: "FROM a\nRUN x \\\n  <<EOF\nFROM b\nEOF\n", froms: ["a"] },
  { name: "a heredoc behind ONBUILD", text: "FROM a\nONBUILD RUN <<EOF\nFROM b\nEOF\n", froms: ["a"] },
  { name: "<< inside a word", text: "FROM a\nRUN cat<<EOF\nFROM b\n", froms: ["a", "b"] },
  { name: "<< in quotes", text: "FROM a\nRUN echo '<<EOF'\nFROM b\n", froms: ["a", "b"] },
  { name: "<< in JSON form", text: 'FROM a\nRUN ["echo", "<<EOF"]\nFROM b\n', froms: ["a", "b"] },
  { name: "<< in another instruction", text: "FROM a\nLABEL x=y <<EOF\nFROM b\n", froms: ["a", "b"] },
  { name: "a here-string", text: "FROM a\nRUN cat <<< EOF\nFROM b\n", froms: ["a", "b"] },
  { name: "in a continued line", text: "FROM a\nRUN x \\\nFROM b\n", froms: ["a"] },
  { name: "blanks behind the escape", text: "FROM a\nRUN x \\ \t\nFROM b\n", froms: ["a"] },
  {
    name: "comments and blank lines inside a continuation",
    text: "FROM a\nRUN x \\\n# FROM b \\\n\n  y\nFROM c\n",
    froms: ["a", "c"],
  },
  {
    name: "two escapes do not continue",
    text: "FROM a\nRUN echo \\\\\nFROM b\n",
    froms: ["a", "b"],
    libraryDiffers: true,
  },
  { name: "a continued FROM", text: "FROM \\\n  --platform=linux/amd64 \\\n # c\n a \\\n AS b\n", froms: ["a"] },
  { name: "a keyword in two lines", text: "FR\\\nOM a\n", froms: ["a"] },
  { name: "the escape directive", text: "# escape=`\nFROM a\nRUN c:\\\nFROM b\nRUN x `\nFROM c\n", froms: ["a", "b"] },
  {
    name: "the escape directive behind another",
    text: "# syntax=docker/dockerfile:1\n#  ESCAPE = `\nFROM a\nRUN x `\nFROM b\n",
    froms: ["a"],
  },
  {
    name: "an escape directive behind a comment is a comment",
    text: "# hi\n# escape=`\nFROM a\nRUN x `\nFROM b\n",
    froms: ["a", "b"],
  },
  {
    name: "an escape directive behind an unknown one is a comment",
    text: "# foo=bar\n# escape=`\nFROM a\nRUN x `\nFROM b\n",
    froms: ["a", "b"],
    libraryDiffers: true,
  },
  {
    name: "an escape directive behind a blank line is a comment",
    text: "\n# escape=`\nFROM a\nRUN x `\nFROM b\n",
    froms: ["a", "b"],
  },
  { name: "ARG before FROM", text: "ARG V=1\nFROM a\nARG V\n", froms: ["a"] },
  { name: "a stage on a stage", text: "FROM a AS Base\nFROM base\nFROM scratch\n", froms: ["a", "base", "scratch"] },
];

describe("what a Dockerfile builds on", () => {
  test.each(FROMS)("$name", ({ text, froms }) => {
    expect(stagesOf(text).map(({ from }) => from)).toEqual(froms);
  });

  test.each(FROMS)("the list of what the library reads otherwise is true: $name", ({ text, froms, libraryDiffers }) => {
    const theirs = DockerfileParser.parse(text)
      .getFROMs()
      .map((from) => from.getImage());
    if (libraryDiffers === true) expect(theirs).not.toEqual(froms);
    else expect(theirs).toEqual(froms);
  });

  test.each([
    ["no FROM", "RUN x\n", "sandbox/Dockerfile has no FROM"],
    ["a FROM that is a comment", "# FROM a\n", "sandbox/Dockerfile has no FROM"],
    ["an empty file", "", "sandbox/Dockerfile has no FROM"],
    ["a FROM without an image", "FROM\n", "line 1 is no FROM"],
    ["a name without AS", "FROM a b\n", "line 1 is no FROM"],
    ["AS without a name", "FROM a AS\n", "line 1 is no FROM"],
    ["a comment behind FROM, which BuildKit has not", "FROM a # c\n", "line 1 is no FROM"],
    ["text behind the name", "FROM a\nFROM a AS b c\n", "line 2 is no FROM"],
    ["another flag", "FROM --foo=1 a\n", "line 1 has a FROM with other flags"],
    ["a flag without a value", "FROM --platform= a\n", "line 1 has a FROM with other flags"],
    ["quotes", 'FROM "a"\n', "line 1: the image of FROM"],
    ["upper case", "FROM Debian\n", "line 1: the image of FROM has upper-case letters"],
    ["a short digest", "FROM a@sha256:12\n", "line 1: the image of FROM has a digest"],
    ["a variable", "ARG X=a\nFROM $X\n", "line 2 builds on a variable"],
    ["a variable with a default", "FROM ${X:-a} AS b\n", "line 1 builds on a variable"],
    ["a variable in the tag", "FROM a:$V\n", "line 1 builds on a variable"],
    ["a stage name of other characters", "FROM a AS 1b\n", "line 1 names a stage"],
    ["an unterminated heredoc", "FROM a\nRUN <<EOF\nFROM b\n", "line 2 opens the heredoc `EOF`, which is not ended"],
    ["a second heredoc without its end", "FROM a\nCOPY <<A <<B /\nA\n", "line 2 opens the heredoc `B`"],
    [
      "an unterminated continuation",
      "FROM a\nRUN x \\\n",
      "line 2 starts an instruction whose last line is continued by nothing",
    ],
    ["a continuation into comments", "FROM a\nRUN x \\\n# y\n\n", "line 2 starts an instruction"],
    ["an open quote beside <<", "FROM a\nRUN echo it's <<EOF\nEOF\n", "line 2 has `<<` and a quote that is not closed"],
    ["an escape directive twice", "# escape=`\n# escape=\\\nFROM a\n", "line 2 repeats the directive `escape`"],
    ["a strange escape", "# escape=x\nFROM a\n", "line 1 sets `escape`"],
  ])("%s is refused by its line", (_, text, message) => {
    expect(() => readStages(text)).toThrow(message);
    expect(readingOf(text)).toBeInstanceOf(PublishError);
  });

  test("never throws, and an accepted text has a FROM", () => {
    const piece = fc.constantFrom(
      "FROM a",
      "FROM a AS b",
      "RUN x",
      "RUN <<E",
      "E",
      "\\",
      " \\",
      "\n",
      "\r\n",
      "\t",
      "#",
      "# escape=`",
      "`",
      "'",
      '"',
      "ONBUILD ",
      "\uFEFF",
      "$X",
      "--platform=x ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const read = readingOf(pieces.join(""));
        if (read instanceof PublishError) expect(read.message).toMatch(/^sandbox\/Dockerfile/);
        else expect(read.stages.length).toBeGreaterThan(0);
      }),
      { numRuns: runs(50, 500) },
    );
  });

  test("the instructions of a text without heredocs and continuations are its lines", () => {
    const line = fc.constantFrom("FROM a", "RUN x y", "COPY a b", "ENV a=b", "USER 1");
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        expect(readInstructions(lines.join("\n")).lines.map(({ text }) => text)).toEqual(lines);
      }),
    );
  });
});

describe("heredocs", () => {
  test.each([
    ["RUN <<EOF", ["EOF"]],
    ["RUN <<EOF cat && cat <<EOT", ["EOF", "EOT"]],
    ['COPY <<"a b" /x', ["a b"]],
    ["ADD <<'E' <<-\\F /x", ["E", "F"]],
    ["RUN 12<<EOF", ["EOF"]],
    ["RUN <<", []],
    ["RUN <<EOF<<EOT", []],
    ["ENV A=<<EOF", []],
    ["onbuild run --mount=type=cache,target=/x <<EOF", ["EOF"]],
    ['RUN --network=none ["cat", "<<EOF"]', []],
    ["RUN [ -f x ] && cat <<EOF", ["EOF"]],
  ])("%s", (instruction, names) => {
    expect(heredocsOf(instruction)?.map(({ name }) => name)).toEqual(names);
  });
});

describe("bases", () => {
  test("stages and scratch are no images, one image counts once", () => {
    const stages = stagesOf(`FROM a:1 AS x\nFROM X AS y\nFROM scratch\nFROM a:1\nFROM b${PIN}\n`);
    expect(baseImages(stages)).toEqual({ images: ["a:1", `b${PIN}`], mutable: "a:1" });
  });

  test("a name that only a later stage has is an image", () => {
    expect(baseImages(stagesOf("FROM later\nFROM scratch AS later\n"))).toMatchObject({ mutable: "later" });
  });

  test("two images that can move are refused by name", () => {
    expect(() => baseImages(stagesOf("FROM a:1\nFROM b\n"))).toThrow(
      new PublishError(
        "sandbox/Dockerfile builds on 2 images that are not pinned: `a:1`, `b`",
        "end all of them but one with `@sha256:` and their digest",
      ),
    );
  });

  test.each([
    ["FROM a\n", null],
    ["FROM --platform=linux/amd64 a\n", null],
    ["FROM --platform=$TARGETPLATFORM a\n", null],
    ["FROM --platform=${TARGETPLATFORM} a\n", null],
    ["FROM --platform=$BUILDPLATFORM a AS b\nFROM c\nCOPY --from=b /x /x\n", null],
    ["FROM --platform=linux/arm64 a\n", "linux/arm64"],
    ["FROM --platform=$BUILDPLATFORM a\n", "$BUILDPLATFORM"],
    ["FROM --platform=linux/arm64 a AS b\nFROM b AS c\nFROM --platform=linux/amd64 c\n", "linux/arm64"],
    ["FROM --platform=linux/arm64 a AS b\nFROM x AS b\nFROM b\n", null],
  ])("the platform of the final stage of %j", (text, platform) => {
    expect(foreignPlatform(stagesOf(text))).toBe(platform);
  });

  test("an image that has the name of a stage below it is not that stage", () => {
    const stages = stagesOf("FROM base AS base\nFROM base\n");
    expect(replaceBase("FROM base AS base\nFROM base\n", stages, "base", `base${PIN}`)).toBe(
      `FROM base${PIN} AS base\nFROM base\n`,
    );
  });

  test("after a change of the base every other FROM is what it was", () => {
    const piece = fc.constantFrom(
      "FROM a:1",
      "FROM a:1 AS x",
      "FROM --platform=linux/amd64 \\\n  a:1 AS y",
      "FROM x",
      "FROM y",
      "FROM b:2",
      "RUN <<E\nFROM a:1\nE",
      "RUN z \\\nFROM a:1",
      "# FROM a:1",
      "",
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 10 }), fc.constantFrom("\n", "\r\n"), (pieces, end) => {
        const text = pieces.join("\n").replaceAll("\n", end);
        const read = readingOf(text);
        if (read instanceof PublishError) return;
        const after = stagesOf(replaceBase(text, read.stages, "a:1", `a:1${PIN}`));
        const told = ({ from, platform, name }: Stage) => [from === "a:1" ? `a:1${PIN}` : from, platform, name];
        expect(after.map(told)).toEqual(read.stages.map(told));
        expect(after.some(({ from }) => from === "a:1")).toBe(false);
      }),
      { numRuns: runs(30, 300) },
    );
  });

  test.each([
    ["COPY --from=nginx:1 /a /a\n", ["nginx:1"]],
    ["copy --chown=1 --from=nginx --link /a /a\nCOPY --from=nginx /b /b\n", ["nginx"]],
    ["ONBUILD COPY --from=c /a /a\n", ["c"]],
    ["RUN --mount=type=bind,from=d:2,target=/x --mount=from=e ls\n", ["d:2", "e"]],
    ["COPY --from=Built /a /a\nCOPY --from=0 /a /a\nCOPY --from=$X /a /a\n", []],
    ["RUN echo --from=x\nRUN <<E\nCOPY --from=y /a /a\nE\n", []],
  ])("the images that files are taken from in %j", (text, images) => {
    const read = readStages(`FROM a AS built\n${text}`);
    expect(copiedImages(read.lines, read.stages)).toEqual(images);
  });

  test("only the FROMs of the image are written anew", () => {
    const text =
      "# escape=`\r\nARG V\r\nFROM --platform=$TARGETPLATFORM `\r\n # why\r\n a:1 AS Base\r\nRUN <<E\r\nFROM a:1\r\nE\r\nFROM base\r\nFROM a:1\r\n";
    const changed = replaceBase(text, stagesOf(text), "a:1", `a:1${PIN}`);
    expect(changed).toBe(
      `# escape=\`\r\nARG V\r\nFROM --platform=$TARGETPLATFORM a:1${PIN} AS base\nRUN <<E\r\nFROM a:1\r\nE\r\nFROM base\r\nFROM a:1${PIN}\n`,
    );
    expect(stagesOf(changed).map(({ from }) => from)).toEqual([`a:1${PIN}`, "base", `a:1${PIN}`]);
  });
});
