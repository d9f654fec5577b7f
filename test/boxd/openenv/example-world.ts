/** What scripts/example.mjs runs the examples in: a plane with docker on its machines, and the TLS front. It is bundled, so paths come from outside. */
import type { BoxdClient } from "../../../src/boxd/driver/index.ts";
import type { Connection } from "../../../src/boxd/openenv/index.ts";
import { FakePlane } from "../../support/boxd-fake/index.ts";
import { Front } from "./front.ts";

export interface ExampleWorld {
  readonly client: BoxdClient;
  readonly connection: Connection;
  /** machines that the example left behind */
  left(): string[];
  end(): Promise<void>;
}

/** `dockerScript` is the path of docker-stand-in.mjs. */
export async function exampleWorld(dockerScript: string): Promise<ExampleWorld> {
  const plane = new FakePlane({ tools: { docker: `#!/bin/sh\nexec node '${dockerScript}' "$@"\n` } });
  const front = await Front.start(plane);
  return {
    client: plane.client(),
    connection: { agent: front.agent() },
    left: () => plane.survivors().map(({ name }) => name),
    async end() {
      await front[Symbol.asyncDispose]();
      await plane.dispose();
    },
  };
}
