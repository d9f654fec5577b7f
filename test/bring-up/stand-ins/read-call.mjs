import { FLAG, must } from "./answers.mjs";

/**
 * The command of a call, its flags (lists of values, as some may be repeated) and other arguments, by a program's table.
 * An unknown command, an unknown flag, a missing value or a wrong number of arguments ends the call.
 */
export function readCall(program, argv) {
  const flags = {};
  const words = [];
  let rest = argv;
  const readFlag = (known, where) => {
    const [token, ...after] = rest;
    const equals = token.indexOf("=");
    const spelled = equals === -1 ? token : token.slice(0, equals);
    const name = program.aliases?.[spelled] ?? spelled;
    must(Object.hasOwn(known, name), `unknown flag ${spelled} of ${where}`);
    rest = after;
    if (known[name] === FLAG) {
      must(equals === -1 || /=(?:true|false)$/.test(token), `${spelled} takes no value`);
      (flags[name] ??= []).push(!token.endsWith("=false"));
    } else if (equals !== -1) (flags[name] ??= []).push(token.slice(equals + 1));
    else {
      must(!program.onlyEquals && rest.length > 0, `${spelled} needs a value`);
      (flags[name] ??= []).push(rest[0]);
      rest = rest.slice(1);
    }
  };
  while (rest.length > 0 && program.commands[words.join(" ")] === undefined) {
    if (rest[0].startsWith("-")) readFlag(program.globals ?? {}, "the program");
    else {
      words.push(rest[0]);
      rest = rest.slice(1);
      const head = words.join(" ");
      must(
        Object.keys(program.commands).some((known) => known === head || known.startsWith(`${head} `)),
        `unknown command: ${head}`,
      );
    }
  }
  const title = words.join(" ");
  const command = program.commands[title];
  must(command !== undefined, `not a whole command: ${title}`);
  const known = { ...program.globals, ...command.flags };
  const args = [];
  while (rest.length > 0) {
    if (rest[0].startsWith("-") && rest[0] !== "-") readFlag(known, title || program.name);
    else if (command.passesOn && args.length > 0) {
      args.push(...rest);
      rest = [];
    } else {
      args.push(rest[0]);
      rest = rest.slice(1);
      if (command.passesOn) {
        args.push(...rest);
        rest = [];
      }
    }
  }
  const [least, most] = command.args ?? [0, 0];
  must(args.length >= least && args.length <= most, `${title} takes ${least} to ${most} arguments, got ${args.length}`);
  for (const name of command.needs ?? []) must(flags[name] !== undefined, `${title} needs ${name}`);
  for (const [name, values] of Object.entries(flags))
    must(values.length === 1 || command.repeats?.includes(name), `${title} takes ${name} once`);
  return { command, title, flags, args, one: (name) => flags[name]?.[0] };
}
