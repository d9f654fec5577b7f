// Stands for `op`, `aws`, `vals`, `sops` and `dotenvx`: which one it is, its name says. Each takes the flags that the real one has and no
// others, and fails in its words. What it holds is in STAND_IN_WORLD, a JSON file; what it was asked is appended to STAND_IN_LOG.
const { appendFileSync, existsSync, readFileSync } = require("node:fs");
const { basename } = require("node:path");

const tool = basename(process.argv[1]);
const args = process.argv.slice(2);
const { env } = process;
const world = JSON.parse(readFileSync(env.STAND_IN_WORLD, "utf8"));
appendFileSync(env.STAND_IN_LOG, `${JSON.stringify({ tool, args, cwd: process.cwd() })}\n`);

function end(status, said = "") {
  process.stderr.write(said === "" ? "" : `${said}\n`);
  process.exit(status);
}

/** Flags (`true`: takes a value; `false`: none) and words; `unknown` ends the program. */
function parse(words, flags, unknown, stopsAtWord = false) {
  const found = { words: [], flags: {} };
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (!word.startsWith("-") || (stopsAtWord && found.words.length > 0)) found.words.push(word);
    else if (!(word in flags)) unknown(word);
    else if (flags[word]) (found.flags[word] ??= []).push(words[++at]);
    else found.flags[word] = true;
  }
  return found;
}

function print(value) {
  process.stdout.write(Array.isArray(value) ? Buffer.from(value) : value);
}

const fault = world.faults?.[tool];
if (fault?.printed !== undefined) print(fault.printed);
if (fault?.hangs) setInterval(() => undefined, 1000);
else if (fault !== undefined) end(fault.status, fault.says);
else ({ op, aws, vals, sops, dotenvx })[tool]();

function op() {
  const stamp = "[ERROR] 2026/11/30 20:00:00";
  const [command, ...rest] = args;
  if (command !== "read") end(1, `${stamp} unknown command "${command}" for "op"`);
  const { words } = parse(
    rest,
    { "--no-newline": false, "-n": false, "--out-file": true, "--account": true, "--force": false },
    (flag) => end(1, `${stamp} unknown flag: ${flag}`),
  );
  if (words.length !== 1) end(1, `${stamp} accepts 1 arg(s), received ${words.length}`);
  const [vault, item] = words[0].replace("op://", "").split("/");
  if (!(words[0] in world.op))
    end(
      1,
      `${stamp} could not read secret '${words[0]}': could not get item ${vault}/${item}: "${item}" isn't an item in the "${vault}" vault.`,
    );
  print(world.op[words[0]]);
}

function aws() {
  const usage = "usage: aws [options] <command> <subcommand> [<subcommand> ...] [parameters]";
  const common = { "--region": true, "--output": true, "--query": true, "--profile": true };
  const operations = {
    "secretsmanager get-secret-value": {
      "--secret-id": true,
      "--version-stage": true,
      "--version-id": true,
      ...common,
    },
    "ssm get-parameter": { "--name": true, "--with-decryption": false, ...common },
  };
  const operation = args.slice(0, 2).join(" ");
  if (!(operation in operations)) end(252, `${usage}\n\naws: error: argument operation: Invalid choice`);
  const { flags, words } = parse(args.slice(2), operations[operation], (flag) =>
    end(252, `\n${usage}\n\nUnknown options: ${flag}`),
  );
  if (words.length > 0) end(252, `\n${usage}\n\nUnknown options: ${words[0]}`);
  const id = (flags["--secret-id"] ?? flags["--name"])[0];
  const name = operation.startsWith("ssm") ? "GetParameter" : "GetSecretValue";
  const found = world.aws[`${flags["--region"][0]} ${id}`];
  if (found === undefined)
    end(
      254,
      `\nAn error occurred (${name === "GetParameter" ? "ParameterNotFound" : "ResourceNotFoundException"}) when calling the ${name} operation: Secrets Manager can't find the specified secret.`,
    );
  if (flags["--output"][0] !== "json") end(252, "this stand-in prints JSON");
  const stage = flags["--version-stage"]?.[0] ?? "AWSCURRENT";
  print(
    `${JSON.stringify(name === "GetParameter" ? { Parameter: { ARN: id, Value: found } } : { ARN: id, ...found[stage] }, null, 4)}\n`,
  );
}

function vals() {
  if (args[0] !== "get") end(0, "Usage:\n  vals [command]");
  // Go's flags end at the first word.
  const { words } = parse(
    args.slice(1),
    { "-s": false, "--s": false },
    (flag) => end(2, `flag provided but not defined: ${flag}`),
    true,
  );
  const value = words[0].replaceAll(/(?:secret)?ref\+[a-z0-9]+:\/\/[^\s+]*\+?/g, (reference) => {
    if (!(reference in world.vals))
      end(
        1,
        `expand ${reference.replace(/^(?:secret)?ref\+/, "")}: Error making API request. Code: 403. Errors: * permission denied`,
      );
    return world.vals[reference];
  });
  print(value);
}

function sops() {
  const { flags, words } = parse(
    args,
    { "--decrypt": false, "-d": false, "--input-type": true, "--output-type": true, "--ignore-mac": false },
    (flag) => end(1, `flag provided but not defined: ${flag}`),
  );
  if (words.length !== 1) end(100, "Error: no file specified");
  if (!existsSync(words[0])) end(2, `Error: cannot operate on non-existent file "${words[0]}"`);
  if (!/^sops_mac=/m.test(readFileSync(words[0], "utf8"))) end(1, "sops metadata not found");
  if (!flags["--decrypt"] || flags["--input-type"]?.[0] !== "dotenv")
    end(1, "Error unmarshalling input json: invalid character");
  if (world.sops === undefined)
    end(
      128,
      "Failed to get the data key required to decrypt the SOPS file.\n\nGroup 0: FAILED\n  age1acme: FAILED\n    - | failed to load age identities",
    );
  print(world.sops);
}

function dotenvx() {
  const { flags, words } = parse(
    args,
    { "-e": true, "-f": true, "-fk": true, "--overload": false, "-o": false, "--format": true, "--strict": false },
    (flag) => end(1, `error: unknown option '${flag}'`),
  );
  if (words[0] !== "get") end(1, `error: unknown command '${words[0]}'`);
  const values = {};
  const unread = [];
  for (const [, name, value] of flags["-e"].map((one) => /^(\w+)='([^']*)'$/.exec(one))) {
    values[name] = world.dotenvx[value] ?? value;
    if (values[name] === value && value.startsWith("encrypted:")) unread.push(name);
  }
  print(`${JSON.stringify(values)}\n`);
  if (unread.length > 0)
    end(
      1,
      unread
        .map(
          (name) =>
            `\u001b[31m☠ [DECRYPTION_FAILED] could not decrypt ${name}. fix: [https://github.com/dotenvx/dotenvx/issues/757]\u001b[39m`,
        )
        .join("\n"),
    );
}
