import type { DataAtRisk } from "../data-at-risk.ts";
import { type Step, step } from "./step.ts";

const SAVING: { readonly [what in DataAtRisk["what"]]: string } = {
  "agent-computers": "have agents save what must be kept: push repositories, hand files over",
  database: "back up the database",
  files: "copy the files to where they can come back from",
  tables: "back up the database, and see that the backup can be restored",
};

const RESTORING: { readonly [what in DataAtRisk["what"]]: string | null } = {
  "agent-computers": null,
  database: "restore the database in its new place, and see that what was there is there",
  files: "put the files into their new place",
  tables: null,
};

/** Comes before anything is changed: each kind of data once. */
export function savingSteps(data: readonly DataAtRisk[]): readonly Step[] {
  return kindsOf(data).map((what) => step(["data"], SAVING[what], { detail: messagesOf(data, what) }));
}

/** Comes once the new place runs. */
export function restoringSteps(data: readonly DataAtRisk[]): readonly Step[] {
  return kindsOf(data).flatMap((what) => {
    const title = RESTORING[what];
    return title === null ? [] : [step(["data"], title)];
  });
}

function kindsOf(data: readonly DataAtRisk[]): readonly DataAtRisk["what"][] {
  return [...new Set(data.map(({ what }) => what))];
}

function messagesOf(data: readonly DataAtRisk[], kind: DataAtRisk["what"]): string {
  return data.flatMap(({ what, message }) => (what === kind ? [message] : [])).join("; ");
}
