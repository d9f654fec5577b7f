import { shellWord } from "../base/shell-word.ts";

/** Where GitHub looks for it, from the root of the repository. */
export const WORKFLOW_PATH = ".github/workflows/check.yml";

/** Actions of others by commit: a tag can be moved to another one. */
const CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1";
const SETUP_NODE = "actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0";

const HEAD = `name: check
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
`;

function actionText(action: string): string {
  return `# Judges every deployment of this repository. The summary of a run says what a pull request changes.
${HEAD}      - uses: ${CHECKOUT}
        with:
          # A pull request is compared with the commit that it is merged into.
          fetch-depth: 2
          persist-credentials: false
      - uses: ${action}
        with:
          render-check: true
          diff-base: auto
`;
}

/** The command of a workflow that runs the qm-deploy that the package.json in `directory`, from the root of the repository, installs. */
export function installedGate(directory: string): string {
  const command = "node_modules/.bin/qm-deploy";
  return shellWord(directory === "" ? command : `${directory}/${command}`);
}

function installedText(directory: string): string {
  const gate = installedGate(directory);
  const workingDirectory = directory === "" ? "" : `\n        working-directory: ${JSON.stringify(directory)}`;
  return `# Judges every deployment of this repository with the qm-deploy that package.json installs, and never fetches one that
# it does not name.
${HEAD}      - uses: ${CHECKOUT}
        with:
          persist-credentials: false
      - uses: ${SETUP_NODE}
        with:
          node-version: 24
      - name: Install${workingDirectory}
        run: |
          if [ -f package-lock.json ]; then
            npm ci --ignore-scripts --no-audit --no-fund
          else
            npm install --ignore-scripts --no-audit --no-fund
          fi
      - name: Find the gate
        run: |
          if [ ! -x ${gate} ]; then
            echo "::error title=qm-deploy is not installed::add it to devDependencies (qm-deploy init --toolkit <npm spec>) and commit package.json"
            exit 1
          fi
      - name: Check
        run: |
          ${gate} check --format github
      - name: Compare rendered files
        run: |
          if ! ${gate} render --check; then
            echo "::error title=rendered files are not up to date::run qm-deploy render, and commit what it writes below rendered/"
            exit 1
          fi
`;
}

/**
 * The gate for pull requests, over every deployment of a repository: `check` with annotations, and whether what is committed is
 * what each config renders to. `action` (`owner/repo@tag`) is this toolkit's own; without one, the qm-deploy is run that the
 * package.json in `directory`, from the root of the repository, installs.
 */
export function workflowText(action: string | null, directory = ""): string {
  return action === null ? installedText(directory) : actionText(action);
}
