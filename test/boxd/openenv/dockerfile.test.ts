/** O15: images that are built on the machine. */
import { chmodSync, mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { extract } from "tar-stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  assertSendable,
  contextTar,
  readDockerfileImage,
  type DockerfileImage,
} from "../../../src/boxd/openenv/dockerfile-image.ts";
import { BoxdProvider, EnvClient } from "../../../src/boxd/openenv/index.ts";
import { tempDirectory } from "../../workspace/temp.ts";
import { cannotRun, needs, Rig, thrown } from "./rig.ts";

/** `<root>/env/server/Dockerfile`, with `<root>/outside` beside the context. */
function environment(
  dockerfile: string,
  files: { readonly [path: string]: string } = {},
): { root: string; path: string } {
  const root = tempDirectory({
    "outside/secret.txt": "SECRET-OUTSIDE",
    "env/server/Dockerfile": dockerfile,
    "env/app.py": "app",
    ...files,
  });
  return { root, path: join(root, "env/server/Dockerfile") };
}

function imageOf(path: string): DockerfileImage {
  const image = readDockerfileImage(BoxdProvider.imageFromDockerfile(path));
  if (image === null) throw new Error("no Dockerfile image");
  return image;
}

/** Entries of the tar, by name: type and content or link. */
async function packed(image: DockerfileImage): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const reader = extract();
  reader.on("entry", (header, stream, next) => {
    const chunks: Buffer[] = [];
    void pipeline(
      stream,
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          chunks.push(chunk);
          done();
        },
      }),
    ).then(() => {
      found[header.name] =
        header.type === "symlink"
          ? `-> ${header.linkname ?? ""}`
          : header.type === "directory"
            ? "/"
            : Buffer.concat(chunks).toString();
      next();
    });
  });
  await pipeline(contextTar(image), reader);
  return found;
}

describe("O15 the name of an image that is built", () => {
  test("carries Dockerfile and context, by default the directory above, whatever characters they have", () => {
    const { root, path } = environment("FROM x\nCOPY app.py /\n", { "a ?context=b%20/server/Dockerfile": "FROM x" });
    expect(imageOf(path)).toEqual({ dockerfile: path, contextDir: join(root, "env") });
    const odd = join(root, "a ?context=b%20/server/Dockerfile");
    expect(imageOf(odd)).toEqual({ dockerfile: odd, contextDir: join(root, "a ?context=b%20") });
    const other = readDockerfileImage(BoxdProvider.imageFromDockerfile(path, { contextDir: join(root, "env") }));
    expect(other?.contextDir).toBe(join(root, "env"));
    expect(readDockerfileImage("registry/image:1")).toBeNull();
  });

  test.each([
    ["COPY ../outside/secret.txt /", /not in the build context/],
    ["ADD a/../../outside /x", /not in the build context/],
    ['COPY ["../outside/secret.txt", "/"]', /not in the build context/],
    ["COPY missing.py /", /not in the build context/],
    ["ONBUILD ADD missing.py /", /not in the build context/],
    ["COPY app.py missing.py /", /not in the build context/],
    ["COPY app.py \\\n # no more\n missing.py /", /not in the build context/],
    ['COPY --chown=1:1 ["missing file", "/"]', /"missing file", which is not/],
  ])("%s is refused", (line, message) => {
    const { path } = environment(`FROM x\n${line}\n`);
    expect(() => BoxdProvider.imageFromDockerfile(path)).toThrow(message);
  });

  test.each([
    "COPY --from=builder ../x /",
    "ADD https://example.com/x /x",
    "COPY *.nothing /",
    "COPY ${WHAT} /",
    "COPY /app.py /",
    "COPY . /",
    "COPY ../app.py /",
    'COPY "app.py" /',
    "COPY my\\ file /",
    "COPY <<EOF /hello\nhi\nEOF",
    "RUN 3<<EOF\nCOPY nope /x\nEOF",
    "ADD deploy@host.dev:acme/x.git /x",
    "ADD git@github.com:acme/x.git /x",
    "ONBUILD COPY app.py /",
    "COPY unended /x <<EOF",
  ])("%s is fine", (line) => {
    const { path } = environment(`FROM x\n${line}\n`);
    expect(() => BoxdProvider.imageFromDockerfile(path)).not.toThrow();
  });

  test("a Dockerfile or context that is not there is refused", () => {
    const { path, root } = environment("FROM x\n");
    expect(() => BoxdProvider.imageFromDockerfile(join(root, "nowhere"))).toThrow("there is no Dockerfile");
    expect(() => BoxdProvider.imageFromDockerfile(path, { contextDir: join(root, "nowhere") })).toThrow(
      "there is no directory",
    );
  });
});

