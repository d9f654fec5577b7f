import type { ModelProviderName } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { settingValue } from "../../deployment/env-values.ts";
import type { Drawing } from "./drawing.ts";

const PROVIDERS: { readonly [provider in ModelProviderName]: string } = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  openrouter: "OpenRouter",
};

/** A harness that calls no model. */
const MOCK = "mock";

/** Whom a deployment works with whose address no setting holds. */
export function drawParties(drawing: Drawing, deployment: Deployment): void {
  const { model, services, config, release } = deployment;
  const core = drawing.find("workload:core");
  if (core !== null && model.provider !== null && model.harness !== MOCK) {
    const lines = [
      ...(config.model?.trim() ? [config.model.trim()] : []),
      ...(model.harness === null ? [] : [`harness ${model.harness}`]),
    ];
    drawing.edge(core, drawing.node("models", { kind: "outside", title: PROVIDERS[model.provider], lines }), "models");
  }
  if (core !== null && services.includes("slack"))
    drawing.edge(core, drawing.node("slack", { kind: "outside", title: "Slack" }), "messages", true);
  const broker = drawing.find(`workload:${release.release.host.auth}`);
  const transport = settingValue(config, release.release, "auth.emailTransport")?.value ?? null;
  if (broker !== null && services.includes("auth") && transport !== null)
    drawing.edge(
      broker,
      drawing.node("mail", { kind: "outside", title: transport === "smtp" ? "Mail server" : "Resend" }),
      "sign-in mails",
    );
}
