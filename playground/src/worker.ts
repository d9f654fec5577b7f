/** Judges in a thread of its own, so that typing never waits for it. */
import {
  checkText,
  completeEnvTextAt,
  completeTextAt,
  type DiagnosticView,
  drawText,
  explainText,
  explainTextAt,
  fixText,
  RELEASE_VERSIONS,
  renderText,
  secretsOfText,
  TARGET_NAMES,
  type TextOptions,
} from "qm-deploy/pure";

/** What the page asks, by name. */
const ANSWERS = {
  known: () => ({ targets: TARGET_NAMES, releases: RELEASE_VERSIONS }),
  judge: (config: string, options: TextOptions, strict: boolean) => ({
    config,
    view: checkText(config, { ...options, strict }),
    rendered: renderText(config, options),
    secrets: secretsOfText(config, options),
  }),
  fix: (config: string, which: "safe" | "all" | DiagnosticView, options: TextOptions) =>
    fixText(config, which, options),
  explain: (config: string, thing: string, options: TextOptions) => explainText(config, thing, options),
  explainAt: (config: string, offset: number, options: TextOptions) => explainTextAt(config, offset, options),
  complete: (config: string, offset: number, options: TextOptions) => completeTextAt(config, offset, options),
  completeEnv: (config: string, offset: number, options: TextOptions) => completeEnvTextAt(config, offset, options),
  draw: (config: string, format: "svg" | "mermaid", options: TextOptions) => drawText(config, format, options),
};

export type Answers = typeof ANSWERS;

/** Everything that is known of one state of the texts. */
export type Judged = ReturnType<Answers["judge"]>;

interface Question {
  readonly id: number;
  readonly name: keyof Answers;
  readonly args: readonly never[];
}

self.addEventListener("message", async ({ data }: MessageEvent<Question>) => {
  const { id, name, args } = data;
  try {
    const answer = ANSWERS[name] as (...all: readonly never[]) => unknown;
    self.postMessage({ id, value: await answer(...args) });
  } catch (error) {
    self.postMessage({ id, error: String(error) });
  }
});