describe("O15 the build context", () => {
  test("R16 is matched with regard to case, as docker does", async () => {
    const files = { "env/.dockerignore": "a.txt\ndata\n", "env/a.txt": "", "env/A.TXT": "", "env/Data/set.csv": "" };
    const { path } = environment("FROM x\n", files);
    const names = Object.keys(await packed(imageOf(path)));
    expect(names).toEqual(expect.arrayContaining(["A.TXT", "Data/set.csv"]));
    expect(names).not.toContain("a.txt");
  });

  test("has what is not ignored, with `!` lines, and keeps modes", async () => {
    const files = {
      "env/.dockerignore": "*.log\ndata\n!data/keep.txt\n.env\n",
      "env/.env": "SECRET=1",
      "env/a.log": "x",
      "env/data/big": "x",
      "env/data/keep.txt": "kept",
      "env/empty": "",
    };
    const { path } = environment("FROM x\n", files);
    chmodSync(join(path, "../../app.py"), 0o755);
    expect(await packed(imageOf(path))).toEqual({
      ".dockerignore": files["env/.dockerignore"],
      "app.py": "app",
      "data/keep.txt": "kept",
      empty: "",
      server: "/",
      "server/Dockerfile": "FROM x\n",
    });
  });

  test("is refused above 1 GiB, without being read, unless ignored", () => {
    const { root, path } = environment("FROM x\n", { "env/weights": "" });
    truncateSync(join(root, "env/weights"), 2 ** 40);
    expect(() => assertSendable(imageOf(path))).toThrow("more than 1 GiB");
    writeFileSync(join(root, "env/.dockerignore"), "weights\n");
    expect(() => assertSendable(imageOf(path))).not.toThrow();
  });

  test("prefers the Dockerfile's own ignore file", async () => {
    const { path } = environment("FROM x\n", {
      "env/.dockerignore": "app.py\n",
      "env/server/Dockerfile.dockerignore": "server\n.dockerignore\n",
    });
    expect(Object.keys(await packed(imageOf(path)))).toEqual(["app.py"]);
  });

  test("does not follow links out of it: neither to a file nor to a directory", async () => {
    const { root, path } = environment("FROM x\n");
    symlinkSync(join(root, "outside/secret.txt"), join(root, "env/file-link"));
    symlinkSync(join(root, "outside"), join(root, "env/dir-link"));
    const found = await packed(imageOf(path));
    expect(found).toMatchObject({
      "file-link": `-> ${join(root, "outside/secret.txt")}`,
      "dir-link": `-> ${join(root, "outside")}`,
    });
    expect(JSON.stringify(found)).not.toContain("SECRET-OUTSIDE");
  });
});

describe.skipIf(cannotRun)(`O15 building on the machine${needs}`, () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
  });
  afterEach(async () => {
    await rig[Symbol.asyncDispose]();
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("an ignored Dockerfile still builds, a context of 9 MiB arrives, and the environment runs", async () => {
    const { root, path } = environment("FROM x\nCOPY app.py /\n", { "env/.dockerignore": "server\n" });
    mkdirSync(join(root, "env/data"));
    writeFileSync(join(root, "env/data/weights"), Buffer.alloc(9 * 1024 * 1024, 7));
    const client = await EnvClient.fromProvider(rig.provider(), {
      image: BoxdProvider.imageFromDockerfile(path),
      connection: rig.connection,
    });
    expect(rig.dockerFile("context")).toEqual([".dockerignore", "app.py", "data", "data/weights"]);
    expect(
      readdirSync(rig.machine().disk.home).filter((name) => name.startsWith("openenv-")),
      "what was sent for the build is gone",
    ).toEqual([]);
    expect(await client.reset()).toMatchObject({ done: false });
    await client.close();
  });

  test("a failing build deletes the machine and withholds its output", async () => {
    const { path } = environment("FROM x\nRUN false\n");
    const image = BoxdProvider.imageFromDockerfile(path);
    expect(await thrown(rig.provider().startContainer(image))).toMatchObject({
      code: "BUILD_FAILED",
      message: "the image could not be built (status 1)",
    });
    const { root, path: huge } = environment("FROM x\n", { "env/weights": "" });
    truncateSync(join(root, "env/weights"), 2 ** 40);
    const before = rig.plane.allMachines().length;
    expect(await thrown(rig.provider().startContainer(BoxdProvider.imageFromDockerfile(huge)))).toMatchObject({
      name: "RangeError",
    });
    expect(rig.plane.allMachines(), "too much is known before a machine is made").toHaveLength(before);
    expect((await thrown(rig.provider({ surfaceServerLogs: true }).startContainer(image))).message).toContain(
      "CANARY-OUTPUT",
    );
    expect(rig.plane.survivors()).toEqual([]);
  });
});
