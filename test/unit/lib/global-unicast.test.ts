import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAddress } from "#core/lib/address.ts";
import { isGlobalUnicast } from "#core/lib/global-unicast.ts";

const isGlobal = (text: string): boolean => {
  const address = parseAddress(text);
  return address !== undefined && isGlobalUnicast(address);
};

test("private and public addresses are global, what means no single host beyond its link is not", () => {
  for (const text of ["10.0.0.1", "8.8.8.8", "fd00::1", "2001:db8::1", "240.240.0.1"]) assert.ok(isGlobal(text), text);
  for (const text of ["127.0.0.1", "0.0.0.0", "255.255.255.255", "224.0.0.1", "169.254.1.1", "::", "::1", "ff02::1", "fe80::1"])
    assert.ok(!isGlobal(text), text);
});
