import { shellWord } from "../../../base/shell-word.ts";
import { joined, plainText, type Shown, shown } from "../../../base/shown.ts";
import { RELEASE_VERSIONS } from "../../catalog-names.generated.ts";
import { formatVersion, parseVersion } from "../../../deployment/release/version.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { isToolkitFault } from "../../../rules/blocking.ts";
import { upgradeMarkdown } from "../../../views/upgrade/markdown.ts";
import { planUpgrade, type UpgradePlan } from "../../../views/upgrade/plan.ts";
import { upgradeText } from "../../../views/upgrade/text.ts";
import { upgradeView } from "../../../views/upgrade/upgrade.ts";
import { configAt } from "../../../workspace/find-deployments.ts";
import { loadUsable } from "../../../workspace/load-deployment.ts";
import { displayName } from "../../../workspace/paths.ts";
import { PartlyWritten, writeTogether } from "../../../workspace/write-together.ts";
import { hasOption, type Invocation, textOption, wantsJson } from "../../command-definition.ts";
import { deploymentPath, loadFlags } from "../../deployment-argument.ts";
import { INTERNAL, PASSED, PROBLEMS, USAGE } from "../../exit-status.ts";
import { paletteFor, printError, printJson, usageError } from "../../output.ts";
import { printDiagnostics, reportInputProblem, reportWriteErrors } from "../../reporting.ts";
import { differingFiles } from "../render/outcome.ts";
import { bindProblem, renderOptionsOf } from "../render/flags.ts";
import { type RenderFlags, renderOne } from "../render/render-one.ts";
import { type PinPlace, pinPlace } from "./pin-place.ts";

/** A package.json that is there for the pin alone. */
const NEW_PACKAGE = '{\n  "private": true\n}\n';

/** `qm-deploy upgrade`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const version = parseVersion(args[0] ?? "");
  if (version === null)
    return usageError(io, "the release is no exact version of qm", `known are ${RELEASE_VERSIONS.join(" and ")}`);
  const flags = renderFlags(invocation);
  const wrong = bindProblem(flags.options.bind);
  if (wrong !== null) return usageError(io, wrong);
  if (args[1] === "-") return usageError(io, "a config on stdin has no package.json to pin qm in: name a deployment");
  const config = configAt(deploymentPath(io, args[1]), io.cwd);
  const release = textOption(invocation, "from-release");
  const loaded = loadUsable(config, {
    ...{ cwd: io.cwd, ...loadFlags(invocation), release },
    most: Number.POSITIVE_INFINITY,
  });
  if (loaded.problem !== undefined) return reportInputProblem(io, loaded.problem, wantsJson(invocation));
  const asked = textOption(invocation, "pin");
  const place = pinPlace(loaded.deployment, config.path, io.cwd, asked);
  if ("missing" in place) return usageError(io, place.missing, "--pin own makes a pin for this deployment");
  const shared = asked === undefined && place.others.length > 0 ? sharedWith(place, io.cwd) : null;
  if (shared !== null && hasOption(invocation, "write")) return usageError(io, shared, SHARED_HELP);
  const plan = planUpgrade(loaded.deployment, {
    ...{ version: formatVersion(version), place: place.relation, newPackage: NEW_PACKAGE },
    publishedImages: hasOption(invocation, "published-images"),
  });
  if ("refused" in plan) {
    printError(io, plan.refused, "pin the release there by hand, and run `qm-deploy check` and `qm-deploy render`");
    return PROBLEMS;
  }
  if (shared !== null) io.stderr.write(shown`warning: ${shared}; ${SHARED_HELP}\n`);
  const files = hasOption(invocation, "write")
    ? await write(invocation, plan, { place, config: config.path, flags })
    : null;
  if (typeof files === "number") return files;
  const status = await report(invocation, plan, files);
  if (files !== null) io.stderr.write(othersText(place, loaded.deployment.release.resolved, formatVersion(version)));
  return status;
}

const SHARED_HELP = "--pin shared moves them all, --pin own gives this one a pin of its own";

function sharedWith({ path, others }: PinPlace, cwd: string): string {
  const [first = "", ...more] = others;
  const and = more.length === 0 ? "" : ` and ${more.length} more`;
  return `\`${displayName(path, cwd)}\` pins qm for the deployment in \`${first}\`${and} too`;
}

/** What is left to do for the deployments whose pin went with this one's. */
function othersText({ others }: PinPlace, from: string, to: string): Shown {
  if (others.length === 0) return shown``;
  const lines = others.map((directory) => {
    const command = `qm-deploy upgrade ${to} ${shellWord(directory)} --from-release ${from} --pin shared --write`;
    return shown`  ${plainText(command)}\n`;
  });
  return shown`info: qm ${to} reads these too from now on; bring each up to date\n${joined(lines, "")}`;
}

