import { joined, type Piece, plainText, type Shown, shown } from "../base/shown.ts";
import type { Difference } from "./compare.ts";

/** A value of the one side or the other, masked as any stranger's text. */
function own(value: string | null): Shown {
  return value === null ? shown`nothing` : shown`\`${value}\``;
}

/** The id of a Fly machine looks random, and is what an operator looks for. */
const MACHINE = /^machine [0-9a-f]{14}$/;

/** A container, machine or service as people are told of it. */
export function unitText(unit: string): Piece {
  return MACHINE.test(unit) ? plainText(unit) : unit;
}

/** A difference as a sentence about its workload, without the workload's name. */
export function differenceText(difference: Difference): Shown {
  const { units, isPartial } = difference;
  const text = sentence(difference);
  return isPartial ? shown`${text} (${joined(units.map(unitText), ", ")})` : text;
}

function sentence(difference: Difference): Shown {
  switch (difference.attribute) {
    case "workload":
      return workloadText(difference);
    case "image":
      return shown`runs the image ${own(difference.running)}; rendered is ${own(difference.rendered)}`;
    case "ports":
      return shown`publishes ${own(difference.running)}; rendered is ${own(difference.rendered)}`;
    case "environment":
      return environmentText(difference);
    case "secret":
      return secretText(difference);
    case "mount":
      return mountText(difference);
    case "size":
    case "setting":
      return fieldText(difference);
  }
}

function workloadText({ kind, running, units }: Difference): Shown {
  if (kind === "missing") return shown`does not run: nothing of it is there`;
  if (kind === "empty") return shown`does not run: its place is there, with nothing in it`;
  if (kind === "idle") return shown`does not run: it is ${running ?? ""}`;
  return shown`${joined(units.map(unitText), ", ")} runs, and nothing rendered names it`;
}

function environmentText({ kind, name, rendered, running }: Difference): Shown {
  const entry = own(name);
  if (kind === "extra") return shown`${entry} is set, and nothing rendered sets it`;
  if (kind === "absent") return shown`${entry} is not set; rendered is ${own(rendered)}`;
  return shown`${entry} is ${own(running)}; rendered is ${own(rendered)}`;
}

function secretText({ kind, name, rendered, running }: Difference): Shown {
  const secret = own(name);
  switch (kind) {
    case "absent":
      return shown`the secret ${secret} is not there`;
    case "staged":
      return shown`the secret ${secret} is stored and not in force yet`;
    case "exposed":
      return shown`${secret} is a plain entry of its environment, and is to come as a secret`;
    case "shadowed":
      return shown`a secret of the name ${secret} is there, and wins over the rendered value`;
    case "other":
      return shown`the secret ${secret} comes from ${own(running)}; rendered is ${own(rendered)}`;
    default:
      return shown`the secret ${secret} is there, and nothing rendered names it`;
  }
}

function mountText({ kind, name, rendered, running }: Difference): Shown {
  const path = own(name);
  if (kind === "extra") return shown`${own(running)} is mounted at ${path}, and nothing rendered mounts it`;
  if (kind === "moved") return shown`${own(running)} is mounted at ${path}; rendered is the path ${own(rendered)}`;
  if (kind === "absent") return shown`nothing is mounted at ${path}; rendered is ${own(rendered)}`;
  return shown`${own(running)} is mounted at ${path}; rendered is ${own(rendered)}`;
}

function fieldText({ kind, name, rendered, running }: Difference): Shown {
  const field = own(name);
  if (kind === "extra") return shown`${field} is ${own(running)}, and nothing rendered says so`;
  if (kind === "absent") return shown`${field} is not set; rendered is ${own(rendered)}`;
  return shown`${field} is ${own(running)}; rendered is ${own(rendered)}`;
}
