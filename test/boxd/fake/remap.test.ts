import fc from "fast-check";
import { expect, test } from "vitest";
import { GuestText, hostPath, toHost } from "../../support/boxd-fake/remap.ts";

const MAP = { home: "/tmp/boxd-fake-x/m/home", tmp: "/tmp/boxd-fake-x/m/tmp", bootId: "/tmp/boxd-fake-x/m/boot_id" };
const { home, tmp } = MAP;

test.each<[string, string]>([
  ["cd /home/boxd && ls /tmp", `cd ${home} && ls ${tmp}`],
  ["cat '/home/boxd/a b' >/tmp/x", `cat '${home}/a b' >${tmp}/x`],
  ["X=/tmp/a:/home/boxd/b;", `X=${tmp}/a:${home}/b;`],
  ["cat /proc/sys/kernel/random/boot_id", `cat ${MAP.bootId}`],
  [
    "ls /home/boxdx /home/boxd-2 /tmpfile /tmp.d /var/tmp a/tmp ~/tmp $HOME/tmp ${X}/tmp file:///tmp",
    "ls /home/boxdx /home/boxd-2 /tmpfile /tmp.d /var/tmp a/tmp ~/tmp $HOME/tmp ${X}/tmp file:///tmp",
  ],
])("the command %j", (command, expected) => {
  expect(toHost(command, MAP)).toBe(expected);
});

test("output gets the machine's paths back, and no other byte changes, in whatever pieces it comes", () => {
  const noise = Buffer.from(Array.from({ length: 256 }, (_value, byte) => byte));
  const output = Buffer.concat([
    noise,
    Buffer.from(`${home}/f\n${tmp}\n${MAP.bootId}`),
    noise,
    Buffer.from(home.slice(0, 9)),
  ]);
  const expected = Buffer.concat([
    noise,
    Buffer.from("/home/boxd/f\n/tmp\n/proc/sys/kernel/random/boot_id"),
    noise,
    Buffer.from(home.slice(0, 9)),
  ]);
  fc.assert(
    fc.property(fc.array(fc.nat(output.length), { maxLength: 8 }), (cuts) => {
      const text = new GuestText(MAP);
      const borders = [0, ...cuts.toSorted((a, b) => a - b), output.length];
      const pieces = borders.slice(1).map((end, index) => text.push(output.subarray(borders[index], end)));
      expect(Buffer.concat([...pieces, text.rest()]).toString("latin1")).toBe(expected.toString("latin1"));
    }),
  );
});

test.each([
  ["/home/boxd", home],
  ["/home/boxd/a", `${home}/a`],
  ["/tmp/a", `${tmp}/a`],
  ["/home/boxdx", "/home/boxdx"],
  ["/etc/passwd", "/etc/passwd"],
])("the path %j", (path, expected) => {
  expect(hostPath(path, MAP)).toBe(expected);
});
