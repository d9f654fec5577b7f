import { ours } from "../../../base/shown.ts";
import { declarableBackends } from "../../../catalog/backends/index.ts";
import { NEWEST, RELEASES } from "../../../catalog/releases/index.ts";
import { wordsOf } from "../../../catalog/settings/index.ts";
import { MODEL_PROVIDER_NAMES, TARGET_NAMES } from "../../../config/written-config.ts";
import type { Deployment } from "../../../deployment/deployment.ts";
import * as scaffold from "../../../scaffold/answers.ts";
import { defaultPublicUrl } from "../../../scaffold/config-text.ts";
import { resourceNames } from "../../../scaffold/resource-names.ts";
import type { ProcessIo } from "../../process-io.ts";
import { askChoice, askText, type Choice } from "../../prompts.ts";

interface QuestionAbout<Name extends keyof scaffold.Answers> {
  readonly name: Name;
  readonly option: string;
  readonly read: (
    written: string,
    decided: scaffold.Answers,
  ) => scaffold.AnswerReading<NonNullable<scaffold.Answers[Name]>>;
  /** True where `read` needs the answers above, so that the option cannot be judged before them. */
  readonly restsOnAbove?: true;
  /** The answer where nobody gives one, as it would be written. What cannot be read (`none`, nothing) leaves the answer open. */
  readonly ready: (decided: scaffold.Answers) => string;
  readonly message: string;
  readonly choices?: (decided: scaffold.Answers) => readonly Choice[];
  /** What a config that is kept says instead. */
  readonly kept: (deployment: Deployment) => string | null | undefined;
}

/** A question that decides one part of a new deployment. */
export type Question = {
  [Name in Exclude<keyof scaffold.Answers, "toolkit" | "action">]: QuestionAbout<Name>;
}[Exclude<keyof scaffold.Answers, "toolkit" | "action">];

const EMAIL_TRANSPORTS = wordsOf("auth.emailTransport", NEWEST);

const TARGET_HINTS = {
  docker: "containers on one host",
  fly: "apps on Fly.io",
  aws: "ECS tasks in your AWS account",
};

const NO_SIGN_IN = { value: "none", label: "no sign-in", hint: "for trying it out: whoever reaches it is in" };

const named = (value: string): Choice => ({ value, label: value });

/** Every question, in the order of asking. */
export const QUESTIONS: readonly Question[] = [
  {
    name: "org",
    option: "org",
    read: scaffold.readOrg,
    ready: ({ org }) => org,
    message: "Short name of your organisation",
    kept: ({ config }) => config.orgId,
  },
  {
    name: "target",
    option: "target",
    read: (written) => scaffold.oneOf(written, TARGET_NAMES, "hosting target"),
    ready: () => "docker",
    message: "Where do qm's services run?",
    choices: () => TARGET_NAMES.map((value) => ({ ...named(value), hint: TARGET_HINTS[value] })),
    kept: ({ target }) => target,
  },
  {
    name: "release",
    option: "release",
    read: scaffold.readReleaseName,
    ready: ({ release }) => release.version,
    message: "Which release of qm?",
    choices: () => RELEASES.toReversed().map(({ version }) => ({ value: version, label: `qm ${version}` })),
    kept: ({ release }) => release.resolved,
  },
  {
    name: "backend",
    option: "backend",
    read: (written, { target, release }) => scaffold.readBackend(written, target, release),
    restsOnAbove: true,
    // Every target takes it under every release.
    ready: () => "boxd",
    message: "Where do agents work?",
    choices: ({ target, release }) =>
      declarableBackends(target, release).map(({ name, title, summary }) => ({
        value: name,
        label: title,
        hint: summary,
      })),
    kept: ({ sandbox }) => sandbox.effective?.name,
  },
  {
    name: "modelProvider",
    option: "model-provider",
    read: (written) => scaffold.oneOf(written, MODEL_PROVIDER_NAMES, "model provider"),
    ready: () => "anthropic",
    message: "Whose models do they use?",
    choices: () => MODEL_PROVIDER_NAMES.map(named),
    kept: ({ config }) => config.modelProvider,
  },
  {
    name: "emailTransport",
    option: "email-transport",
    read: (written) => scaffold.oneOf(written, EMAIL_TRANSPORTS, "way to send e-mails"),
    ready: ({ target }) => (target === "docker" ? NO_SIGN_IN.value : "resend"),
    message: "How are sign-in e-mails sent?",
    choices: ({ target }) => [...(target === "docker" ? [NO_SIGN_IN] : []), ...EMAIL_TRANSPORTS.map(named)],
    kept: ({ config }) => config.env?.auth?.["AUTH_EMAIL_TRANSPORT"],
  },
  {
    name: "publicUrl",
    option: "public-url",
    read: (written, { target }) => scaffold.readPublicUrl(written, target),
    restsOnAbove: true,
    ready: (decided) =>
      defaultPublicUrl(
        decided,
        resourceNames(decided.org, () => ""),
      ),
    message: "Where will people open qm?",
    kept: ({ publicOrigin }) => publicOrigin,
  },
  {
    name: "awsAccount",
    option: "aws-account",
    read: scaffold.readAwsAccount,
    ready: () => "",
    message: "AWS account (12 digits; empty: later)",
    kept: ({ config }) => config.aws?.accountId,
  },
];

/** Gets the answer to a question that the command line does not give, as it would be written there. */
export type Ask = (question: Question, decided: scaffold.Answers) => Promise<string>;

/** Asks nobody: every answer is the one that is ready. */
export const askNobody: Ask = (question, decided) => Promise.resolve(question.ready(decided));

/**
 * Asks at the terminal.
 *
 * @throws {Interrupted} when the user ends the question
 */
export function askAtTerminal(io: ProcessIo): Ask {
  return async (question, decided) => {
    const { message, choices } = question;
    const ready = question.ready(decided);
    const validate = (written = ""): string | undefined => {
      const reading = question.read(written.trim() || ready, decided);
      return "value" in reading || (written.trim() === "" && ready === "") ? undefined : reading.help;
    };
    const answer =
      choices === undefined
        ? await askText(io, ours(message), ready, validate)
        : await askChoice(io, ours(message), choices(decided), ready);
    return answer.trim() || ready;
  };
}
