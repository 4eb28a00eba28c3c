import assert from "node:assert/strict";
import { test } from "node:test";
import { maskedRange, parseRange } from "#core/lib/address-range.ts";

const masked = (text: string): string | undefined => {
  const range = parseRange(text);
  return range && maskedRange(range);
};

test("an address is a range of one, host bits do not count", () => {
  assert.equal(masked("10.1.2.3"), "10.1.2.3/32");
  assert.equal(masked("10.1.255.3/20"), "10.1.240.0/20");
  assert.equal(masked("2001:db8:ffff::1/33"), "2001:db8:8000::/33");
  assert.equal(masked("10.1.2.3/0"), "0.0.0.0/0");
  assert.equal(masked("host.example.com"), undefined);
  assert.equal(masked("10.1.2.3/33"), undefined);
});
