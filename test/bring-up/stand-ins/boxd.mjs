// What `qm-deploy boxd` asks of boxd itself.
import { fileText, must } from "./answers.mjs";

export const PROGRAM = {
  name: "qm-deploy boxd",
  commands: { smoke: { run: () => must(/^BOXD_API_KEY=.+/m.test(fileText(".env")), "no BOXD_API_KEY") } },
};
