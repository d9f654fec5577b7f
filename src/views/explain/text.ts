import { foreign, joined, judged, lines, ours, type Piece, type Shown, shown } from "../../base/shown.ts";
import { shellWord } from "../../base/shell-word.ts";
import { locationsText, provenanceText } from "../provenance.ts";
import type { Explanation, ExplanationOf } from "./explain.ts";
import { onlyReleases } from "./vocabulary.ts";

/** One explanation in words. Facts have a title and lines; a line that is null or empty is left out, and so is a fact without lines. */
interface Sheet {
  readonly heading: Piece;
  readonly facts: { readonly [title: string]: Piece | null | readonly (Piece | null)[] };
}

/** An explanation in words: what it is about, and what is known of it. */
export interface ExplanationSheet {
  readonly heading: Shown;
  readonly facts: readonly { readonly title: string; readonly lines: readonly Shown[] }[];
}

/** Explanations in words, for whatever lays them out. */
export function explanationSheets(explanations: readonly Explanation[]): readonly ExplanationSheet[] {
  return explanations.map(sheetOf).map(({ heading, facts }) => ({
    heading: foreign(heading),
    facts: Object.entries(facts)
      .map(([title, of]) => ({ title, lines: [of].flat().filter(isShown).map(foreign) }))
      .filter(({ lines: of }) => of.length > 0),
  }));
}

/** Explanations as people read them, with the titles of all facts in one column. */
export function explanationText(explanations: readonly Explanation[]): Shown {
  const sheets = explanationSheets(explanations);
  const width = Math.max(...sheets.flatMap(({ facts }) => facts.map(({ title }) => title.length)));
  const texts = sheets.map(({ heading, facts }) => {
    const all = facts.flatMap(({ title, lines: of }) =>
      of.map((line, at) => ours(`  ${(at === 0 ? title : "").padEnd(width)}  ${line.text}`.trimEnd())),
    );
    return lines([heading, ...all]);
  });
  return joined(texts, ours("\n"));
}

function isShown(line: Piece | null): line is Piece {
  return line !== null && foreign(line).text !== "";
}

function sheetOf(explanation: Explanation): Sheet {
  switch (explanation.kind) {
    case "environment":
      return environmentSheet(explanation);
    case "secret":
      return secretSheet(explanation);
    case "setting":
      return settingSheet(explanation);
    case "name":
      return nameSheet(explanation);
    case "rule":
      return ruleSheet(explanation);
    case "backend":
      return backendSheet(explanation);
    case "release":
      return releaseSheet(explanation);
  }
}

function environmentSheet(explanation: ExplanationOf<"environment">): Sheet {
  const { name, workload, value, origin, shadowed, artifacts, secret } = explanation;
  return {
    heading: `${workload}.${name}: a name in the environment of ${workload}`,
    facts: {
      value: orBlank(value),
      "comes from": provenanceText(origin),
      "instead of": shadowed.toReversed().map((one) => shown`${orBlank(one.value)}, ${provenanceText(one.origin)}`),
      but: secret === null ? null : `the secret \`${secret}\` reaches ${workload} under the same name and wins`,
      artifacts: artifactsText(artifacts),
      "to change it": waysToChange(explanation),
    },
  };
}

function orBlank(value: string): string {
  return value === "" ? "(blank)" : value;
}

function waysToChange({ origin, overriddenBy, shadowed }: ExplanationOf<"environment">): string[] {
  if (origin.kind === "target" && overriddenBy.length === 0) return ["nothing in the config changes it"];
  const [place] = origin.places;
  const lines = overriddenBy.map((field) => `${setCommand(field)} would win over it`);
  if (place?.written === true)
    lines.unshift(origin.kind === "config" ? setCommand(place.field) : `change ${locationsText(origin.places)}`);
  const next = shadowed.at(-1);
  if (origin.kind === "config" && next !== undefined)
    lines.push(`without it, ${provenanceText(next.origin)} would count`);
  return lines;
}

function setCommand(field: string): string {
  return `\`qm-deploy config set ${shellWord(field)} <value>\``;
}

function artifactsText(artifacts: readonly string[] | null): string {
  if (artifacts === null) return "not known: the deployment cannot be rendered without it";
  return artifacts.join(", ") || "none";
}

