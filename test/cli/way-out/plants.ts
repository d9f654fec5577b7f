import { randomBytes } from "node:crypto";
import { soundConfig } from "../deployments.ts";

/** Stands in every planted secret; random, so that nothing can know it. */
export const MARK = `zq7${randomBytes(8).toString("hex")}k4`;
/** A secret that nothing but its place gives away, as people make them. */
export const PHRASE = "quokka velvet harbour lantern";
/** Follows every command that a log would obey. */
export const OBEYED = "PWN";
/** What no line of a terminal or a log may do. */
export const COMMANDS = [
  `\u001b[2J`,
  `\n::error::${OBEYED}`,
  `\r\n  ::set-output name=x::${OBEYED}`,
  `##vso[task.setvariable variable=x]${OBEYED}`,
  `##[error]${OBEYED}`,
  `##teamcity[buildStatus text='${OBEYED}']`,
  `\nsection_start:1:x\r\u001b[0K${OBEYED}`,
  `\u202e\u2028\ufffe\uffff`,
].join("");

/** How a secret looks: like nothing known, and as a provider's, which rules recognize as well. */
export const FORMS: { readonly [name: string]: string } = {
  unknown: `${MARK}a`,
  "like plain words, which .env keeps": PHRASE,
  recognized: `ghp_${MARK}${randomBytes(12).toString("hex")}`.slice(0, 44),
};

type Place = (text: string) => object;

/** Every place of a config where text can stand, as fields that are put over the sound one's. */
export const PLACES: { readonly [name: string]: Place } = {
  "a value of env": (text) => ({ env: { core: { FOO: text, BOXD_VCPU: text, SANDBOX_BACKEND: text } } }),
  "a name of env": (text) => ({ env: { core: { [text]: "x" } } }),
  "a service of env": (text) => ({ env: { [text]: { A: "x" } } }),
  "a name of secretEnv": (text) => ({ secretEnv: { core: { [text]: "ACME_A" } } }),
  "a secret of secretEnv": (text) => ({ secretEnv: { core: { ACME_A: text } } }),
  "a value and name of sandbox.env": (text) => ({
    sandbox: { backend: "sprites", app: "x", env: { A: text, [text]: "x" } },
  }),
  "a name of sandbox.secretEnv": (text) => ({ sandbox: { backend: "sprites", app: "x", secretEnv: [text] } }),
  "a backend": (text) => ({ sandbox: { backend: text } }),
  "a field of the sandbox": (text) => ({ sandbox: { backend: "sprites", app: text, image: text, baseImage: text } }),
  "a field of the sandbox that nobody knows": (text) => ({ sandbox: { backend: "boxd", [text]: text } }),
  "a plugin": (text) => ({ plugins: [{ name: "p", image: `x/${text}:1`, env: { [text]: text } }] }),
  "a plugin's name": (text) => ({ plugins: [{ name: text, image: "x/y:1", env: { A: "b" } }] }),
  "a plugin's secret": (text) => ({
    plugins: [{ name: "p", image: "x/y:1", secrets: [{ name: text, description: text }] }],
  }),
  "an unknown field": (text) => ({ [text]: text, nested: { [text]: [text] } }),
  "an image": (text) => ({ imageOverrides: { core: `registry.acme-corp.dev/core:${text}`, [text]: text } }),
  "names of the deployment": (text) => ({ orgId: text, botName: text, brandName: text }),
  addresses: (text) => ({ publicUrl: `https://u:${text}@qm.acme-corp.dev`, apiUrl: `https://x.dev/?token=${text}` }),
  "fields of fly": (text) => ({ target: "fly", region: text, flyOrg: text, appPrefix: text }),
  "fields of aws": (text) => ({
    target: "aws",
    aws: {
      accountId: "123456789012",
      region: text,
      cluster: text,
      objectStoreBucket: text,
      secretsPrefix: text,
      services: { core: { buildArgs: { [text]: text } }, [text]: {} },
    },
  }),
  "a model and a target": (text) => ({ target: text, modelProvider: text, model: text, contract: text }),
  "lists of names": (text) => ({ services: ["core", text], skills: [text] }),
};

