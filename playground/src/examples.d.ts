/** What scripts/playground/examples.mjs makes of examples/ at build time. */
declare module "playground:examples" {
  import type { Example } from "./texts.ts";
  /** The first is what the page opens with. */
  export const EXAMPLES: readonly Example[];
}
