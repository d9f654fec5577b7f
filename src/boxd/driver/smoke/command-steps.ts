import { expectSame, shell, type SmokeStep } from "./step.ts";

/** Commands: exact status, separate streams, environment, stdin and a deadline that ends the whole process group. */
export const COMMAND_STEPS: readonly SmokeStep[] = [
  {
    title: "run a command: exit code and both streams",
    limitMs: 60_000,
    async run(context, budget) {
      const { exitCode, stdout, stderr } = await shell(context, budget, "printf out; printf err >&2; exit 7");
      expectSame("exit code", 7, exitCode);
      expectSame("stdout", "out", stdout);
      expectSame("stderr", "err", stderr);
    },
  },
  {
    title: "pass an environment value",
    limitMs: 60_000,
    async run(context, budget) {
      const value = "two words, $HOME 'and' \"quotes\"";
      const { stdout } = await shell(context, budget, 'printf %s "$SMOKE_VALUE"', { env: { SMOKE_VALUE: value } });
      expectSame("the value inside", value, stdout);
    },
  },
  {
    title: "feed stdin",
    limitMs: 60_000,
    async run(context, budget) {
      const { stdout } = await shell(context, budget, "cat", { stdin: "line one\nline two\n" });
      expectSame("what cat printed", "line one\nline two\n", stdout);
    },
  },
  {
    title: "end a command at its deadline",
    limitMs: 60_000,
    async run({ driver, id }, budget) {
      const outcome = await driver.exec(
        id,
        { command: "sleep 300 & sleep 300" },
        { budgetMs: 5_000, ...(budget.signal === undefined ? {} : { signal: budget.signal }) },
      );
      expectSame("how it ended", "timeout", outcome.ended);
      if (outcome.ended === "timeout" && !outcome.groupGone)
        throw new Error("the command's process group is still there");
    },
  },
];
