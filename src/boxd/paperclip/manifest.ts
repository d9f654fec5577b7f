import type { PaperclipPluginManifestV1 } from "@paperclipai/plugin-sdk";
import { LONGEST_TIMER_SECONDS, VCPUS } from "../driver/index.ts";

/** The environment driver's key: what a Paperclip environment names as its provider. */
export const DRIVER_KEY = "boxd";

/** Milliseconds for one operation (acquire, execute, …) when nothing else limits it. */
export const DEFAULT_TIMEOUT_MS = 300_000;
/** A day. */
export const MAX_TIMEOUT_MS = 86_400_000;

/** Seconds that a machine may exist from the start of a run, and that it may wait for the next one. boxd itself deletes it afterwards. */
export const DEFAULT_SECONDS = 86_400;
export const MIN_SECONDS = 60;

/** JSON Schema of a boxd environment's settings: the form that the host shows. `config.ts` judges by the same limits and defaults. */
export const CONFIG_SCHEMA = {
  type: "object",
  properties: {
    apiKey: {
      type: "string",
      format: "secret-ref",
      title: "API key",
      description: "boxd API key. When empty, the host's BOXD_API_KEY is used, where the host passes it on",
    },
    org: { type: "string", title: "Organization", description: "boxd org slug; the key's own org when empty" },
    baseUrl: { type: "string", title: "API address", description: "Address of the boxd API; boxd's own when empty" },
    vcpu: {
      type: "integer",
      enum: [...VCPUS],
      title: "vCPUs",
      description:
        "1, 2, 4 or 8, with 4, 8, 16 or 32 GB of memory; the org's default when empty. Not together with a snapshot",
    },
    image: { type: "string", title: "Image", description: "Image of new machines; boxd's default when empty" },
    snapshot: {
      type: "string",
      title: "Snapshot",
      description: "Name of a ready snapshot that new machines start from, with its size",
    },
    timeoutMs: {
      type: "number",
      minimum: 1,
      maximum: MAX_TIMEOUT_MS,
      default: DEFAULT_TIMEOUT_MS,
      title: "Timeout in milliseconds",
      description: "For one operation. boxd itself ends a command that prints nothing for 30 minutes",
    },
    reuseLease: {
      type: "boolean",
      default: false,
      title: "Reuse machines",
      description:
        "Suspend a machine when its run ends and resume it for the next run of the same workspace, instead of deleting it",
    },
    reuseIdleSeconds: {
      type: "integer",
      minimum: MIN_SECONDS,
      maximum: LONGEST_TIMER_SECONDS,
      default: DEFAULT_SECONDS,
      title: "Idle limit in seconds",
      description: "How long a suspended machine waits for its next run before boxd deletes it",
    },
    maxLeaseSeconds: {
      type: "integer",
      minimum: MIN_SECONDS,
      maximum: LONGEST_TIMER_SECONDS,
      default: DEFAULT_SECONDS,
      title: "Longest run in seconds",
      description: "boxd deletes a machine this long after its run began, also when nobody is left to ask for it",
    },
  },
} as const;

/** What the host reads before it starts the worker; its shape is that of `@paperclipai/shared`'s `pluginManifestV1Schema`. */
const manifest: PaperclipPluginManifestV1 = {
  id: "paperclip.boxd-sandbox-provider",
  apiVersion: 1,
  version: "0.1.0",
  displayName: "boxd Sandbox Provider",
  description:
    "Runs agents in isolated boxd machines: suspended between runs when leases are reused, deleted when they are not",
  author: "qm-deploy",
  categories: ["automation"],
  capabilities: ["environment.drivers.register"],
  // Counted from the root of the package (docs/contract/paperclip.md#package-and-worker).
  entrypoints: { worker: "./dist/paperclip/worker.js" },
  environmentDrivers: [
    {
      driverKey: DRIVER_KEY,
      kind: "sandbox_provider",
      displayName: "boxd",
      description: "One boxd machine for each lease",
      // Nothing else: the host tries what is declared, and omitted means never.
      sandboxCapabilities: { reusableLeases: true },
      configSchema: CONFIG_SCHEMA,
    },
  ],
};

export default manifest;
