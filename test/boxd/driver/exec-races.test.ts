import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { killScript } from "../../../src/boxd/driver/exec-script.ts";
import { untilNoneRuns, untilRuns } from "../../support/boxd-fake/index.ts";
import { commandRig, LONG_MS, needsProcesses, skipWithoutProcesses } from "./rig.ts";

/** Moments that a scheduler brings about now and then; here a slow or late program of the machine does. */
describe.skipIf(skipWithoutProcesses)(`commands and bad moments${needsProcesses}`, () => {
  test("a relay that is ended before it opened its copy does not keep the call", async () => {
    await using rig = commandRig({ tools: { tee: "#!/bin/sh\nexec sleep 30\n" } });
    const { id } = await rig.running();
    expect(await rig.driver.exec(id, { command: "exit 3" }, { timeoutMs: LONG_MS })).toMatchObject({
      ended: "exit",
      exitCode: 3,
      stdout: "",
    });
  });

  test("a leader that is no group leader yet when its time is up never becomes the command", async () => {
    const wait = 'while [ ! -e "$HOME/go" ]; do sleep 0.021; done';
    const setsid = `#!/bin/sh\ncase "$*" in *--default-signal*) ${wait} ;; esac\nexec /usr/bin/setsid "$@"\n`;
    await using rig = commandRig({ tools: { setsid } });
    const machine = await rig.running();
    const running = rig.driver.exec(machine.id, { command: "touch /home/boxd/ran" }, { timeoutMs: LONG_MS });
    await untilRuns(machine, "0.021");
    rig.leap();
    expect(await running).toMatchObject({ ended: "timeout", groupGone: true });
    writeFileSync(join(machine.disk.home, "go"), "");
    await untilNoneRuns(machine);
    expect(readdirSync(machine.disk.home)).not.toContain("ran");
  });

  test("a command that begins between the two looks of the one who ends it is ended, not called absent", async () => {
    const mkdir =
      '#!/bin/sh\n/usr/bin/mkdir "$@"\nfor dir; do :; done\nmkfifo "$dir/k"\n(read -r word <"$dir/k"; [ "$word" != kill ] || : >"$dir/y") >/dev/null 2>&1 &\n';
    await using rig = commandRig({ tools: { mkdir } });
    const machine = await rig.running();
    expect((await machine.exec(killScript("/home/boxd/late"))).stdout.toString()).toBe("killed\n");
  });
});
