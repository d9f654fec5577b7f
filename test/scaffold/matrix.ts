import { BACKENDS } from "../../src/catalog/backends/index.ts";
import { declarableTargets } from "../../src/catalog/backends/index.ts";
import { RELEASES } from "../../src/catalog/releases/index.ts";
import { TARGET_NAMES } from "../../src/config/written-config.ts";
import type { Answers } from "../../src/scaffold/answers.ts";

const BASE: Omit<Answers, "target" | "backend" | "release"> = {
  org: "acme",
  modelProvider: "anthropic",
  emailTransport: null,
  publicUrl: null,
  awsAccount: null,
  toolkit: null,
  action: null,
};

function variant(name: string, answers: Answers): readonly [string, Answers] {
  return [
    `${answers.target} ${answers.backend.name} ${answers.release.version}${name === "" ? "" : ` ${name}`}`,
    answers,
  ];
}

/** Every target with each backend that it takes under both releases. */
export const COMBINATIONS: readonly (readonly [name: string, answers: Answers])[] = TARGET_NAMES.flatMap((target) =>
  RELEASES.flatMap((release) =>
    BACKENDS.filter((backend) => declarableTargets(backend, release).includes(target)).map((backend) =>
      variant("", { ...BASE, target, release, backend, emailTransport: target === "docker" ? null : "resend" }),
    ),
  ),
);

/** The same with other answers: model providers, e-mails, addresses, accounts, and orgs that strain every limit. */
export const VARIANTS: readonly (readonly [name: string, answers: Answers])[] = COMBINATIONS.filter(
  ([, { backend }]) => backend.name === "boxd",
).flatMap(([, answers]) => [
  variant("openai, smtp", { ...answers, modelProvider: "openai", emailTransport: "smtp" }),
  variant("openrouter, resend", { ...answers, modelProvider: "openrouter", emailTransport: "resend" }),
  variant("a real address and account", { ...answers, publicUrl: "https://qm.acme.dev", awsAccount: "210987654321" }),
  variant("an org of 63 characters", { ...answers, org: `${"long-org-".repeat(6)}123456789` }),
  variant("an org that begins with a digit", { ...answers, org: "4--all" }),
  variant("an org of one letter", { ...answers, org: "a", emailTransport: "resend" }),
]);
