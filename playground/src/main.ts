import { App } from "./app.ts";
import { openedState } from "./session.ts";

const { state, isBroken } = await openedState();
await new App(state).start(isBroken);
