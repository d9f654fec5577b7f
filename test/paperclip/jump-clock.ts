export { JumpClock } from "../support/boxd-fake/index.ts";
