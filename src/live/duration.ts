const UNITS: { readonly [unit: string]: number } = {
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
};

/** Milliseconds of a duration as Go and compose write it: `10s`, `1m30s`; null where it is none. */
function readDuration(text: string): number | null {
  const parts = [...text.matchAll(/(\d{1,15}(?:\.\d{1,9})?)(h|ms|m|us|µs|ns|s)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) return null;
  return parts.reduce((sum, [, amount, unit = ""]) => sum + Number(amount) * (UNITS[unit] ?? 0), 0);
}

/** A duration in the one way that this toolkit writes it, in seconds; what is none stays as it is. */
export function plainDuration(text: string): string {
  const milliseconds = readDuration(text);
  return milliseconds === null ? text : `${milliseconds / 1000}s`;
}
