import type { Release } from "../release.ts";

/** What core of 0.1.6 keeps for tools of its own. */
export const OWN_CREDENTIALS: Release["ownCredentials"] = {
  ".aws": "directory",
  ".config/gcloud": "directory",
  ".config/gh": "directory",
  ".config/glab": "directory",
  ".git-credentials": "file",
  ".netrc": "file",
  ".ssh": "directory",
};

/** The skills that the image of core 0.1.6 brings; `onboarding` comes from a plugin of its own. */
export const BUILT_IN_SKILLS: Release["builtInSkills"] = [
  "admin",
  "browse",
  "cloud-cli",
  "connect-apps",
  "dropbox",
  "email-draft-in-voice",
  "email-voice-profile",
  "github-gitlab",
  "google-drive-sheets",
  "google-workspace",
  "interactive-login",
  "linear",
  "memory",
  "morning-digest",
  "onboarding",
  "popular-web-designs",
  "publish",
  "slack-drafts",
  "taste-skill",
  "use-shared-credential",
];
