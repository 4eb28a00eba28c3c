import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAddress, parseAddress } from "#core/lib/address.ts";
import { cidrContains, parseCidr } from "#core/lib/cidr.ts";

function contains(range: string, address: string): boolean {
  const cidr = parseCidr(range);
  const parsed = parseAddress(address);
  return cidr !== undefined && parsed !== undefined && cidrContains(cidr, parsed);
}

test("a range contains addresses that share its leading bits, of its own family alone", () => {
  assert.equal(contains("10.1.0.0/16", "10.1.255.3"), true);
  assert.equal(contains("10.1.0.0/16", "10.2.0.1"), false);
  assert.equal(contains("10.1.2.128/25", "10.1.2.127"), false);
  assert.equal(contains("0.0.0.0/0", "8.8.8.8"), true);
  assert.equal(contains("0.0.0.0/0", "::1"), false);
  assert.equal(contains("fd00::/15", "fd01::1"), true);
  assert.equal(contains("fd00::/16", "fd01::1"), false);
});

test("what is no range is none", () => {
  for (const text of ["10.0.0.1", "10.0.0.0/33", "10.0.0.0/08", "x/8", "10.0.0.0/"]) assert.equal(parseCidr(text), undefined, text);
});

test("addresses are written as Go writes them", () => {
  const written = (text: string): string => {
    const address = parseAddress(text);
    return address === undefined ? "" : formatAddress(address);
  };
  assert.equal(written("2001:0002:0:0:0:0:F0F0:1"), "2001:2::f0f0:1");
  assert.equal(written("1:0:0:2:0:0:0:3"), "1:0:0:2::3");
  assert.equal(written("::ffff:1.2.3.4"), "::ffff:1.2.3.4");
  assert.equal(written("0:1:0:1:0:1:0:1"), "0:1:0:1:0:1:0:1");
  assert.equal(written("::"), "::");
  assert.equal(written("10.0.0.1"), "10.0.0.1");
});
