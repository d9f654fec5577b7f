import type { JsonValue } from "../../base/json.ts";
import { list, object, text } from "../answer.ts";

/** What flyctl may be called. */
export const FLY = ["fly", "flyctl"];

/** What flyctl printed of one app (docs/contract/live.md#fly). */
export interface FlyApp {
  /** `fly config show`; null where the app has none yet. */
  readonly config: JsonValue;
  /** `fly machine list --json` */
  readonly machines: readonly JsonValue[];
  /** `fly secrets list --json` */
  readonly secrets: readonly JsonValue[];
}

/** What flyctl said of a deployment. */
export interface FlyAnswers {
  /** The names of all apps of the organization. */
  readonly apps: readonly string[];
  /** By name: those apps of the deployment that there are. */
  readonly details: ReadonlyMap<string, FlyApp>;
}

/**
 * Reads saved answers of flyctl: `apps` is what `fly apps list --json` printed, `details` has the other three by the app's name.
 *
 * @throws {AnswerError} where they are none
 */
export function flyAnswers(value: JsonValue): FlyAnswers {
  const { apps, details } = object(value, "the file");
  return {
    apps: appNames(apps),
    details: new Map(
      Object.entries(object(details, "`details`")).map(([name, one]) => [
        name,
        flyApp(object(one, `\`details.${name}\``)),
      ]),
    ),
  };
}

/** The names in what `fly apps list --json` printed. */
export function appNames(apps: JsonValue | undefined): readonly string[] {
  return list(apps, "the list of apps").map((app) => text(object(app, "an app")["Name"], "`Name` of an app"));
}

function flyApp({ config, machines, secrets }: { readonly [key: string]: JsonValue }): FlyApp {
  return {
    config: config ?? null,
    machines: list(machines, "`machines`"),
    secrets: list(secrets, "`secrets`"),
  };
}