function secretSheet(explanation: ExplanationOf<"secret">): Sheet {
  const { name, used, required, managedBy, because, destinations, generated, hasValue, artifacts } = explanation;
  const isSetHere = used && managedBy === "operator";
  return {
    heading: `${name}: a secret, ${used ? (required ? "required" : "optional") : "not used here"}`,
    facts: {
      is: explanation.description,
      because: explanation.reason,
      "decided at": locationsText(because),
      "goes to": destinations.map(({ workload, env }) => (env === name ? workload : `${workload}, as ${env}`)),
      "supplied by": managedBy === "operator" ? "you" : managedBy,
      "get it": [
        explanation.making,
        isSetHere ? `\`qm-deploy secrets set ${name}${generated ? " --generate" : ""}\` puts it into .env` : null,
      ],
      "in .env": hasValue === null ? "there is no .env" : hasValue ? "yes" : "no",
      artifacts: used ? artifactsText(artifacts) : null,
    },
  };
}

function settingSheet(explanation: ExplanationOf<"setting">): Sheet {
  const { field, value, place, takes, environment, secrets, artifacts, overriddenBy } = explanation;
  const isSet = place.written;
  return {
    heading: `${field}: a field of the config`,
    facts: {
      is: explanation.description,
      value: isSet ? (typeof value === "string" ? value : judged(JSON.stringify(value))) : "not set",
      "written at": isSet ? `${place.file}:${place.line}:${place.column}` : null,
      takes: takes ?? "nothing: qm knows no such field",
      decides: environment.map(({ workload, name }) => `${workload}.${name}`),
      secrets: secrets.join(", "),
      artifacts: isSet ? artifactsText(artifacts) : null,
      "overridden by": overriddenBy.map((one) => `\`${one}\``).join(", "),
      "to change it": setCommand(field),
    },
  };
}

function nameSheet(explanation: ExplanationOf<"name">): Sheet {
  const { name, field, service, backend, takes, default: standard, blank, otherwise, setBy, when } = explanation;
  const whose = backend === null ? service : `${service} for the sandbox backend ${backend}`;
  const hasTakes = takes.text !== "text";
  return {
    heading: `${name}: a setting that ${whose} reads`,
    facts: {
      is: explanation.description,
      "written as": field,
      takes: hasTakes ? takes : "any text",
      default: standard,
      "set by": setBy,
      "read while": when,
      "when blank": blank,
      otherwise: otherwise,
      releases: onlyReleases(explanation.releases),
      "to set it": setCommand(field),
    },
  };
}

function ruleSheet(rule: ExplanationOf<"rule">): Sheet {
  const { id, title, severity, clause, why, bad, good, docs, findings, suppressible, toSuppress } = rule;
  const found = findings?.map(({ file, line, column, message, suppression }) => {
    const place = `${file}${line === null ? "" : `:${line}:${column}`}`;
    return `${place}: ${message}${suppression === null ? "" : ` (suppressed: ${suppression.reason})`}`;
  });
  return {
    heading: shown`${id}: ${title} (${severity})`,
    facts: {
      why,
      contract: clause,
      "fires on": bad.text.trimEnd().split("\n").map(ours),
      passes: good.text.trimEnd().split("\n").map(ours),
      here: found?.length === 0 ? "no finding" : (found ?? null),
      docs,
      "can be suppressed": suppressible,
      "to suppress it":
        toSuppress === null
          ? null
          : [shown`on the line or above it: ${toSuppress.comment}`, shown`or in package.json: ${toSuppress.entry}`],
    },
  };
}

function backendSheet(explanation: ExplanationOf<"backend">): Sheet {
  const { name, declarableOn, fields, secrets, settings } = explanation;
  return {
    heading: `${name}: the sandbox backend ${explanation.title}`,
    facts: {
      is: explanation.summary,
      here: explanation.role,
      "declared on": declarableOn.join(", ") || "no target: only through `env.core.SANDBOX_BACKEND`",
      "core image": explanation.inStockCore ? "the stock one" : "one that implements it, in `imageOverrides.core`",
      "sandbox fields": fields.join(", ") || "none",
      secrets: secrets.join(", "),
      settings: settings.map(
        (one) =>
          shown`\`${one.name}\`${one.required ? " (required)" : ""}: ${one.description}${one.example.text === "" ? "" : shown`, such as ${one.example}`}`,
      ),
      publish: explanation.publish,
    },
  };
}

function releaseSheet({ version, used, facts }: ExplanationOf<"release">): Sheet {
  const heading = `${version}: a release of qm${used === true ? ", the one of this deployment" : ""}`;
  return { heading, facts: { facts } };
}
