import assert from "node:assert/strict";
import { test } from "node:test";
import type { VirtualService } from "#core/model/virtual-service.ts";
import { meshOf } from "#test/support/resolve.ts";

function rule(name: string, spec: string): string {
  const [namespace = "", own = ""] = name.split("/");
  return `{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {name: ${own}, namespace: ${namespace}}, spec: {${spec}}}\n---\n`;
}

function only(yaml: string): VirtualService {
  const [first, ...others] = meshOf(yaml).virtualServices;
  assert.equal(others.length, 0);
  assert.ok(first);
  return first;
}

test("short host names belong to the rule's namespace, and gateway names are written in full", () => {
  const resolved = only(
    rule(
      "shop/a",
      'hosts: [web], gateways: [mesh, edge, "./own", infra/far, old.infra.svc.cluster.local], http: [{route: [{destination: {host: api}}]}]',
    ),
  );
  assert.deepEqual(resolved.hosts, ["web.shop.svc.cluster.local"]);
  assert.deepEqual(resolved.gateways, ["mesh", "shop/edge", "shop/own", "infra/far", "infra/old"]);
  assert.equal(resolved.http[0]?.route[0]?.destination?.host, "api.shop.svc.cluster.local");
});

test("without gateways a rule is bound to the mesh", () => {
  assert.deepEqual(only(rule("shop/a", "hosts: [web], http: [{route: [{destination: {host: api}}]}]")).gateways, ["mesh"]);
});

test("rules come by age, then by name, whatever the order of documents with timestamps", () => {
  const at = (name: string, time: string) =>
    `{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {name: ${name}, namespace: shop, creationTimestamp: "${time}"}, spec: {hosts: [web], http: [{route: [{destination: {host: api}}]}]}}\n---\n`;
  const yaml = at("young", "2026-01-03T00:00:00Z") + at("b", "2026-01-01T00:00:00Z") + at("a", "2026-01-01T00:00:00Z");
  assert.deepEqual(
    meshOf(yaml).virtualServices.map((service) => service.name),
    ["a", "b", "young"],
  );
});

const ROOT =
  "hosts: [web], http: [{name: r, match: [{uri: {prefix: /shop}}], timeout: 3s, delegate: {name: part, namespace: infra}}, {route: [{destination: {host: rest}}]}]";
const PART = (http: string, more = "") => rule("infra/part", `${more}http: [${http}]`);

test("a delegate's routes take the place of the root's, with refined matches and joined names", () => {
  const merged = only(rule("shop/root", ROOT) + PART("{name: d, match: [{uri: {prefix: /shop/cart}}], route: [{destination: {host: cart}}]}"));
  assert.equal(merged.http.length, 2);
  assert.equal(merged.http[0]?.name, "r-d");
  assert.deepEqual(merged.http[0]?.match[0]?.uri, { kind: "prefix", value: "/shop/cart" });
  assert.deepEqual(merged.http[0]?.timeout, { seconds: 3, nanos: 0 });
  assert.equal(merged.http[0]?.route[0]?.destination?.host, "cart.infra.svc.cluster.local");
  assert.equal(merged.name, "root");
  assert.deepEqual(
    merged.sources.map((key) => key.name),
    ["root", "part"],
  );
});

test("a delegate's match outside the root's drops that route, and a regex goes with nothing", () => {
  const outside = "{match: [{uri: {prefix: /other}}], route: [{destination: {host: cart}}]}";
  const regex = "{match: [{uri: {regex: /shop.*}}], route: [{destination: {host: cart}}]}";
  const half = "{match: [{uri: {exact: /shop/a}}, {uri: {exact: /b}}], route: [{destination: {host: cart}}]}";
  assert.equal(only(rule("shop/root", ROOT) + PART(`${outside}, ${regex}, ${half}`)).http.length, 1);
});

test("a delegate that is missing or not exported to the root loses only its own route", () => {
  assert.equal(only(rule("shop/root", ROOT)).http.length, 1);
  const hidden = PART("{route: [{destination: {host: cart}}]}", 'exportTo: ["."], ');
  assert.equal(only(rule("shop/root", ROOT) + hidden).http.length, 1);
  const shown = PART("{route: [{destination: {host: cart}}]}", "exportTo: [shop], ");
  assert.equal(only(rule("shop/root", ROOT) + shown).http.length, 2);
});

test("deprecated spellings are read: a single mirror, a list of exact origins", () => {
  const { http } = only(
    rule(
      "shop/a",
      "hosts: [web], http: [{route: [{destination: {host: api}}], mirror: {host: m}, mirrorPercent: 5, corsPolicy: {allowOrigin: [a.com]}}]",
    ),
  );
  assert.deepEqual(http[0]?.mirrors, [{ destination: { host: "m.shop.svc.cluster.local", subset: "", port: 0 }, deprecatedPercent: 5 }]);
  assert.deepEqual(http[0]?.cors?.allowOrigins, [{ kind: "exact", value: "a.com" }]);
});
