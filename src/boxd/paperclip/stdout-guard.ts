/**
 * Keeps standard output to the protocol: the host reads it line by line, and anything else on it (a `console.log` in some dependency) is a broken message.
 * Imported first, for its effect.
 */
const PROTOCOL = /^\{"jsonrpc":"2\.0",/;

const toHost = process.stdout.write.bind(process.stdout) as (...args: unknown[]) => boolean;
const toLog = process.stderr.write.bind(process.stderr) as (...args: unknown[]) => boolean;

process.stdout.write = ((...args: unknown[]): boolean => {
  const [chunk] = args;
  return typeof chunk === "string" && PROTOCOL.test(chunk) ? toHost(...args) : toLog(...args);
}) as typeof process.stdout.write;

export {};
