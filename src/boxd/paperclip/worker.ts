/** The file that the host starts. */
import "./stdout-guard.ts";
import { runWorker } from "@paperclipai/plugin-sdk";
import { openBoxd } from "../driver/index.ts";
import { boxdPlugin } from "./plugin.ts";

const plugin = boxdPlugin({ open: openBoxd, env: process.env });

export default plugin;
runWorker(plugin, import.meta.url);
