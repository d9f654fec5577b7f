import { NEWEST, RELEASE_VERSIONS, RELEASES } from "../../catalog/releases/index.ts";
import type { Release } from "../../catalog/releases/release.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { ReleaseChoice } from "../deployment.ts";
import type { DeploymentInputs } from "../inputs.ts";
import { isToolkit, QM_PACKAGE, readPin } from "./pin.ts";
import { RELEASE_RULES } from "./rules.ts";
import { compareVersions, formatVersion, lowestVersion, parseVersion, type Version } from "./version.ts";

/** A version that was asked for, and where. */
interface Request {
  readonly source: ReleaseChoice["source"];
  /** Null where the pin is not even a string. */
  readonly specifier: string | null;
  readonly file: string;
  /** Asked for only where something is said about it. */
  readonly range: () => SourceRange | null;
}

/** Lets in every version, so that npm installs the newest: as good as a tag. */
const ANY = /^(?:[xX*](?:\.[xX*]){0,2})?$/;

/** Chooses the release that interprets a deployment directory: `--release`, its own pin, the nearest pin above it, or the assumed one. */
export function chooseRelease(
  inputs: Pick<DeploymentInputs, "config" | "flags" | "packageFiles" | "unreadPackages">,
): ReleaseChoice {
  const notices: Diagnostic[] = [];
  const request = findRequest(inputs, notices);
  const specifier = request?.specifier?.trim() ?? null;
  const lowest = specifier === null || ANY.test(specifier) ? null : lowestVersion(withoutAlias(specifier));
  if (request === null || lowest === null) {
    const { config, unreadPackages = [] } = inputs;
    if (request !== null) notices.push(unreadable(request));
    else notices.push(...(unreadPackages.length > 0 ? unreadPackages : [assumed(config)]));
    return { release: NEWEST, pinned: null, resolved: NEWEST.version, source: "default", notices };
  }
  const version = formatVersion(lowest.version);
  const release = nearestRelease(lowest.version);
  if (!lowest.exact) {
    const message = `the pin of qm is a range (\`${specifier}\`), and is read as its lowest version ${version}`;
    notices.push(notice(request, "range", message, "pin the exact version that the deployment runs"));
  }
  if (release.version !== version) notices.push(unknownVersion(request, lowest.version, release));
  return { release, pinned: specifier, resolved: release.version, source: request.source, notices };
}

function findRequest(inputs: Parameters<typeof chooseRelease>[0], notices: Diagnostic[]): Request | null {
  if (inputs.flags.release !== null) {
    return { source: "flag", specifier: inputs.flags.release, file: inputs.config.file, range: () => null };
  }
  for (const file of inputs.packageFiles) {
    const isOwn = file.relation === "own";
    if (!isOwn && isToolkit(file)) continue;
    const pin = readPin(file);
    if (pin.kind === "pin") {
      const { specifier, range } = pin;
      return { source: isOwn ? "package.json" : "parent package.json", specifier, file: file.file, range };
    }
    if (pin.kind === "unreadable-file") {
      const message = `is not JSON, so no pin of \`${QM_PACKAGE}\` can be read from it`;
      const help = "fix its syntax; `npm pkg get name` shows where it breaks";
      notices.push(notice({ file: file.file, range: () => null }, "packageFile", message, help, "npm pkg get name"));
    }
  }
  return null;
}

/** The known release at or below a version, else the oldest. */
export function nearestRelease(version: Version): Release {
  const notNewer = RELEASES.filter((release) => compareVersions(versionOf(release), version) <= 0);
  return notNewer.at(-1) ?? (RELEASES[0] as Release);
}

function unknownVersion(request: Request, version: Version, release: Release): Diagnostic {
  const known = RELEASE_VERSIONS.join(", ");
  const neighbour = release === RELEASES.at(-1) ? "is newer than all that are known" : "is between the known ones";
  const why = compareVersions(versionOf(release), version) > 0 ? "is older than all that are known" : neighbour;
  return notice(
    request,
    "unknown",
    `qm ${formatVersion(version)} ${why}, and is judged by the contract of ${release.version}`,
    `known releases are ${known}; \`--release\` picks one`,
  );
}

function assumed({ file }: DeploymentInputs["config"]): Diagnostic {
  return notice(
    { file, range: () => null },
    "assumed",
    `no package.json pins \`${QM_PACKAGE}\`, so the contract of the newest known release ${NEWEST.version} is assumed`,
    "pin the exact version that the deployment runs, or name it with `--release`",
    `npm install --save-dev --save-exact ${QM_PACKAGE}@${NEWEST.version}`,
  );
}

function unreadable(request: Request): Diagnostic {
  const isFlag = request.source === "flag";
  const what = isFlag ? "`--release` names no version" : `the pin of \`${QM_PACKAGE}\` names no version`;
  const found = notice(
    request,
    "unreadable",
    `${what}, so the contract of qm ${NEWEST.version} is assumed`,
    "name the exact version that the deployment runs, such as `0.1.12`",
  );
  // Whoever asks for a release in so many words wants that one judged, and no other.
  return isFlag ? { ...found, severity: "error" } : found;
}

function notice(
  at: Pick<Request, "file" | "range">,
  rule: keyof typeof RELEASE_RULES,
  message: string,
  help: string,
  command: string | null = null,
): Diagnostic {
  const { id, severity } = RELEASE_RULES[rule];
  return { rule: id, clause: null, severity, message, help, command, file: at.file, range: at.range(), fix: null };
}

/** `npm:@yc-software/qm@0.1.12` is the same package under its own name. */
function withoutAlias(specifier: string): string {
  const prefix = `npm:${QM_PACKAGE}@`;
  return specifier.startsWith(prefix) ? specifier.slice(prefix.length) : specifier;
}

function versionOf(release: Release): Version {
  return parseVersion(release.version) as Version;
}
