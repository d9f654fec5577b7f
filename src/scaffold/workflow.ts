import type { TargetName } from "../config/written-config.ts";

/** Where GitHub looks for it, from the root of the repository. */
export const WORKFLOW_PATH = ".github/workflows/check.yml";

/** The gate for pull requests: `check` with annotations, and whether what is committed is what the config renders to. */
export function workflowText(target: TargetName): string {
  return `# Runs the qm-deploy that package.json installs, and never fetches one that it does not name.
name: check
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
      - uses: actions/checkout@v4
        with:
          persist-credentials: false
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - name: Install
        run: |
          if [ -f package-lock.json ]; then
            npm ci --ignore-scripts --no-audit --no-fund
          else
            npm install --ignore-scripts --no-audit --no-fund
          fi
      - name: Find the gate
        run: |
          if [ ! -x node_modules/.bin/qm-deploy ]; then
            echo "::error file=package.json,title=qm-deploy is not installed::add it to devDependencies (qm-deploy init --toolkit <npm spec>) and commit package.json"
            exit 1
          fi
      - name: Check
        run: node_modules/.bin/qm-deploy check --format github
      - name: Compare rendered files
        run: |
          if ! node_modules/.bin/qm-deploy render --check; then
            echo "::error file=qm.config.jsonc,title=rendered files are not up to date::run qm-deploy render, and commit rendered/${target}/"
            exit 1
          fi
`;
}
