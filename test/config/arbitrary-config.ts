import fc from "fast-check";

export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,12}[a-z0-9])?$/);
const envName = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/).filter((name) => name !== "__proto__");
const digest = fc.stringMatching(/^[0-9a-f]{64}$/);
const image = fc.oneof(
  fc.constant("ghcr.io/acme/core:1"),
  digest.map((hex) => `ghcr.io/acme/core@sha256:${hex}`),
);
const origin = fc
  .tuple(fc.constantFrom("http", "https"), label, fc.constantFrom("", ":8080", "/"))
  .map(([scheme, host, tail]) => `${scheme}://${host}.acme.dev${tail}`);
const roleArn = fc.stringMatching(/^[1-9][0-9]{11}$/).map((account) => `arn:aws:iam::${account}:role/qm`);
const envMap = fc.dictionary(envName, fc.string(), { maxKeys: 3 });

function some(shape: { [key: string]: fc.Arbitrary<unknown> }, required: string[] = []): fc.Arbitrary<Plain> {
  return fc.record(shape, { requiredKeys: required }) as fc.Arbitrary<Plain>;
}

function perService(value: fc.Arbitrary<unknown>): fc.Arbitrary<Plain> {
  return some({ core: value, "web-ui": value, admin: value, portal: value, auth: value });
}

const awsService = some({
  ecrRepository: label,
  ecsService: label,
  cpu: fc.integer({ min: 1, max: 16384 }),
  memory: fc.integer({ min: 1, max: 122880 }),
  taskRoleArn: roleArn,
  assumeRoleArns: fc.array(roleArn, { minLength: 1, maxLength: 2 }),
  publicPaths: fc.uniqueArray(
    label.map((name) => `/x${name}/*`),
    { minLength: 1, maxLength: 5 },
  ),
  architecture: fc.constantFrom("arm64", "amd64"),
  stopTimeout: fc.integer({ min: 2, max: 120 }),
  buildArgs: fc.dictionary(fc.constantFrom("A", "B c"), fc.string()),
  dockerfile: fc.constantFrom("Dockerfile", "docker/core.Dockerfile"),
});

const aws = some({
  accountId: fc.stringMatching(/^[1-9][0-9]{11}$/),
  region: fc.constantFrom("us-west-2", "eu-central-1"),
  cluster: fc.constant("acme"),
  networking: some({ cloudMapNamespace: fc.constantFrom("qm.internal", "x") }),
  deploymentState: some({ table: fc.constant("state"), namespace: fc.constant("ns") }),
  sharedAlb: fc.boolean(),
  dbRetentionMinDays: fc.integer({ min: 0, max: 35 }),
  objectStoreBucket: fc.constant("acme-store"),
  deployBranch: fc.constantFrom("main", "release/1.0"),
  services: fc.dictionary(label, awsService, { maxKeys: 2 }),
});

/** Configs of the right shape (not necessarily ones that make sense together). */
export const soundConfigs: fc.Arbitrary<Plain> = some(
  {
    $schema: fc.string(),
    contract: fc.constant(1),
    orgId: label,
    publicUrl: origin,
    apiUrl: origin,
    target: fc.constantFrom("docker", "fly", "aws"),
    modelProvider: fc.constantFrom("anthropic", "openai", "openrouter"),
    basePort: fc.integer({ min: 1, max: 65533 }),
    services: fc.array(fc.constantFrom("core", "web-ui", "slack", "auth"), { maxLength: 3 }),
    plugins: fc.array(
      some(
        {
          name: label.map((name) => `x${name}`.slice(0, 60).replace(/-$/, "")),
          image,
          env: envMap,
          secrets: fc.array(some({ name: envName, required: fc.boolean() }, ["name"]), { maxLength: 2 }),
          coreAccess: fc.boolean(),
        },
        ["name"],
      ),
      { maxLength: 2 },
    ),
    skills: fc.array(fc.constantFrom("./skills", "a b"), { maxLength: 2 }),
    env: perService(envMap),
    secretEnv: perService(fc.dictionary(envName, envName, { maxKeys: 2 })),
    securityScreen: fc.oneof(
      fc.constantFrom<Plain>({ backend: "off" }, { backend: "model" }),
      some(
        {
          backend: fc.constant("proxy"),
          provider: fc.constant("acme"),
          endpoint: fc.constant("https://screen.acme.dev/v1"),
          rollout: fc.constantFrom("shadow", "enforce"),
        },
        ["backend", "provider", "endpoint", "rollout"],
      ),
    ),
    vms: perService(
      some({ size: fc.constant("shared-cpu-1x"), memory: fc.constantFrom("512", "256mb", "2gb", "1GiB") }),
    ),
    imageOverrides: perService(image),
    sandbox: some({
      backend: fc.constantFrom("boxd", "sprites", "local"),
      app: label,
      image,
      baseImage: digest.map((hex) => `debian:12@sha256:${hex}`),
      env: envMap,
      secretEnv: fc.array(envName, { maxLength: 2 }),
    }),
    botName: fc.constantFrom("QM", " Acme bot "),
    orgName: fc.constantFrom("Acme", "Ünï & Co"),
    appPrefix: label,
    region: fc.constantFrom("sjc", "docker"),
    aws,
    "//": fc.constantFrom<Plain>("note", { any: ["thing"] }),
  },
  ["contract", "orgId", "publicUrl", "target", "services"],
);

const junk: fc.Arbitrary<Plain> = fc.oneof(
  fc.constantFrom<Plain>(
    null,
    true,
    0,
    1,
    2,
    -1,
    1.5,
    65534,
    1e9,
    "",
    " ",
    "a",
    "A b",
    "a..b",
    "a--b",
    "https://a.dev/x",
    "@sha256:ab",
    "0",
    [],
    ["a"],
    {},
    { a: 1 },
    { "//": 1 },
  ),
  fc.string({ maxLength: 5 }),
  label,
);

/** One change that may or may not break a config: by number, so that it shrinks. */
export const mutations = fc.record({
  at: fc.nat(10_000),
  kind: fc.nat(3),
  value: junk,
  key: fc.constantFrom("//", "x", "A_B", "A B", "core", "name", "image", "backend", "toString", ""),
});
export type Mutation = typeof mutations extends fc.Arbitrary<infer T> ? T : never;

/** Changes one place of a plain value in itself. */
export function mutate(root: Plain, { at, kind, value: junkValue, key }: Mutation): void {
  // A value of its own, since the next mutation may change it.
  const value = structuredClone(junkValue);
  const places: { holder: { [key: string]: Plain } | Plain[]; step: string | number }[] = [];
  const visit = (node: Plain): void => {
    if (node === null || typeof node !== "object") return;
    for (const step of Array.isArray(node) ? node.keys() : Object.keys(node)) {
      places.push({ holder: node, step });
      visit((node as { [key: string | number]: Plain })[step] as Plain);
    }
  };
  visit(root);
  const place = places[at % places.length];
  if (place === undefined) return;
  const holder = place.holder as { [key: string | number]: Plain };
  const inside: Plain | undefined = holder[place.step];
  if (kind === 0) holder[place.step] = value;
  else if (kind === 1 && !Array.isArray(holder)) delete holder[place.step];
  else if (kind === 2 && inside !== null && typeof inside === "object" && !Array.isArray(inside))
    Object.assign(inside, { [key]: value });
  else if (Array.isArray(inside)) inside.push(value);
  else if (!Array.isArray(place.holder)) place.holder[key] = value;
}
