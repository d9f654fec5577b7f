import type { ModelProviderName } from "../config/written-config.ts";

/** Harnesses of core that qm knows. `mock` answers without a model. */
export const HARNESSES: readonly string[] = ["pi", "opencode", "codex", "claude", "mock"];

/** The harnesses that can call each provider's models (docs/contract/qm-config.md#model-provider-and-harness). */
export const PROVIDER_HARNESSES: { readonly [provider in ModelProviderName]: readonly string[] } = {
  anthropic: ["pi", "opencode", "claude", "mock"],
  openai: ["pi", "opencode", "codex", "mock"],
  openrouter: ["pi", "mock"],
};

/** How the sign-in broker sends e-mails (`env.auth.AUTH_EMAIL_TRANSPORT`). */
export const EMAIL_TRANSPORTS: readonly string[] = ["resend", "smtp"];
