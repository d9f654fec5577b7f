/**
 * The part of SARIF 2.1.0 that this toolkit writes, as a strict JSON Schema in words of our own: names and value ranges
 * from the OASIS standard (§3.13 to §3.35). Anything outside it fails, so a new property must be looked up first.
 */
const text = {
  type: "object",
  additionalProperties: false,
  required: ["text"],
  properties: { text: { type: "string" }, markdown: { type: "string" } },
};
const level = { enum: ["none", "note", "warning", "error"] };
const bag = { type: "object", properties: { tags: { type: "array", uniqueItems: true, items: { type: "string" } } } };

function object(required: readonly string[], properties: { readonly [name: string]: object }): object {
  return { type: "object", additionalProperties: false, required, properties };
}

const rule = object(["id"], {
  id: { type: "string" },
  shortDescription: text,
  fullDescription: text,
  help: text,
  defaultConfiguration: object([], { level }),
  properties: bag,
});

const region = object(["startLine"], {
  startLine: { type: "integer", minimum: 1 },
  startColumn: { type: "integer", minimum: 1 },
  endLine: { type: "integer", minimum: 1 },
  endColumn: { type: "integer", minimum: 1 },
  charOffset: { type: "integer", minimum: 0 },
  charLength: { type: "integer", minimum: 0 },
});

const location = object([], {
  physicalLocation: object(["artifactLocation"], {
    artifactLocation: object(["uri"], { uri: { type: "string", format: "uri-reference", minLength: 1 } }),
    region,
  }),
});

const suppression = object(["kind"], {
  kind: { enum: ["inSource", "external"] },
  status: { enum: ["accepted", "underReview", "rejected"] },
  justification: { type: "string" },
  location,
});

const result = object(["message"], {
  ruleId: { type: "string" },
  ruleIndex: { type: "integer", minimum: 0 },
  level,
  message: object(["text"], { text: { type: "string", minLength: 1 } }),
  locations: { type: "array", minItems: 1, items: location },
  suppressions: { type: "array", uniqueItems: true, items: suppression },
});

export const SARIF_SCHEMA = object(["version", "runs"], {
  $schema: { type: "string", format: "uri" },
  version: { const: "2.1.0" },
  runs: {
    type: "array",
    items: object(["tool"], {
      tool: object(["driver"], {
        driver: object(["name"], {
          name: { type: "string" },
          semanticVersion: { type: "string" },
          rules: { type: "array", uniqueItems: true, items: rule },
        }),
      }),
      columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
      invocations: {
        type: "array",
        items: object(["executionSuccessful"], { executionSuccessful: { type: "boolean" }, properties: bag }),
      },
      results: { type: "array", items: result },
    }),
  },
});
