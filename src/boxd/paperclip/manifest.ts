import type { PaperclipPluginManifestV1 } from "@paperclipai/plugin-sdk";
import { CONFIG_SCHEMA } from "./config-schema.ts";

/** The environment driver's key: what a Paperclip environment names as its provider. */
export const DRIVER_KEY = "boxd";

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
  entrypoints: { worker: "./worker.js" },
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
