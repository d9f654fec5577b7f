// Becomes the one file that action.yml names.
import { processIo } from "../cli/process-streams.ts";
import { runAction } from "./run-action.ts";

// A runner starts a step in the workspace; the variable is there too where the file is run by hand.
const workspace = process.env["GITHUB_WORKSPACE"];
const cwd = workspace === undefined || workspace === "" ? process.cwd() : workspace;

void runAction(processIo([], cwd)).then((status) => {
  process.exitCode = status;
});
