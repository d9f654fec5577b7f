// Runs a command line in this process with the built chunk loader and prints which files it loaded, and which modules of Node.
const { join } = require("node:path");
const dist = process.argv[2];
const argv = process.argv.slice(3);
const before = new Set(process.moduleLoadList);
const { chunkLoader } = require(join(dist, "bin", "chunk-loader.cjs"));
const loader = chunkLoader(dist);
const silent = { write: () => true, columns: 100 };
const io = {
  argv,
  cwd: process.cwd(),
  env: {},
  stdin: [],
  stdout: silent,
  stderr: silent,
  interrupted: () => Promise.resolve(),
};
loader
  .load("cli/main.cjs")
  .runWith(io)
  .then((status) => {
    const builtins = process.moduleLoadList
      .filter((name) => name.startsWith("NativeModule ") && !before.has(name))
      .map((name) => name.slice(13));
    const rejected = [...loader.scripts]
      .filter(([, script]) => script.cachedDataRejected !== false)
      .map(([file]) => file);
    process.stdout.write(JSON.stringify({ status, files: [...loader.scripts.keys()], builtins, rejected }));
  });
