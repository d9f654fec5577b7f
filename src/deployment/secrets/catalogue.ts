import type { SecretManager, SecretSource } from "../../catalog/secret-row.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { compareText } from "../../base/text-order.ts";
import type { Secret, SecretDestination } from "../deployment.ts";

/** One ground for a secret to be in the catalogue, with the place that it then goes to. */
export interface Ground {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly managedBy: SecretManager;
  /** A clause; or the name of a service that always reads the secret: these are put into one clause. */
  readonly reason: string | { readonly readBy: string };
  readonly because: readonly ConfigPath[];
  readonly source: SecretSource;
  readonly destination: SecretDestination;
}

/** Merges grounds by name: description, manager and source of the first, destinations united, required or-ed. */
export class SecretCatalogue {
  readonly #grounds = new Map<string, [Ground, ...Ground[]]>();

  add(ground: Ground): void {
    const known = this.#grounds.get(ground.name);
    if (known === undefined) this.#grounds.set(ground.name, [ground]);
    else known.push(ground);
  }

  has(name: string): boolean {
    return this.#grounds.has(name);
  }

  /** The secrets, sorted by name. */
  list(): Secret[] {
    return [...this.#grounds.values()].map(merge).sort((a, b) => compareText(a.name, b.name));
  }
}

function merge(grounds: readonly [Ground, ...Ground[]]): Secret {
  const [first] = grounds;
  const required = grounds.some((ground) => ground.required);
  // A secret that is required for one reason may be optional for others: only what decides is told.
  const deciding = grounds.filter((ground) => ground.required === required);
  return {
    name: first.name,
    description: first.description,
    required,
    managedBy: first.managedBy,
    reason: phrase(deciding),
    because: unique(
      deciding.flatMap((ground) => ground.because),
      (path) => JSON.stringify(path),
    ),
    source: first.source,
    destinations: unique(
      grounds.map((ground) => ground.destination),
      (destination) => `${destination.workload} ${destination.env}`,
    ).sort((a, b) => compareText(a.workload, b.workload) || compareText(a.env, b.env)),
  };
}

function phrase(grounds: readonly Ground[]): string {
  const readers: string[] = [];
  const clauses: string[] = [];
  for (const { reason } of grounds) {
    if (typeof reason === "string") clauses.push(reason);
    else readers.push(`\`${reason.readBy}\``);
  }
  const required = grounds[0]?.required === true;
  const reading = [...new Set(readers)];
  if (reading.length > 0) {
    const verb = required ? (reading.length === 1 ? "needs" : "need") : "can use";
    clauses.unshift(`${enumerate(reading)} ${verb} it`);
  }
  return [...new Set(clauses)].join("; ");
}

function enumerate(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function unique<T>(items: readonly T[], key: (item: T) => string): T[] {
  if (items.length < 2) return [...items];
  return [...new Map(items.map((item) => [key(item), item] as const)).values()];
}