/** What is no longer rendered goes: `render --check` would call it stale. */
function renderFlags(invocation: Invocation): RenderFlags {
  return {
    check: false,
    force: false,
    prune: true,
    only: null,
    out: textOption(invocation, "out"),
    options: renderOptionsOf(invocation),
  };
}

/** Where an upgrade is written to. */
interface Places {
  readonly place: PinPlace;
  readonly config: string;
  readonly flags: RenderFlags;
}

/** Rendering ended without files, so that nothing of the upgrade is kept. */
class NotRendered extends Error {
  readonly findings: readonly Diagnostic[];
  constructor(findings: readonly Diagnostic[]) {
    super("not rendered");
    this.findings = findings;
  }
}

/** The files that an upgrade wrote and took away, as they are called here. */
interface Written {
  readonly written: readonly string[];
  readonly removed: readonly string[];
}

/** The files that were written, all or none, as they are called here; null where something stands in the way; a status where writing failed. */
async function write(
  { io }: Invocation,
  plan: UpgradePlan,
  { place, config, flags }: Places,
): Promise<Written | null | number> {
  const { before, after, pin, obstacles } = plan;
  if (obstacles.length > 0) return null;
  const edits = [
    { path: config, before: before.inputs.config.text, after: after.inputs.config.text },
    { path: place.path, before: pin.before, after: pin.after },
  ];
  let files: Written = { written: [], removed: [] };
  const work = async (): Promise<number> => {
    const rendered = await writeTogether(edits, async () => {
      const outcome = await renderOne(after, flags, io.cwd);
      if ("problem" in outcome) throw new NotRendered([outcome.problem]);
      if (outcome.action !== "write" || outcome.plan === null)
        throw new NotRendered(outcome.plan?.refusals ?? outcome.findings);
      return { shown: outcome.shown, plan: outcome.plan };
    });
    const taken = rendered.plan.stale.filter(({ removable }) => removable);
    files = {
      written: [
        ...edits.filter((edit) => edit.before !== edit.after).map(({ path }) => displayName(path, io.cwd)),
        ...differingFiles(rendered.plan).map(({ artifact }) => `${rendered.shown}/${artifact.name}`),
      ],
      removed: taken.map(({ name }) => `${rendered.shown}/${name}`),
    };
    return PASSED;
  };
  try {
    const status = await reportWriteErrors(io, work);
    return status === PASSED ? files : status;
  } catch (error) {
    if (error instanceof NotRendered) {
      await printDiagnostics(io, after, error.findings);
      printError(io, "nothing was written");
      return error.findings.some(({ rule }) => rule.startsWith("input/")) ? USAGE : PROBLEMS;
    }
    if (!(error instanceof PartlyWritten)) throw error;
    const names = error.written.map((path) => `\`${displayName(path, io.cwd)}\``).join(" and ");
    return usageError(
      io,
      `${names} could not be taken back, and nothing else was written`,
      "`git diff` shows what is new there",
    );
  }
}

/** Says what the upgrade is, and what was written: null where nothing was. */
async function report(invocation: Invocation, plan: UpgradePlan, files: Written | null): Promise<number> {
  const { io } = invocation;
  const view = upgradeView(plan);
  const { obstacles } = plan;
  const palette = await paletteFor(io, io.stdout);
  if (wantsJson(invocation))
    printJson(io, { ...view, written: files?.written ?? null, removed: files?.removed ?? null });
  else {
    const isGithub = textOption(invocation, "format") === "github";
    io.stdout.write(isGithub ? upgradeMarkdown(view) : upgradeText(view, palette));
    if (obstacles.length > 0) await printDiagnostics(io, plan.after, obstacles);
    io.stderr.write(verdict(hasOption(invocation, "write"), obstacles.length, files));
  }
  if (obstacles.some(isToolkitFault)) return INTERNAL;
  return obstacles.length > 0 ? PROBLEMS : PASSED;
}

function verdict(isWriting: boolean, obstacles: number, files: Written | null): Shown {
  if (obstacles > 0)
    return shown`error: ${isWriting ? "nothing was written" : "--write would write nothing"}: ${obstacles === 1 ? "an error remains" : `${obstacles} errors remain`}\n`;
  if (files === null)
    return shown`info: nothing was written; --write changes the pin, the config and the rendered files\n`;
  const { written, removed } = files;
  if (written.length + removed.length === 0)
    return shown`info: everything was as it should be, and nothing was written\n`;
  const told = [
    ...(written.length === 0 ? [] : [`written: ${written.join(", ")}`]),
    ...(removed.length === 0 ? [] : [`removed: ${removed.join(", ")}`]),
  ];
  return shown`info: ${plainText(told.join("; "))}\n`;
}
