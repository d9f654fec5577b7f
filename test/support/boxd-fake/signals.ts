import { setMaxListeners } from "node:events";

/** A controller whose signal many calls wait for at once, without Node warning of a leak. */
export function sharedController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
