import { lines, type Piece, plainText, type Shown, shown } from "../../../base/shown.ts";
import { counted } from "../../../base/phrase.ts";
import type { Deployment } from "../../../deployment/deployment.ts";
import type { Palette } from "../../../diagnostics/reporters/reporter.ts";
import { type DeploymentStatus, nextStep } from "../../../views/status.ts";
import { tableText } from "../../output.ts";
import type { Member } from "./state.ts";

type Known = Extract<Member, { readonly problem: null }>;

/** A line of the screen: what it is about, whether that is as it should be, and how it is. */
type Row = readonly [title: string, state: "ok" | "todo" | "unknown", says: Piece];

/** One screen about one deployment. */
export function oneStatus({ deployment, directory, status }: Known, palette: Palette): Shown {
  const { inputs, target } = deployment;
  const rows: readonly Row[] = [
    configRow(status),
    ["release", deployment.release.pinned === null ? "unknown" : "ok", releaseText(deployment)],
    secretsRow(status),
    renderedRow(status, directory),
    driftRow(status),
  ];
  const paint = { ok: palette.good, todo: palette.error, unknown: palette.faint };
  const table = rows.map(([title, state, says]) => shown`  ${paint[state](title.padEnd(9))} ${says}`);
  const next = nextStep(status, target);
  const place =
    inputs.directory === null || inputs.directory === "." ? "next" : shown`next, in ${plainText(inputs.directory)}`;
  const last =
    next === null ? shown`nothing is left to do` : shown`${place}: ${next.says}\n  ${plainText(next.command)}`;
  return lines([shown`${palette.strong(plainText(inputs.config.file))}: ${target ?? "no target"}`, ...table, last]);
}

/** A line about each of several deployments. */
export function fleetStatus(members: readonly Member[], palette: Palette): Shown {
  const rows = members.map((member): readonly Piece[] => {
    if (member.deployment === null) return [plainText(member.config), ...Array<string>(6).fill("-"), "cannot be read"];
    const { deployment, status, directory } = member;
    const next = nextStep(status, deployment.target);
    const [config, secrets, rendered, drift] = [
      configRow(status),
      secretsRow(status),
      renderedRow(status, directory),
      driftRow(status),
    ].map(([, state]) => (state === "ok" ? "ok" : state === "todo" ? "no" : "-"));
    return [
      plainText(deployment.inputs.config.file),
      ...[deployment.target ?? "-", deployment.release.resolved, config, secrets, rendered, drift].map(
        (one) => one ?? "",
      ),
      next === null ? "-" : plainText(next.command),
    ];
  });
  const head = ["DEPLOYMENT", "TARGET", "RELEASE", "CONFIG", "SECRETS", "RENDERED", "DRIFT", "NEXT"];
  return tableText([head.map((title) => palette.strong(title)), ...rows]);
}

function configRow({ errors, warnings }: DeploymentStatus): Row {
  const also = warnings === 0 ? "" : `, ${counted(warnings, "warning")}`;
  return ["config", errors === 0 ? "ok" : "todo", errors === 0 ? `sound${also}` : `${counted(errors, "error")}${also}`];
}

function releaseText({ release }: Deployment): string {
  const { pinned, resolved, source } = release;
  if (pinned === null) return `${resolved}, which nothing pins`;
  return pinned === resolved ? `${resolved} (${source})` : `${resolved}, for ${pinned} (${source})`;
}

function secretsRow({ secrets: { required, missing, faults } }: DeploymentStatus): Row {
  if (missing === null)
    return ["secrets", "unknown", `${required} needed; no .env is here, the target's store may have them`];
  if (missing.length > 0) return ["secrets", "todo", `${missing.length} of ${required} missing: ${missing.join(", ")}`];
  return faults === 0 ? ["secrets", "ok", `all ${required} there`] : ["secrets", "todo", counted(faults, "fault")];
}

function renderedRow({ rendered }: DeploymentStatus, directory: string): Row {
  const place = plainText(directory);
  switch (rendered) {
    case "current":
      return ["rendered", "ok", shown`${place} is what the config says`];
    case "stale":
      return ["rendered", "todo", shown`${place} is not what the config says`];
    case "none":
      return ["rendered", "todo", "nothing yet"];
    case "partial":
      return ["rendered", "todo", "something cannot be rendered"];
    case "refused":
      return ["rendered", "todo", "not before the config is sound"];
  }
}

function driftRow({ drift }: DeploymentStatus): Row {
  if (drift === null) return ["drift", "unknown", "not asked for (--drift)"];
  if ("unknown" in drift) return ["drift", "unknown", drift.unknown];
  if (drift.differences === 0) return ["drift", "ok", "what runs is what is rendered"];
  return ["drift", "todo", drift.runs ? counted(drift.differences, "difference") : "nothing runs yet"];
}
