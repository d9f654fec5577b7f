import { shellWord } from "../../base/shell-word.ts";
import { PROJECTION } from "../../deployment/rendered-names.ts";
import type { RenderContext } from "../artifact.ts";
import { needsProjection } from "../projection.ts";
import type { Step } from "./step.ts";

/**
 * The first person signs in and gets an answer: the end of a bring-up. Empty where no service has pages. `unguarded`: where
 * the web UI is without a portal, which the public address need not lead to.
 */
export function signInStep(context: RenderContext, unguarded?: string): Step | [] {
  const { services, release, publicOrigin } = context.deployment;
  if (!services.includes("web-ui") || publicOrigin === null) return [];
  const title = "Sign in for the first time";
  const check = {
    text: "send the agent a message and have it run a command: a real answer comes, and the chat gets a title of its own.",
  };
  if (!services.includes("portal"))
    return {
      title,
      text: `Without the service \`portal\` nobody is asked who they are: whoever reaches the web UI may take any name. Open ${unguarded ?? publicOrigin} and type one.`,
      check,
    };
  const admin = services.includes("admin")
    ? ` ${publicOrigin}/admin/onboarding then says whether the model provider is set up.`
    : "";
  if (!services.includes("admin") || !release.release.adminLogin)
    return { title, text: `Open ${publicOrigin} and sign in${byMail(context)}.${admin}`, check };
  return {
    title,
    text: `The command of qm (Node 24) prints a link that signs the administrator of ADMIN_GRANTS in once, within five minutes, without a mail. Give it to nobody.${admin}`,
    commands: [adminLogin(context)],
    check,
  };
}

function byMail({ deployment }: RenderContext): string {
  return deployment.services.includes("auth")
    ? " with an address that may: the link comes by mail"
    : " with the provider that `env.portal` names";
}

/** It takes fewer options than qm's other commands (docs/contract/qm-rendering.md#what-bringing-a-deployment-up-takes). */
function adminLogin({ deployment, options }: RenderContext): string {
  const config = needsProjection(deployment) ? ` --config ${shellWord(`${options.place}/${PROJECTION}`)}` : "";
  return `npx --no qm admin-login${config} --env-file .env`;
}
