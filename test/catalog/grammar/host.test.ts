import fc from "fast-check";
import { expect, test } from "vitest";
import { hostKind, readWebUrl, urlHostKind } from "../../../src/catalog/grammar/host.ts";

test.each([
  ["https://qm.acme.dev", "public"],
  ["https://8.8.8.8:8443/x", "public"],
  ["https://[2606:4700::1111]", "public"],
  ["https://example.com", "public"],
  ["http://localhost:8080", "loopback"],
  ["http://LOCALHOST.", "loopback"],
  ["http://api.localhost", "loopback"],
  ["http://127.8.9.1", "loopback"],
  ["http://2130706433", "loopback"],
  ["http://0x7f.1", "loopback"],
  ["http://0177.0.0.1", "loopback"],
  ["http://[::1]:3", "loopback"],
  ["http://[::ffff:127.0.0.1]", "loopback"],
  ["http://[64:ff9b::127.0.0.1]", "loopback"],
  ["http://0.0.0.0", "unspecified"],
  ["http://[::]", "unspecified"],
  ["http://10.1.2.3", "private"],
  ["http://172.31.255.255", "private"],
  ["http://172.32.0.1", "public"],
  ["http://192.168.0.1", "private"],
  ["http://192.169.0.1", "public"],
  ["http://100.64.0.1", "private"],
  ["http://100.128.0.1", "public"],
  ["http://[fd12::1]", "private"],
  ["http://[::ffff:10.0.0.1]", "private"],
  ["http://[2002:c0a8:1::]", "private"],
  ["http://169.254.169.254", "link-local"],
  ["http://[fe80::1]", "link-local"],
  ["http://203.0.113.9", "reserved"],
  ["http://224.0.0.1", "reserved"],
  ["http://255.255.255.255", "reserved"],
  ["http://[2001:db8::1]", "reserved"],
  ["http://[ff02::1]", "reserved"],
  ["http://core:8080", "private"],
  ["http://printer.local", "private"],
  ["http://acme-core.internal:8080", "private"],
  ["http://nas.home.arpa", "private"],
  ["https://acme-core.flycast", "private"],
  ["https://core.qm.svc", "private"],
  ["https://core.qm.svc.cluster.local", "private"],
  ["https://qm.private", "private"],
  ["https://core.service.consul", "private"],
  ["https://ip-10-0-0-1.us-west-2.compute.internal", "private"],
  ["https://internal-acme-1234567890.us-west-2.elb.amazonaws.com", "private"],
  ["https://acme.privatelink.azurewebsites.net", "private"],
  ["https://core.internal.cloudapp.net", "private"],
  ["https://qm.192.168.1.5.nip.io", "private"],
  ["https://qm-10-0-0-1.sslip.io", "private"],
  ["https://127.0.0.1.nip.io", "loopback"],
  ["https://qm.lvh.me", "loopback"],
  ["https://localtest.me", "loopback"],
  ["https://acme.onion", "reserved"],
  ["https://acme-core.fly.dev", "public"],
  ["https://flycast.acme.dev", "public"],
  ["https://svc.acme.dev", "public"],
  ["https://qm.private.acme.dev", "public"],
  ["https://consul.acme.dev", "public"],
  ["https://acme-1234567890.us-west-2.elb.amazonaws.com", "public"],
  ["https://acme.azurewebsites.net", "public"],
  ["https://acme.cloudapp.net", "public"],
  ["https://privatelink.acme.dev", "public"],
  ["https://8.8.8.8.nip.io", "public"],
  ["https://nip.io.acme.dev", "public"],
  ["https://acme.ts.net", "public"],
  ["https://acme-internal.dev", "public"],
  ["https://mylvh.me", "public"],
  ["https://onion.acme.dev", "public"],
  ["http://a.invalid", "reserved"],
  ["http://a.test", "reserved"],
  ["http://notlocalhost.dev", "public"],
  ["http://mylocal.dev", "public"],
])("%s leads to a %s host", (url, kind) => {
  expect(urlHostKind(url)).toBe(kind);
});

test.each([
  "",
  "qm.acme.dev",
  "ftp://qm.acme.dev",
  "https:qm.acme.dev",
  "https://",
  "javascript:alert(1)",
  "http://a b",
  "file:///x",
])("%j is no web URL", (text) => {
  expect(readWebUrl(text)).toBeNull();
  expect(urlHostKind(text)).not.toBe("public");
});

test("an IPv4 address is judged the same however it is written, also inside IPv6", () => {
  fc.assert(
    fc.property(fc.nat({ max: 0xffffffff }), (address) => {
      const dotted = [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");
      const kind = hostKind(dotted);
      for (const host of [String(address), `0x${address.toString(16)}`, `[::ffff:${dotted}]`, `[64:ff9b::${dotted}]`])
        expect(urlHostKind(`http://${host}/`)).toBe(kind);
    }),
  );
});

test("no host makes it throw, and every literal address has a kind", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.domain()), fc.ipV6(), (text, address) => {
      urlHostKind(`http://${text}`);
      expect(urlHostKind(`http://[${address}]`)).not.toBeNull();
    }),
  );
});
