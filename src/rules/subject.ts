import type { Deployment } from "../deployment/deployment.ts";
import type { Rule } from "./rule.ts";

/** What some rules are about, and whether a deployment has it. */
const SUBJECTS = {
  docker: ({ target }) => target === "docker",
  fly: ({ target }) => target === "fly",
  aws: ({ target }) => target === "aws",
  envFile: ({ env }) => env !== null,
  secretEnv: ({ config }) => isFilled(config.secretEnv),
  ownSecrets: ({ config }) => isFilled(config.secretEnv) || isFilled(config.plugins),
  images: ({ config }) =>
    isFilled(config.imageOverrides) || isFilled(config.plugins) || config.sandbox?.image !== undefined,
  plugins: ({ config, inputs }) => isFilled(config.plugins) || inputs.pluginsTree.length > 0,
  skills: ({ document, inputs }) => inputs.skillsPaths.length > 0 || document.node(["skills"]) !== undefined,
  layer: ({ inputs }) => inputs.sandboxTree.length > 0,
  sandboxFields: ({ document }) => {
    const written = document.value(["sandbox"]);
    return typeof written === "object" && written !== null && Object.keys(written).some((name) => name !== "backend");
  },
  portal: ({ services }) => services.includes("portal") || services.includes("auth"),
} as const satisfies { readonly [name: string]: (deployment: Deployment) => boolean };

export type Subject = keyof typeof SUBJECTS;

const NAMES = Object.keys(SUBJECTS) as Subject[];
const TESTS = NAMES.map((name) => SUBJECTS[name]);

/**
 * Rules that find nothing where a deployment does not have their subject, so that judging does not ask them there: of a
 * fleet's deployments most have no `.env`, plugins or layer, and each is on one target. It spares work and decides
 * nothing: a rule is true by itself, without it (the fuzz tests judge both ways).
 */
export function about(subject: Subject, rules: readonly Rule[]): readonly Rule[] {
  return rules.map((rule) => ({ ...rule, about: subject }));
}

/** The rules of a list that may find something in a deployment. */
export type RuleChoice = (deployment: Deployment) => readonly Rule[];

/** Chooses from a list, once for each combination of subjects. */
export function choosingFrom(rules: readonly Rule[]): RuleChoice {
  const known = new Map<number, readonly Rule[]>();
  return (deployment) => {
    let present = 0;
    for (let bit = 0; bit < TESTS.length; bit++) if (has(deployment, TESTS[bit])) present |= 1 << bit;
    let chosen = known.get(present);
    if (chosen === undefined) {
      chosen = rules.filter(
        ({ about: subject }) => subject === undefined || (present & (1 << NAMES.indexOf(subject))) !== 0,
      );
      known.set(present, chosen);
    }
    return chosen;
  };
}

/** A subject that cannot be told is taken for present: asking too much costs nobody a finding. */
function has(deployment: Deployment, test: ((deployment: Deployment) => boolean) | undefined): boolean {
  try {
    return test?.(deployment) ?? true;
  } catch {
    return true;
  }
}

function isFilled(value: object | undefined): boolean {
  return value !== undefined && Object.keys(value).length > 0;
}
