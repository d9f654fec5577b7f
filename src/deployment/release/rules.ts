import type { RuleInfo } from "../../diagnostics/rule-info.ts";

/** What the findings about the choice of the release say about themselves. */
export const RELEASE_RULES = {
  assumed: {
    id: "release/assumed",
    title: "No release of qm pinned",
    severity: "info",
    why: "Each qm release has a contract of its own, and the pin of `@yc-software/qm` in the deployment's package.json says which one runs. Without a pin, there or in a package.json above it in the repository, the newest known release judges.",
    bad: '// package.json\n{ "devDependencies": {} }',
    good: '// package.json\n{ "devDependencies": { "@yc-software/qm": "0.1.12" } }',
  },
  range: {
    id: "release/range",
    title: "Range instead of an exact version of qm",
    severity: "warning",
    why: "A deployment is judged by the contract of one qm release. A range lets npm install another one than was checked; its lowest version is taken.",
    bad: '// package.json\n{ "devDependencies": { "@yc-software/qm": "^0.1.6" } }',
    good: '// package.json\n{ "devDependencies": { "@yc-software/qm": "0.1.6" } }',
  },
  unknown: {
    id: "release/unknown-version",
    title: "Unknown release",
    severity: "warning",
    why: "Each qm release has a contract of its own. A version that this toolkit does not know is judged by the known release below it, or by the oldest or newest one, which may be wrong in details.",
    bad: '// package.json\n{ "devDependencies": { "@yc-software/qm": "0.1.9" } }',
    good: '// package.json\n{ "devDependencies": { "@yc-software/qm": "0.1.12" } }',
  },
  unreadable: {
    id: "release/unreadable-pin",
    title: "Pin of qm that names no version",
    severity: "warning",
    why: "A tag, path, URL or workspace reference, or `*`, does not say which release will run, so the newest known release is assumed.",
    bad: '// package.json\n{ "devDependencies": { "@yc-software/qm": "latest" } }',
    good: '// package.json\n{ "devDependencies": { "@yc-software/qm": "0.1.12" } }',
  },
  packageFile: {
    id: "release/package-json",
    title: "package.json that cannot be read",
    severity: "warning",
    why: "The pin of `@yc-software/qm` stands in package.json. Where that file is not JSON, npm installs nothing and the release can only be guessed.",
    bad: '// package.json\n{ "devDependencies": { "@yc-software/qm": "0.1.12" }',
    good: '// package.json\n{ "devDependencies": { "@yc-software/qm": "0.1.12" } }',
  },
} as const satisfies { readonly [key: string]: RuleInfo };

/** The rules whose findings resolving makes. */
export const DEPLOYMENT_RULES: readonly RuleInfo[] = Object.values(RELEASE_RULES);
