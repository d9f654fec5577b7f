import { FLAG, must } from "./answers.mjs";

export const PROGRAM = {
  name: "npm",
  commands: {
    install: {
      flags: { "--no-save": FLAG, "--ignore-scripts": FLAG },
      args: [1, 1],
      run(world, { args: [wanted] }) {
        must(wanted === `@yc-software/qm@${world.release}`, `not this release: ${wanted}`);
      },
    },
  },
};
