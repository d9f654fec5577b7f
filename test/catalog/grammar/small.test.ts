import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isDnsLabel, isDottedDomain, isLetterLedLabel } from "../../../src/catalog/grammar/dns.ts";
import { badEntries, isAdminGrant, isEmail, isEmailSender } from "../../../src/catalog/grammar/email.ts";
import { readPostgresUrl } from "../../../src/catalog/grammar/postgres-url.ts";
import { accountOfRole } from "../../../src/catalog/targets/aws.ts";

describe("names of DNS", () => {
  test.each([
    ["a", true, true],
    ["a-b", true, true],
    ["7a", true, false],
    ["a".repeat(63), true, true],
    ["a".repeat(64), false, false],
    ["", false, false],
    ["A", false, false],
    ["a-", false, false],
    ["a.b", false, false],
  ])("%j: label %j, letter first %j", (text, label, letter) => {
    expect([isDnsLabel(text), isLetterLedLabel(text)]).toEqual([label, letter]);
  });

  test.each([
    ["acme.com", true],
    ["Acme.Co.Uk", true],
    ["acme", false],
    ["@acme.com", false],
    ["a.com,b.com", false],
    ["acme.com.", false],
    ["https://acme.com", false],
    ["1.2.3.4", false],
    ["", false],
    [`${"a.".repeat(130)}com`, false],
  ])("%j is a dotted domain: %j", (text, is) => {
    expect(isDottedDomain(text)).toBe(is);
  });
});

describe("e-mail", () => {
  test.each([
    ["ada@acme.dev", true],
    ["ada.l+qm@mail.acme.dev", true],
    ["ada@acme", false],
    ["ada", false],
    ["@acme.dev", false],
    ["ada@", false],
    ["a..b@acme.dev", false],
    [".a@acme.dev", false],
    ["a b@acme.dev", false],
    ["Ada <ada@acme.dev>", false],
    ["a@b@acme.dev", false],
    [`${"a".repeat(65)}@acme.dev`, false],
  ])("%j is an address: %j", (text, is) => {
    expect(isEmail(text)).toBe(is);
  });

  test.each([
    ["qm@acme.dev", true],
    ['"Acme" <qm@acme.dev>', true],
    ["Acme <qm@acme.dev>", true],
    ["<qm@acme.dev>", true],
    ["Acme qm@acme.dev", false],
    ["Acme <>", false],
    ["Acme <a@acme.dev> x", false],
  ])("%j is a sender: %j", (text, is) => {
    expect(isEmailSender(text)).toBe(is);
  });

  test("a list says which entries are wrong by their place", () => {
    expect(badEntries("ada@acme.dev, bob ,,cy@acme.dev", isEmail)).toEqual([2, 3]);
    expect(badEntries("", isEmail)).toEqual([1]);
  });
});

test.each([
  ["ada@acme.dev:org_admin", []],
  ["slack:T1:U2:org_admin, ada@acme.dev:org_admin", []],
  ["ada@acme.dev", [1]],
  [":org_admin", [1]],
  ["ada@acme.dev:admin,bob@acme.dev:org_admin", [1]],
  ["ada@acme.dev:org_admin,", [2]],
  ["org_admin", [1]],
])("ADMIN_GRANTS %j: bad entries %j", (text, bad) => {
  expect(badEntries(text, isAdminGrant)).toEqual(bad);
});

test.each([
  ["arn:aws:iam::210987654321:role/deploy", "210987654321"],
  ["arn:aws:iam::210987654321:role/a/b/deploy@x", "210987654321"],
  ["arn:aws-cn:iam::210987654321:role/deploy", null],
  ["arn:aws:iam::21098765432:role/deploy", null],
  ["arn:aws:iam::210987654321:user/deploy", null],
  ["arn:aws:iam::210987654321:role/", null],
  [`arn:aws:iam::210987654321:role/${"a".repeat(65)}`, null],
  ["arn:aws:iam::210987654321:role/deploy\n", null],
])("role ARN %j", (text, account) => {
  expect(accountOfRole(text)).toBe(account);
});

describe("Postgres URLs", () => {
  test.each([
    ["postgresql://qm%40x:hunter2%2F@db.acme.dev:6432/qm?sslmode=require", "public"],
    ["postgres://qm@pg/qm", "private"],
    ["postgres://qm@localhost", "loopback"],
    ["postgres://qm@LOCALHOST", "loopback"],
    ["postgres://qm@0x7f.1", "loopback"],
    ["postgres://qm@[::1]:5432/qm", "loopback"],
    ["postgres://qm@10.0.0.4", "private"],
  ])("%s leads to a %s host", (text, kind) => {
    expect(readPostgresUrl(text)).toEqual({ ok: true, hostKind: kind });
  });

  test.each([
    "mysql://a:hunter2@h/d",
    "host=h password=hunter2",
    "postgres://a:hunter2#x@h/d",
    "postgres://a:hunter2/x@h/d",
    "postgres://a:hunter2@x@h/d ",
    "postgres://:hunter2@h/d",
    "postgres://a:hunter2@/d",
    "postgres://a:hunter2@h1,h2/d",
    "postgres://a:hunter2%@h/d",
    "postgres://a:hunter2@h/d#x",
    "postgres://a:hunter2@h/d/e",
    "",
  ])("%j is refused without showing anything of it", (text) => {
    const reading = readPostgresUrl(text);
    expect(reading.ok).toBe(false);
    expect(JSON.stringify(reading)).not.toContain("hunter2");
  });

  test("any user and password may stand in it when they are encoded", () => {
    const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(word, word, (user, password) => {
        const reading = readPostgresUrl(
          `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@db.acme.dev/qm`,
        );
        expect(reading).toEqual({ ok: true, hostKind: "public" });
      }),
    );
  });
});
