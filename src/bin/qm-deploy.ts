#!/usr/bin/env node
// Only dynamic imports here: the version of Node is judged before any module that needs a newer one is read.
const MINIMUM = [20, 19] as const;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const argv = process.argv.slice(2);

if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
  process.stderr.write(`qm-deploy needs Node ${MINIMUM.join(".")} or newer; this is ${process.versions.node}\n`);
  process.exitCode = 2;
} else if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  const { VERSION } = await import("../cli/version.ts");
  process.stdout.write(`${VERSION}\n`);
} else {
  const { runProcess } = await import("../cli/process.ts");
  process.exitCode = await runProcess(argv);
}

export {};
