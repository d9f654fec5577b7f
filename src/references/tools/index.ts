import type { ReferenceTool } from "../../base/stand-in-forms.ts";
import type { Tool } from "../tool.ts";
import { AWS } from "./aws.ts";
import { DOTENVX } from "./dotenvx.ts";
import { OP } from "./op.ts";
import { SOPS } from "./sops.ts";
import { VALS } from "./vals.ts";

/** Every tool that a form of `src/base/stand-in-forms.ts` names. */
export const TOOLS: { readonly [program in ReferenceTool]: Tool } = {
  op: OP,
  vals: VALS,
  aws: AWS,
  sops: SOPS,
  dotenvx: DOTENVX,
};
