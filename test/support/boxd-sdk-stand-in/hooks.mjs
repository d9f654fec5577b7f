// Module hooks (node:module `register`): `@boxd-sh/sdk` is the bundle of the stand-in, everything else is left alone.
let standIn;

export function initialize(data) {
  standIn = data.url;
}

export function resolve(specifier, context, nextResolve) {
  return specifier === "@boxd-sh/sdk" ? { url: standIn, shortCircuit: true } : nextResolve(specifier, context);
}
