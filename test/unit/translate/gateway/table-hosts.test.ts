import assert from "node:assert/strict";
import { test } from "node:test";
import type { BoundRule, RouterServer } from "#core/model/router.ts";
import type { VirtualService } from "#core/model/virtual-service.ts";
import { commonHosts, hostsForNamespace, tableHosts } from "#core/translate/gateway/table-hosts.ts";
import type { RoutesFragment } from "#core/translate/routes/fragment.ts";
import { ruleTo, virtualService } from "#test/support/scope.ts";

const NO_TLS = {};
const REDIRECT = { tls: { httpsRedirect: true } as never };

function entry(hosts: readonly string[], fields: object = NO_TLS): RouterServer {
  const port = { number: 80, name: "http", protocol: "HTTP", protocolText: "HTTP" } as const;
  return { gateway: "edge/gw", routes: "http.80", serverNames: [], server: { name: "", port, bind: "", hosts, ...fields } };
}

function rule(name: string, hosts: readonly string[], namespace = "shop"): BoundRule {
  const of: VirtualService = virtualService(hosts, [ruleTo("a")], { name, namespace });
  return { virtualService: of, http: of, services: new Map() };
}

function tables(servers: readonly RouterServer[], rules: readonly BoundRule[]) {
  const made = new Map<string, RoutesFragment>();
  const routesFor = ({ virtualService: { name } }: BoundRule): RoutesFragment => {
    const routes = made.get(name) ?? { routes: [], catchesAll: false, clusters: [name], from: [] };
    made.set(name, routes);
    return routes;
  };
  return tableHosts(servers, new Map([["edge/gw", rules]]), routesFor).map(({ name, domains, lists, requireTls }) => ({
    name,
    domains,
    rules: lists.flatMap(({ clusters }) => clusters),
    requireTls,
  }));
}

test("of two hosts that overlap the narrower counts", () => {
  assert.deepEqual(commonHosts(["*.com", "b.org"], ["a.com", "*.org"]), ["a.com", "b.org"]);
  assert.deepEqual(commonHosts(["*.a.com"], ["*.com", "*.b.a.com"]), ["*.a.com", "*.b.a.com"]);
});

test("a host with a namespace is for rules of that namespace", () => {
  assert.deepEqual(hostsForNamespace(["a.com", "shop/b.com", "other/c.com", "~/d.com"], "shop"), ["a.com", "b.com"]);
});

test("rules that share a host join their routes; hosts with one list share a virtual host", () => {
  const found = tables([entry(["*"])], [rule("one", ["a.com", "b.com"]), rule("two", ["b.com", "*.c.com", "d.c.com"])]);
  assert.deepEqual(found, [
    { name: "d.c.com:80", domains: ["d.c.com", "*.c.com"], rules: ["two"], requireTls: false },
    { name: "a.com:80", domains: ["a.com"], rules: ["one"], requireTls: false },
    { name: "b.com:80", domains: ["b.com"], rules: ["one", "two"], requireTls: false },
  ]);
});

test("redirecting servers demand TLS of all their hosts, with routes or without", () => {
  const found = tables([entry(["a.com", "Empty.com", "shop/b.com"], REDIRECT)], [rule("one", ["a.com"])]);
  assert.deepEqual(found, [
    { name: "shop/b.com:80", domains: ["shop/b.com", "empty.com"], rules: [], requireTls: true },
    { name: "a.com:80", domains: ["a.com"], rules: ["one"], requireTls: true },
  ]);
});
