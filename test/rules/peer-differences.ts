/** Rules whose errors qm 0.1.12's `check` does not have, with the reason why we do. */
export const STRICTER_THAN_QM: { readonly [rule: string]: string } = {
  "aws/name-length": "qm does not look at the length of ECS service names; ECS refuses it",
  "aws/secret-suffix": "qm does not look at the name; Secrets Manager does not find the secret (R19)",
  "config/image-reference": "qm takes any text for an image; the machine that starts it refuses it",
  "fly/app-name": "qm does not look at the length; Fly refuses the app",
  "fly/vm-size": "qm takes any text for a size; Fly refuses the machine",
  "layer/duplicate-skill": "qm reads one SKILL.md at a time; core refuses the layer",
  "sandbox/api-url-unreachable": "qm does not look at the address; agents on remote machines fail to call core",
  "sandbox/backend-mismatch": "qm wires one backend and core runs the other",
  "sandbox/backend-not-wired": "qm does not mount the socket, and says nothing",
  "sandbox/blank-backend": "a blank name hides the declared one and its secrets",
  "sandbox/fly-only-field": "qm drops what no backend takes where the backend is named by the environment (issue 2)",
  "sandbox/misplaced-setting": "qm hands the setting to a service that does not read it",
  "sandbox/secondary-equals-primary": "core refuses it, qm does not look at it",
  "services/not-production": "qm does not look at NODE_ENV, which lifts what the services demand",
  "services/unsigned-identity": "qm does not look at it; anybody is then taken for anybody",
  "services/lost-env": "qm replaces the value, and says nothing",
  "settings/text": "qm knows no setting of boxd, which refuses the machine",
  "skills/outside": "qm mounts what a path leads to, wherever that is",
  "skills/whole-deployment": "qm mounts the directory with `.env` in it",
  "secrets/derived-name":
    "qm looks at aws only; elsewhere the secret takes the place of what it sets itself, and `render` refuses the name",
  "secrets/env-value": "qm does not compare the config with `.env`",
  "secrets/secret-in-tool": "qm looks for secrets by names in `env` alone",
  "secrets/secret-value": "qm judges names only, so that a URL with a password passes",
};

/** Fragments that qm 0.1.12 refuses and we do not, with the reason. */
export const QM_ALONE_REFUSES: { readonly [fragment: string]: string } = {
  "config/refused-by-qm bad": "that is what the info says: nothing is wrong with it here",
};
