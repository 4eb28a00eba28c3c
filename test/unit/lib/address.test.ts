import assert from "node:assert/strict";
import { test } from "node:test";
import { familyOf, isAddress } from "#core/lib/address.ts";

test("a v4 address is four octets without leading zeros", () => {
  for (const text of ["0.0.0.0", "10.1.2.3", "255.255.255.255"]) assert.equal(familyOf(text), "v4", text);
  for (const text of [
    "",
    "1",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.",
    ".1.2.3",
    "1..2.3",
    "256.1.1.1",
    "01.2.3.4",
    "1.2.3.04",
    "1.2.3.a",
    "1.2.3.4/8",
    "-1.2.3.4",
    " 1.2.3.4",
  ])
    assert.equal(isAddress(text), false, text);
});

test("a v6 address may have one gap, and end in a v4 address", () => {
  for (const text of ["::", "::1", "2001:db8::1", "::ffff:10.1.2.3", "1:2:3:4:5:6:7:8"]) assert.equal(familyOf(text), "v6", text);
  for (const text of [":", "1::2::3", "1:2:3:4:5:6:7", "12345::", "::1%eth0", "10.1.2.3::"]) assert.equal(isAddress(text), false, text);
});
