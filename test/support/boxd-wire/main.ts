/**
 * A plane as a process: `node test/support/boxd-wire/start.mjs`. Its first line on standard output is its address; it ends on SIGTERM, or when its
 * standard input is closed, and removes its machines then.
 */
import { FakePlane, ManualClock, realPlaneClock } from "../boxd-fake/index.ts";
import { seed } from "../boxd-sdk-stand-in/process-plane.ts";
import { planeOptions, readSettings } from "../boxd-sdk-stand-in/settings.ts";
import { NEWEST } from "./newest.ts";
import { WirePlane } from "./server.ts";

const { settings, faults } = readSettings(process.env);
const options = planeOptions(settings);
const plane = new FakePlane({
  ...options,
  quirks: { ...NEWEST, ...options.quirks },
  clock: process.env["FAKE_BOXD_CLOCK"] === "manual" ? new ManualClock() : realPlaneClock,
});
await seed(plane, settings);
for (const fault of faults) plane.faults.inject(fault);
const wire = await WirePlane.open(plane, Number(process.env["FAKE_BOXD_PORT"] ?? 0));

process.on("exit", () => {
  plane.disposeNow();
});
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => process.exit(0));
process.stdin
  .on("end", () => process.exit(0))
  .on("error", () => process.exit(0))
  .resume();
console.log(wire.address);
