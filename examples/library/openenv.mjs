/**
 * One episode of an OpenEnv environment on a boxd machine. With `@boxd-sh/sdk` installed and BOXD_API_KEY set: `node openenv.mjs <image>`.
 * Without an account, against the fake of the tests: `npm run example:openenv`.
 */
import { pathToFileURL } from "node:url";
import { BoxdProvider, EnvClient } from "qm-deploy/openenv";

/** `more` are further options of the provider: a client, or how to reach the machine. */
export async function main(image, more = {}) {
  const provider = new BoxdProvider({
    public: true,
    image,
    deleteAfterSeconds: 900,
    envVars: { GREETING: "hello" },
    ...more,
  });
  // In TypeScript, or from Node 24 on: `await using provider = …`, and no `finally`.
  try {
    const client = await EnvClient.fromProvider(
      provider,
      more.connection === undefined ? {} : { connection: more.connection },
    );
    console.log("reset", await client.reset());
    // The steps of OpenEnv's echo environment are calls of its tools.
    const call = { type: "call_tool", tool_name: "echo_message", arguments: { message: "hello from an agent" } };
    console.log("step", (await client.step(call)).observation.result.data);
    console.log("state", await client.state());
    await client.close();
  } finally {
    await provider.close();
  }
  console.log("closed, and the machine is gone");
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await main(process.argv[2] ?? "echo-env:latest");
