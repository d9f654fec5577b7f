import { fileText, FLAG, must } from "./answers.mjs";

export const PROGRAM = {
  name: "npm",
  commands: {
    install: {
      flags: { "--no-save": FLAG, "--ignore-scripts": FLAG },
      args: [0, 1],
      run(world, { args: [wanted] }) {
        const pin = JSON.parse(fileText("package.json")).devDependencies["@yc-software/qm"];
        must(wanted === undefined || wanted === `@yc-software/qm@${pin}`, `not this release: ${wanted}`);
        world.release = pin;
      },
    },
  },
};