/** What stands beside a config, with a text in every place. A file's name is shown, unless it looks like a provider's key. */
export function surroundings(text: string): { readonly [path: string]: string } {
  const name = text === FORMS["unknown"] || text === PHRASE ? "acme" : text.replaceAll("/", "").slice(0, 80);
  return {
    ".env": `BOXD_API_KEY='${MARK}1'\nSMTP_PASSWORD=${PHRASE}\nFOO=${MARK}2\n${MARK}3\nPUBLIC_API_URL=https://u:${MARK}4@x\n`,
    ".gitignore": `node_modules/\n# ${PHRASE}\n${text}\n`,
    "package.json": JSON.stringify({ name: "d", private: true, scripts: { [text]: text }, token: text }, null, 2),
    "sandbox/Dockerfile": `FROM x\nARG API_KEY=${MARK}5\nENV SMTP_PASSWORD ${PHRASE}\nRUN echo ${JSON.stringify(text)}\n`,
    [`sandbox/tools/${name}/tool.json`]: JSON.stringify({ id: text, label: text, [text]: text, auth: { check: text } }),
    [`sandbox/skills/${name}/SKILL.md`]: `---\nname: ${JSON.stringify(text)}\n---\n`,
    [`plugins/${name}/Dockerfile`]: `FROM x\nARG TOKEN=${text}\n`,
    "rendered/docker/core.env": `FOO=${MARK}6\nSMTP_PASSWORD=${PHRASE}\n# ${PHRASE}\n${text}\n`,
    "rendered/docker/compose.yaml": `services:\n  core:\n    environment:\n      SMTP_PASSWORD: ${PHRASE}\n      A: "${MARK}7"\n# ${text}\n`,
    [`rendered/docker/${name}`]: text,
    "rendered/docker/manifest.json": JSON.stringify({ release: "0.1.12", artifacts: [{ name, sha256: text }] }),
    ".github/workflows/check.yml": `env:\n  A: ${JSON.stringify(text)}\n`,
    "AGENTS.md": text,
    "answers.json": JSON.stringify(dockerAnswers(text)),
  };
}

/** What docker might say of core, with a text in every place and a secret in its environment. */
function dockerAnswers(text: string): object {
  const labels = { "com.docker.compose.project": "qm-acme", "com.docker.compose.service": "core", [text]: text };
  const core = {
    Id: "c".repeat(64),
    Name: `/${text}`,
    Image: text,
    State: { Status: text, Running: false },
    Config: {
      Env: [`BOXD_ORG=${MARK}8`, `BOXD_NAME_PREFIX=${text}`, `SMTP_PASSWORD=${PHRASE}`],
      Image: text,
      Labels: labels,
    },
    HostConfig: { PortBindings: { [text]: [{ HostIp: text, HostPort: text }] }, RestartPolicy: { Name: text } },
    Mounts: [{ Type: text, Source: text, Destination: text }],
    NetworkSettings: { Networks: { [text]: { Aliases: [text] } } },
  };
  const stranger = {
    ...core,
    State: { Running: true },
    Config: { ...core.Config, Labels: { ...labels, "com.docker.compose.service": text } },
  };
  return { version: 1, target: "docker", containers: [core, stranger], images: [] };
}

/** The files of one deployment with a text in one place of the config, and another all around it. */
export function planted(place: Place, text: string, around = text): { readonly [path: string]: string } {
  const config = JSON.stringify({ ...(JSON.parse(soundConfig()) as object), ...place(text) }, null, 2);
  const comment = text.replaceAll(/[\n\r*]/g, " ");
  return { "qm.config.jsonc": config.replace("{\n", `{\n  // was ${comment}\n`), ...surroundings(around) };
}
