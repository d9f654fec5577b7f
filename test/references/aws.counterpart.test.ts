import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Deployment } from "../../src/deployment/deployment.ts";
import type { ReferenceReading } from "../../src/envfile/index.ts";
import { createReferenceReader } from "../../src/references/read-references.ts";
import { loadDeployment } from "../../src/workspace/load-deployment.ts";
import { plainEnv } from "../cli/built.ts";
import { soundConfig } from "../cli/deployments.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { KEY } from "./rows.ts";

const AWS = process.env["QM_DEPLOY_AWS"] ?? "";
const needs = AWS === "" ? " (skipped without QM_DEPLOY_AWS)" : "";

/** What the server was asked: the operation, the region of the signature, and the request. */
interface Asked {
  readonly operation: string;
  readonly region: string;
  readonly request: unknown;
}

/** Answers by the last word of the id. */
const ANSWERS: { readonly [id: string]: readonly [status: number, answer: object] } = {
  cap: [200, { ARN: "x", Name: "x", SecretString: `${KEY} é\n`, VersionStages: ["AWSCURRENT"] }],
  json: [200, { ARN: "x", Name: "x", SecretString: JSON.stringify({ cap: KEY }) }],
  binary: [200, { ARN: "x", Name: "x", SecretBinary: "AAEC" }],
  parameter: [200, { Parameter: { Name: "x", Type: "SecureString", Value: KEY } }],
  expired: [400, { __type: "ExpiredTokenException", message: "The security token included in the request is expired" }],
  refused: [400, { __type: "AccessDeniedException", Message: "User is not authorized to perform this" }],
};

describe.skipIf(needs !== "")(`the AWS command line itself${needs}`, () => {
  const asked: Asked[] = [];
  let server: Server;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const body = JSON.parse(Buffer.concat(parts).toString("utf8"));
        const region = /Credential=[^/]+\/\d+\/([^/]+)\//.exec(request.headers.authorization ?? "")?.[1] ?? "";
        asked.push({ operation: String(request.headers["x-amz-target"]), region, request: body });
        const id = String(body.SecretId ?? body.Name)
          .split(/[/:]/)
          .at(-1) as string;
        const [status, answer] = ANSWERS[id.replace(/-AbCdEf$/, "")] ?? [
          400,
          { __type: "ResourceNotFoundException", Message: "can't find the specified secret." },
        ];
        response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  async function reading(
    arn: string,
    more: { readonly [name: string]: string } = {},
  ): Promise<ReferenceReading | undefined> {
    asked.length = 0;
    const root = tempDirectory({
      "qm.config.jsonc": soundConfig(),
      ".env": `CAPABILITY_SECRET=${arn}\n`,
      "bin/none": "",
    });
    symlinkSync(AWS, join(root, "bin/aws"));
    const { port } = server.address() as AddressInfo;
    const env = {
      ...plainEnv(),
      PATH: `${join(root, "bin")}:/usr/bin:/bin`,
      HOME: root,
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
      AWS_SECRET_ACCESS_KEY: "x",
      AWS_REGION: "eu-north-1",
      AWS_EC2_METADATA_DISABLED: "true",
      AWS_MAX_ATTEMPTS: "1",
      ...more,
    };
    const { deployment } = loadDeployment(root, { cwd: root });
    const { inputs } = await createReferenceReader({ cwd: root, env })(deployment as Deployment);
    return inputs.readings?.get("CAPABILITY_SECRET");
  }

  const secret = (name: string): string => `arn:aws:secretsmanager:eu-west-1:210987654321:secret:acme/${name}`;

  test("a secret, asked for in the region of its ARN, and read to the letter", async () => {
    for (const more of [{}, { LC_ALL: "C" }, { AWS_DEFAULT_OUTPUT: "table" }, { AWS_PAGER: "cat" }])
      expect(await reading(secret("cap-AbCdEf"), more)).toEqual({ value: `${KEY} é` });
    expect(asked).toEqual([
      { operation: "secretsmanager.GetSecretValue", region: "eu-west-1", request: { SecretId: secret("cap-AbCdEf") } },
    ]);
  });

  test("a key, a stage and a version behind the name", async () => {
    expect(await reading(`${secret("json")}:cap:AWSPREVIOUS:${"1".repeat(32)}`)).toEqual({ value: KEY });
    expect(asked[0]?.request).toEqual({
      SecretId: secret("json"),
      VersionStage: "AWSPREVIOUS",
      VersionId: "1".repeat(32),
    });
  });

  test("a parameter, decrypted", async () => {
    const arn = "arn:aws:ssm:eu-west-1:210987654321:parameter/acme/parameter";
    expect(await reading(arn)).toEqual({ value: KEY });
    expect(asked).toEqual([
      { operation: "AmazonSSM.GetParameter", region: "eu-west-1", request: { Name: arn, WithDecryption: true } },
    ]);
  });

  test.each([
    ["binary", /is binary in Secrets Manager/],
    ["none", /it says: An error occurred \(ResourceNotFoundException\) when calling the GetSecretValue operation/],
    ["expired", /ExpiredTokenException/],
    ["refused", /AccessDeniedException/],
  ])("%s", async (name, problem) => {
    expect(await reading(secret(name))).toMatchObject({ problem: expect.stringMatching(problem) });
  });

  test("not signed in", async () => {
    const reason = await reading(secret("cap"), { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "" });
    expect(reason).toMatchObject({ problem: expect.stringMatching(/Unable to locate credentials/) });
    expect(asked).toEqual([]);
  });
});
