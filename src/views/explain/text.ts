import { provenanceText, locationsText } from "../provenance.ts";
import type {
  BackendExplanation,
  EnvironmentExplanation,
  ReleaseExplanation,
  RuleExplanation,
  SecretExplanation,
  SettingExplanation,
  Subject,
} from "./explanation.ts";

/** A titled fact; `lines` are shown below each other. */
interface Fact {
  readonly title: string;
  readonly lines: readonly string[];
}

/** One subject for people: a heading and facts. */
export interface Sheet {
  readonly heading: string;
  readonly facts: readonly Fact[];
}

function fact(title: string, ...lines: readonly (string | null | undefined)[]): Fact[] {
  const shown = lines.filter((line): line is string => typeof line === "string" && line !== "");
  return shown.length === 0 ? [] : [{ title, lines: shown }];
}

function artifactsFact(artifacts: readonly string[] | null): Fact[] {
  return fact(
    "artifacts",
    artifacts === null
      ? "not known: the deployment cannot be rendered without it"
      : artifacts.length === 0
        ? "none"
        : artifacts.join(", "),
  );
}

function environmentSheet(subject: EnvironmentExplanation): Sheet {
  const { name, workload, value, origin, shadowed, artifacts, overriddenBy, secret } = subject;
  const isFixed = origin.kind === "target" && overriddenBy.length === 0;
  return {
    heading: `${workload}.${name}: a name in the environment of ${workload}`,
    facts: [
      ...fact("value", value === "" ? "(blank)" : value),
      ...fact("comes from", provenanceText(origin)),
      ...fact(
        "instead of",
        ...[...shadowed]
          .reverse()
          .map((one) => `${one.value === "" ? "(blank)" : one.value}, ${provenanceText(one.origin)}`),
      ),
      ...fact(
        "but",
        secret === null ? null : `the secret \`${secret}\` reaches ${workload} under the same name and wins`,
      ),
      ...artifactsFact(artifacts),
      ...fact("to change it", ...changes(subject, isFixed)),
    ],
  };
}

function changes({ origin, overriddenBy, shadowed }: EnvironmentExplanation, isFixed: boolean): string[] {
  if (isFixed) return ["nothing in the config changes it"];
  const [place] = origin.places;
  const lines = overriddenBy.map((field) => `\`qm-deploy config set ${shellWord(field)} <value>\` would win over it`);
  if (place?.written === true)
    lines.unshift(
      origin.kind === "config"
        ? `\`qm-deploy config set ${shellWord(place.field)} <value>\``
        : `change ${locationsText(origin.places)}`,
    );
  const next = shadowed.at(-1);
  if (origin.kind === "config" && next !== undefined)
    lines.push(`without it, ${provenanceText(next.origin)} would count`);
  return lines;
}

/** A word as a shell takes it. */
function shellWord(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function secretSheet(subject: SecretExplanation): Sheet {
  const {
    name,
    description,
    used,
    required,
    managedBy,
    reason,
    because,
    destinations,
    making,
    generated,
    hasValue,
    artifacts,
  } = subject;
  return {
    heading: `${name}: a secret, ${used ? (required ? "required" : "optional") : "not used here"}`,
    facts: [
      ...fact("is", description),
      ...fact("because", reason),
      ...fact("decided at", locationsText(because)),
      ...fact(
        "goes to",
        ...destinations.map(({ workload, env }) => (env === name ? workload : `${workload}, as ${env}`)),
      ),
      ...fact("supplied by", managedBy === "operator" ? "you" : managedBy),
      ...fact(
        "get it",
        making,
        ...(used && managedBy === "operator"
          ? [`\`qm-deploy secrets set ${name}${generated ? " --generate" : ""}\` puts it into .env`]
          : []),
      ),
      ...fact("in .env", hasValue === null ? "there is no .env" : hasValue ? "yes" : "no"),
      ...(used ? artifactsFact(artifacts) : []),
    ],
  };
}

function settingSheet({
  field,
  value,
  place,
  takes,
  environment,
  secrets,
  artifacts,
  overriddenBy,
}: SettingExplanation): Sheet {
  const isSet = place.written;
  return {
    heading: `${field}: a field of the config`,
    facts: [
      ...fact("value", isSet ? (typeof value === "string" ? value : JSON.stringify(value)) : "not set"),
      ...fact("written at", isSet ? `${place.file}:${place.line}:${place.column}` : null),
      ...fact("takes", takes ?? "nothing: qm knows no such field"),
      ...fact("decides", ...environment.map(({ workload, name }) => `${workload}.${name}`)),
      ...fact("secrets", secrets.join(", ")),
      ...(isSet ? artifactsFact(artifacts) : []),
      ...fact("overridden by", overriddenBy.map((one) => `\`${one}\``).join(", ")),
      ...fact("to change it", `\`qm-deploy config set ${shellWord(field)} <value>\``),
    ],
  };
}

function ruleSheet({ id, title, severity, clause, why, bad, good, docs, findings }: RuleExplanation): Sheet {
  return {
    heading: `${id}: ${title} (${severity})`,
    facts: [
      ...fact("why", why),
      ...fact("contract", clause),
      ...fact("fires on", ...bad.trimEnd().split("\n")),
      ...fact("mended", ...good.trimEnd().split("\n")),
      ...fact(
        "here",
        ...(findings ?? []).map(
          ({ file, line, column, message }) => `${file}${line === null ? "" : `:${line}:${column}`}: ${message}`,
        ),
        findings?.length === 0 ? "no finding" : null,
      ),
      ...fact("docs", docs),
    ],
  };
}

function backendSheet({
  name,
  title,
  summary,
  declarableOn,
  inStockCore,
  fields,
  secrets,
  settings,
  role,
  publish,
}: BackendExplanation): Sheet {
  return {
    heading: `${name}: the sandbox backend ${title}`,
    facts: [
      ...fact("is", summary),
      ...fact("here", role),
      ...fact(
        "declared on",
        declarableOn.length === 0 ? `no target: only through \`env.core.SANDBOX_BACKEND\`` : declarableOn.join(", "),
      ),
      ...fact("core image", inStockCore ? "the stock one" : "one that implements it, in `imageOverrides.core`"),
      ...fact("sandbox fields", fields.length === 0 ? "none" : fields.join(", ")),
      ...fact("secrets", secrets.join(", ")),
      ...fact(
        "settings",
        ...settings.map(
          (setting) =>
            `\`${setting.name}\`${setting.required ? " (required)" : ""}: ${setting.description}, such as ${setting.example}`,
        ),
      ),
      ...fact("publish", publish),
    ],
  };
}

function releaseSheet({ version, used, facts }: ReleaseExplanation): Sheet {
  return {
    heading: `${version}: a release of qm${used === true ? ", the one of this deployment" : ""}`,
    facts: fact("facts", ...facts),
  };
}

/** A subject as people read it. */
export function sheetOf(subject: Subject): Sheet {
  switch (subject.kind) {
    case "environment":
      return environmentSheet(subject);
    case "secret":
      return secretSheet(subject);
    case "setting":
      return settingSheet(subject);
    case "rule":
      return ruleSheet(subject);
    case "backend":
      return backendSheet(subject);
    case "release":
      return releaseSheet(subject);
  }
}
