import { fromCommand } from "../secret-row.ts";
import { hostedBackend } from "./parts.ts";

const NEW_TOKEN = fromCommand("modal token new");

/** Modal: reached through `env.core.SANDBOX_BACKEND` alone. */
export const BACKEND = hostedBackend({
  name: "modal",
  title: "Modal",
  summary: "agents work in Modal sandboxes; needs MODAL_TOKEN_ID and MODAL_TOKEN_SECRET",
  keys: [
    ["MODAL_TOKEN_ID", "Id of the Modal token that core runs the agents' sandboxes with", NEW_TOKEN],
    ["MODAL_TOKEN_SECRET", "Secret of the Modal token that core runs the agents' sandboxes with", NEW_TOKEN],
  ],
});
