/** True for a name that every shell, container engine and reader takes for an environment variable. */
export function isEnvName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}
