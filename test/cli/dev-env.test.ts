import { spawnSync } from "node:child_process";
import { parse } from "dotenv";
import { describe, expect, test } from "vitest";
import { DEV_ENV } from "../../src/cli/commands/dev-env/dev-env.command.ts";
import { main } from "../../src/cli/main.ts";
import { DEV_BACKENDS } from "../../src/views/dev-env/dev-env.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { fakeIo } from "./fake-io.ts";

const KEY = "bxd_canary-0123456789";

async function devEnv(
  args: readonly string[],
  env: Record<string, string> = {},
  files: { readonly [path: string]: string } = { x: "" },
) {
  const io = fakeIo(["dev-env", ...args], { env, cwd: tempDirectory(files) });
  const status = await main(io);
  expect(io.out + io.err, "a key is never printed").not.toContain(KEY);
  return { status, out: io.out, err: io.err };
}

describe("dev-env", () => {
  test("offers every backend that a contributor's core can run, and no other", () => {
    expect(DEV_ENV.options?.find((option) => option.name === "sandbox")?.value?.choices).toEqual(
      DEV_BACKENDS.map(({ name }) => name),
    );
    expect(DEV_BACKENDS.map(({ name }) => name)).toEqual(["boxd", "local", "smolmachines", "sprites"]);
  });

  test.each([
    ["boxd", "BOXD_API_KEY"],
    ["sprites", "SPRITES_TOKEN"],
    ["smolmachines", "SMOLMACHINES_TOKEN"],
  ])("%s needs %s, and says so", async (backend, name) => {
    const { status, out, err } = await devEnv(["--sandbox", backend]);
    expect([status, out]).toEqual([1, ""]);
    expect(err).toContain(`error: \`${name}\` is not set`);
    expect(await devEnv(["--sandbox", backend], { [name]: "  " })).toMatchObject({ status: 1 });
  });

  test("local needs nothing and warns of nothing", async () => {
    const { status, out, err } = await devEnv(["--sandbox", "local", "--format", "json"], {
      LOCAL_SANDBOX_IMAGE: "mine:1",
      BOXD_ORG: "acme",
    });
    expect([status, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toEqual({
      version: 1,
      ok: true,
      backend: "local",
      env: { SANDBOX_BACKEND: "local", LOCAL_SANDBOX_IMAGE: "mine:1" },
      secret: null,
      problems: [],
      warnings: [],
    });
  });

  const SET = {
    BOXD_API_KEY: KEY,
    BOXD_BASE_URL: "https://boxd.sh:9443",
    BOXD_ORG: "acme",
    BOXD_EGRESS_PROXY_URL: "https://egress.acme.dev",
    BOXD_VCPU: "4",
    BOXD_DISK_GB: "100",
    SANDBOX_TIMEOUT_SEC: "900",
    PUBLIC_API_URL: "https://qm.acme.dev",
    UNRELATED: "x",
  };
  const { BOXD_API_KEY: _, UNRELATED: __, ...FORWARDED } = SET;
  const EXPECTED = { SANDBOX_BACKEND: "boxd", BOXD_NAME_PREFIX: "qmdev", ...FORWARDED };

  test("forwards what boxd reads, as JSON, dotenv and shell, and names the key only", async () => {
    const json = await devEnv(["--sandbox", "boxd", "--format", "json"], SET);
    expect(json.err).toBe("");
    expect(JSON.parse(json.out)).toMatchObject({
      ok: true,
      env: EXPECTED,
      secret: { name: "BOXD_API_KEY", source: "environment" },
    });
    expect(parse((await devEnv(["--sandbox", "boxd", "--format", "dotenv"], SET)).out)).toEqual(EXPECTED);
    const { out } = await devEnv(["--sandbox", "boxd"], SET);
    const sourced = (env: Record<string, string>) =>
      spawnSync("/bin/sh", ["-c", `eval "$SCRIPT"; env`], {
        env: { PATH: "/usr/bin:/bin", SCRIPT: out, ...env },
        encoding: "utf8",
      });
    const lines = sourced({ BOXD_API_KEY: "k" }).stdout.split("\n");
    for (const [name, value] of Object.entries({ ...EXPECTED, BOXD_API_KEY: "k" }))
      expect(lines).toContain(`${name}=${value}`);
    expect(sourced({}).status, "a shell without the key refuses").not.toBe(0);
  });

  test("quotes hostile values for the shell", async () => {
    for (const image of [
      `a'b"c$(touch pwned)\`id\` d`,
      "a\nb\n\nc",
      "a\rb",
      "-n",
      "!x",
      "~",
      "*",
      "'\\''",
      "a;exit 3",
      "a\u2028\u0007",
    ]) {
      const { out } = await devEnv(["--sandbox", "local"], { LOCAL_SANDBOX_IMAGE: image });
      for (const shell of ["/bin/sh", "/bin/bash"]) {
        const { stdout } = spawnSync(shell, ["-c", `eval "$SCRIPT"; printf %s "$LOCAL_SANDBOX_IMAGE"`], {
          env: { SCRIPT: out },
          encoding: "utf8",
        });
        expect(stdout, shell).toBe(image);
      }
    }
  });

  test("takes from the worktree's .env what the environment lacks, and leaves the key there", async () => {
    const files = { "qm/.env": `BOXD_API_KEY=${KEY}\nBOXD_ORG=stored\nBOXD_NAME_PREFIX=mine\n` };
    const { status, out } = await devEnv(
      ["--sandbox", "boxd", "--worktree", "qm", "--format", "json"],
      { BOXD_ORG: "own" },
      files,
    );
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      env: { BOXD_ORG: "own", BOXD_NAME_PREFIX: "mine" },
      secret: { source: ".env" },
    });
    expect((await devEnv(["--sandbox", "boxd", "--worktree", "qm"], {}, files)).out).toContain(
      "# BOXD_API_KEY stays in the worktree's .env",
    );
  });

  test.each<[string, Record<string, string>, RegExp]>([
    [
      "open egress",
      { PUBLIC_API_URL: "https://qm.acme.dev" },
      /^warning: `BOXD_EGRESS_PROXY_URL` is not set: agents can reach any host\n$/,
    ],
    ["no public URL", { BOXD_EGRESS_PROXY_URL: "https://e.acme.dev" }, /^warning: `PUBLIC_API_URL` is not set.*\n$/],
    [
      "a local URL",
      { BOXD_EGRESS_PROXY_URL: "https://e.acme.dev", PUBLIC_API_URL: "http://localhost:3000" },
      /^warning: `PUBLIC_API_URL` is not a public https address.*\n$/,
    ],
    [
      "plain http",
      { BOXD_EGRESS_PROXY_URL: "https://e.acme.dev", PUBLIC_API_URL: "http://qm.acme.dev" },
      /^warning: `PUBLIC_API_URL` is not a public https address.*\n$/,
    ],
  ])("warns on stderr of %s, and passes", async (_name, env, warning) => {
    const { status, err } = await devEnv(["--sandbox", "boxd"], { BOXD_API_KEY: KEY, ...env });
    expect(status).toBe(0);
    expect(err).toMatch(warning);
  });

  test.each<[string, Record<string, string>]>([
    ["BOXD_VCPU", { BOXD_VCPU: "3" }],
    ["BOXD_NAME_PREFIX", { BOXD_NAME_PREFIX: "longer-than-7" }],
    ["BOXD_BASE_URL", { BOXD_BASE_URL: "https://user:hunter22@boxd.sh" }],
    ["BOXD_EGRESS_PROXY_URL", { BOXD_EGRESS_PROXY_URL: "https://user:hunter22@e.acme.dev" }],
  ])("refuses a %s that cannot work, without repeating it", async (name, env) => {
    const { status, out, err } = await devEnv(["--sandbox", "boxd"], { BOXD_API_KEY: KEY, ...env });
    expect([status, out]).toEqual([1, ""]);
    expect(err).toContain(`error: \`${name}\``);
    expect(err).not.toContain("hunter22");
  });

  const PASSWORDS = [
    "user:hunter22@proxy:3128",
    "socks5://user:hunter22@proxy:1080",
    "https:user:hunter22@proxy",
    "//user:hunter22@proxy",
    "http:\\\\user:hunter22@proxy",
    "https://hunter22@proxy",
  ];
  const REMOTE = [
    ["boxd", "BOXD_API_KEY"],
    ["sprites", "SPRITES_TOKEN"],
    ["smolmachines", "SMOLMACHINES_TOKEN"],
  ] as const;
  test.each(
    REMOTE.flatMap(([backend, key]) => ["shell", "dotenv", "json"].map((format) => [backend, format, key] as const)),
  )("%s as %s prints no password of an address and no key, wherever they stand", async (backend, format, key) => {
    const upper = backend.toUpperCase();
    const hidden = PASSWORDS.flatMap(
      (value) =>
        [
          [`${upper}_EGRESS_PROXY_URL`, value],
          [`${upper}_BASE_URL`, value],
          ["PUBLIC_API_URL", value],
        ] as const,
    );
    const pasted = [
      [`${upper}_EGRESS_PROXY_URL`, `https://e.acme.dev/?key=${KEY}`],
      [`${upper}_NAME_PREFIX`, KEY],
      ["SANDBOX_TIMEOUT_SEC", KEY],
    ] as const;
    for (const [name, value] of [...hidden, ...pasted]) {
      const { status, out, err } = await devEnv(["--sandbox", backend, "--format", format], {
        [key]: KEY,
        [name]: value,
      });
      expect([status, out + err], `${name}=${value}`).toEqual([1, expect.not.stringContaining("hunter22")]);
      expect(err).toContain(`error: \`${name}\` holds`);
    }
  });

  test("local prints no key of another backend, and takes an image with its digest", async () => {
    expect(await devEnv(["--sandbox", "local"], { SPRITES_TOKEN: KEY, LOCAL_SANDBOX_IMAGE: `x:${KEY}` })).toMatchObject(
      { status: 1, out: "" },
    );
    expect(
      await devEnv(["--sandbox", "local"], { LOCAL_SANDBOX_IMAGE: "registry.acme.dev:5000/a:1@sha256:abc" }),
    ).toMatchObject({ status: 0 });
  });

  test.each([[[]], [["--sandbox", "fly"]], [["--sandbox", "boxd", "--worktree", "nowhere"]]])(
    "%j is a wrong command line",
    async (args) => {
      expect(await devEnv(args)).toMatchObject({ status: 2, out: "" });
    },
  );
});
