import { MESSAGE_CAP } from "./files.ts";

/** What sources disagree about, or what differs between versions of boxd. Each default is the harsher side; tests may change one at any time. */
export interface Quirks {
  /** whether exec and files wake a suspended or hibernated machine by themselves */
  parkedWakes: boolean;
  /** whether calls take a name for an id; for keys fenced to an org they do not */
  namesResolve: boolean;
  /** the code of "name is taken" */
  nameTaken: 6 | 9;
  /** `dropped`: an older version, which ignores them */
  labels: "kept" | "dropped" | "refused";
  /** what the auto-destroy timer of a create call counts from: the last traffic, or the machine's creation; `refused`: such a timer is not taken */
  autoDestroy: "idle" | "wall" | "refused";
  /** `bare`: id, name and status only */
  records: "full" | "bare";
  /** machines that an org may have */
  quota: number;
  /** whether the command dies when the client's exec deadline passes; otherwise it runs on */
  deadlineKills: boolean;
  /** bytes of each output stream after which the rest is silently lost */
  outputCap: number;
  /** what `access.url` holds */
  url: "https" | "http" | "empty";
  /** `false`: an old agent without the file calls (UNIMPLEMENTED) */
  fileApi: boolean;
  /** bytes of a file and its framing; one message without streaming, no limit with it */
  fileCap: number;
  /** what `exec` leaves the command's standard input: at its end, or open and silent, as no known version does */
  stdin: "ended" | "silent";
}

export const HARSH: Readonly<Quirks> = {
  parkedWakes: false,
  namesResolve: false,
  nameTaken: 9,
  labels: "kept",
  autoDestroy: "idle",
  records: "full",
  quota: 50,
  deadlineKills: false,
  outputCap: Infinity,
  url: "https",
  fileApi: true,
  fileCap: MESSAGE_CAP,
  stdin: "ended",
};
