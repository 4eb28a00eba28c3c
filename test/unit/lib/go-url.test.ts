import assert from "node:assert/strict";
import { test } from "node:test";
import { parseGoUrl } from "#core/lib/go-url.ts";

test("schemes are lower case, hosts stay as written", () => {
  assert.deepEqual(parseGoUrl("HTTP://user:pw@Example.com:80/a%41?b#c", "reference"), { scheme: "http", host: "Example.com:80" });
  assert.deepEqual(parseGoUrl("http://[::1]:80/", "reference"), { scheme: "http", host: "[::1]:80" });
});

test("after a scheme anything goes, so host:port/path has the host for a scheme", () => {
  assert.deepEqual(parseGoUrl("host:5000/img", "request"), { scheme: "host", host: "" });
});

test("a request needs a scheme or a path from the root, a reference does not", () => {
  assert.equal(parseGoUrl("a/b", "request"), undefined);
  assert.deepEqual(parseGoUrl("a/b", "reference"), { scheme: "", host: "" });
  assert.deepEqual(parseGoUrl("/a", "request"), { scheme: "", host: "" });
  assert.equal(parseGoUrl("1a:b", "reference"), undefined);
});

test("brackets hold an IPv6 address and stand for the whole host", () => {
  assert.equal(parseGoUrl("http://[fe80::1%25en0]:80/", "reference")?.host, "[fe80::1%25en0]:80");
  for (const host of ["a[::1]", "[1.2.3.4]", "[::1", "[x]", "[::1]a", "[::1%25]"])
    assert.equal(parseGoUrl(`oci://${host}/`, "reference"), undefined, host);
});

test("a host has no colon on the web, elsewhere its last one begins the port", () => {
  assert.equal(parseGoUrl("http://a:1:2/", "reference"), undefined);
  assert.equal(parseGoUrl("postgres://a:1,b:2/", "reference")?.host, "a:1,b:2");
});

test("malformed parts are refused", () => {
  for (const text of [":a", "http://a b/", "http://a:x/", "http://%zz/", "http://a/%zz", "http://[::1", "http://a\u0000/"]) {
    assert.equal(parseGoUrl(text, "reference"), undefined, text);
  }
});
