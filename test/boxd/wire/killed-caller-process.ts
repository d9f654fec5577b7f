/** A caller in a process of its own: makes one machine, as its arguments say (address, key, specification), and prints its name. */
import { MachineDriver, type OwnedSpec } from "../../../src/boxd/driver/index.ts";
import { Boxd } from "../../support/boxd-wire/sdk/index.ts";

const [baseURL = "", apiKey = "", spec = "{}"] = process.argv.slice(2);
const driver = new MachineDriver({ client: new Boxd({ baseURL, apiKey, maxRetries: 0 }) });
console.log((await driver.createOwned(JSON.parse(spec) as OwnedSpec)).name);
