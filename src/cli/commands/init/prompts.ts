import { EMAIL_TRANSPORTS } from "../../../catalog/services.ts";
import type { Backend } from "../../../catalog/backends/backend.ts";
import { findBackend } from "../../../catalog/backends/index.ts";
import { RELEASES } from "../../../catalog/releases/index.ts";
import type { Release } from "../../../catalog/releases/release.ts";
import {
  MODEL_PROVIDER_NAMES,
  type ModelProviderName,
  TARGET_NAMES,
  type TargetName,
} from "../../../config/written-config.ts";
import * as choices from "../../../scaffold/answers.ts";
import { defaultPublicUrl } from "../../../scaffold/config-text.ts";
import { resourceNames } from "../../../scaffold/resource-names.ts";

/** Where answers come from that the command line does not give. The argument is the answer that is ready. */
export interface Ask {
  org(ready: string): Promise<string>;
  target(ready: TargetName): Promise<TargetName>;
  release(ready: Release): Promise<Release>;
  backend(target: TargetName, release: Release): Promise<Backend>;
  modelProvider(ready: ModelProviderName): Promise<ModelProviderName>;
  /** Null: no sign-in by e-mail, which docker alone can do without. */
  emailTransport(target: TargetName): Promise<string | null>;
  publicUrl(answers: choices.Answers): Promise<string | null>;
  awsAccount(): Promise<string | null>;
}

/** boxd, which every target takes under every release. */
function readyBackend(): Backend {
  return findBackend("boxd") as Backend;
}

/** Asks nobody: every answer is the one that is ready. */
export const NOBODY: Ask = {
  org: (ready) => Promise.resolve(ready),
  target: (ready) => Promise.resolve(ready),
  release: (ready) => Promise.resolve(ready),
  backend: () => Promise.resolve(readyBackend()),
  modelProvider: (ready) => Promise.resolve(ready),
  emailTransport: (target) => Promise.resolve(target === "docker" ? null : "resend"),
  publicUrl: () => Promise.resolve(null),
  awsAccount: () => Promise.resolve(null),
};

/** The user ended a question. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}

const TARGET_SAYS: { readonly [target in TargetName]: string } = {
  docker: "containers on one host",
  fly: "apps on Fly.io",
  aws: "ECS tasks in your AWS account",
};

/** The two kinds of question at a terminal; each throws `Cancelled` when the user ends it. */
async function questions() {
  const { isCancel, select, text } = await import("@clack/prompts");
  const answered = (answer: string | symbol): string => {
    if (isCancel(answer) || typeof answer === "symbol") throw new Cancelled();
    return answer;
  };
  return {
    choose: async (
      message: string,
      options: readonly { readonly value: string; readonly label: string; readonly hint?: string }[],
      ready: string,
    ): Promise<string> => answered(await select({ message, options: [...options], initialValue: ready })),

    write: async <T>(
      message: string,
      ready: string,
      read: (written: string) => choices.AnswerReading<T>,
    ): Promise<T | null> => {
      const validate = (written: string | undefined): string | undefined => {
        const choice = read((written ?? "").trim() || ready);
        return "value" in choice || ((written ?? "").trim() === "" && ready === "") ? undefined : choice.help;
      };
      const answer = answered(await text({ message, placeholder: ready, defaultValue: ready, validate })).trim();
      const choice = read(answer === "" ? ready : answer);
      return "value" in choice ? choice.value : null;
    },
  };
}

/** Asks at the terminal. */
export async function terminal(): Promise<Ask> {
  const { choose, write } = await questions();
  return {
    org: async (ready) => (await write("Short name of your organisation", ready, choices.readOrg)) ?? ready,
    target: async (ready) =>
      (await choose(
        "Where do qm's services run?",
        TARGET_NAMES.map((value) => ({ value, label: value, hint: TARGET_SAYS[value] })),
        ready,
      )) as TargetName,
    release: async (ready) => {
      const options = RELEASES.toReversed().map(({ version }) => ({ value: version, label: `qm ${version}` }));
      const version = await choose("Which release of qm?", options, ready.version);
      return RELEASES.find((release) => release.version === version) ?? ready;
    },
    backend: async (target, release) => {
      const options = choices
        .backendsFor(target, release)
        .map(({ name, title, summary }) => ({ value: name, label: title, hint: summary }));
      return findBackend(await choose("Where do agents work?", options, readyBackend().name)) ?? readyBackend();
    },
    modelProvider: async (ready) =>
      (await choose(
        "Whose models do they use?",
        MODEL_PROVIDER_NAMES.map((value) => ({ value, label: value })),
        ready,
      )) as ModelProviderName,
    emailTransport: async (target) => {
      const none =
        target === "docker"
          ? [{ value: "none", label: "no sign-in", hint: "for trying it out: whoever reaches it is in" }]
          : [];
      const answer = await choose(
        "How are sign-in e-mails sent?",
        [...none, ...EMAIL_TRANSPORTS.map((value) => ({ value, label: value }))],
        target === "docker" ? "none" : "resend",
      );
      return answer === "none" ? null : answer;
    },
    publicUrl: (answers) =>
      write(
        "Where will people open qm?",
        defaultPublicUrl(
          answers,
          resourceNames(answers.org, () => ""),
        ),
        (written) => choices.readPublicUrl(written, answers.target),
      ),
    awsAccount: () => write("AWS account (12 digits; empty: later)", "", choices.readAwsAccount),
  };
}
