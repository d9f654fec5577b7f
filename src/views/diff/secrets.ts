import type { Deployment, Secret } from "../../deployment/deployment.ts";
import { howToGet } from "../../rules/envfile/how-to-get.ts";
import type { AddedSecret, ChangedSecret, DeploymentDiff } from "./deployment-diff.ts";

function added(secret: Secret, after: Deployment): AddedSecret {
  const { name, required, managedBy, reason, destinations } = secret;
  const making =
    managedBy === "operator" ? howToGet(secret, after).help : `${managedBy} puts it into the target's store`;
  return { name, required, managedBy, reason, making, destinations };
}

function places({ destinations }: Secret): string[] {
  return destinations.map(({ workload, env }) => `${workload}.${env}`);
}

function changed(before: Secret, after: Secret): ChangedSecret | null {
  const [old, now] = [places(before), places(after)];
  const addedTo = now.filter((place) => !old.includes(place));
  const removedFrom = old.filter((place) => !now.includes(place));
  if (before.required === after.required && addedTo.length === 0 && removedFrom.length === 0) return null;
  return { name: after.name, required: { from: before.required, to: after.required }, addedTo, removedFrom };
}

/** The secrets to add, to retire, and those that are used otherwise; each sorted by name. */
export function secretChanges(before: Deployment, after: Deployment): DeploymentDiff["secrets"] {
  const old = new Map(before.secrets.map((secret) => [secret.name, secret]));
  const now = new Set(after.secrets.map((secret) => secret.name));
  const kept = after.secrets.filter((secret) => old.has(secret.name));
  return {
    add: after.secrets.filter((secret) => !old.has(secret.name)).map((secret) => added(secret, after)),
    retire: before.secrets.filter((secret) => !now.has(secret.name)).map((secret) => secret.name),
    change: kept.map((secret) => changed(old.get(secret.name) as Secret, secret)).filter((change) => change !== null),
  };
}
