import assert from "node:assert/strict";
import { test } from "node:test";
import { routeConfiguration } from "#core/translate/routes.ts";
import { httpMatch, httpPort, ruleTo, scoped, scopeOf, service, virtualService } from "#test/support/scope.ts";
import { domainsOf, naming, routesFor, SETTINGS } from "./support.ts";

const API = "api.shop.svc.cluster.local";
const WEB = "web.shop.svc.cluster.local";

test("a name that means nothing gives an empty configuration", () => {
  const configuration = routesFor("nonsense", scopeOf([scoped(service(API))]));
  assert.equal(configuration.virtualHosts.length, 0);
  assert.equal(configuration.ignorePortInHostMatching, false);
});

test("virtual hosts are sorted by name and the one for unknown hosts comes last", () => {
  const configuration = routesFor("80", scopeOf([scoped(service(WEB)), scoped(service(API))]));
  assert.deepEqual(
    configuration.virtualHosts.map((host) => host.name),
    [`${API}:80`, `${WEB}:80`, "allow_any"],
  );
});

test("a port only serves services that have it, UDP and TCP left out", () => {
  const ports = [httpPort(53, { protocol: "UDP" }), httpPort(90, { protocol: "TCP" }), httpPort(91, { protocol: "Unsupported" })];
  const scope = scopeOf([scoped(service(API, { ports }))]);
  assert.deepEqual(Object.keys(domainsOf(routesFor("53", scope))), ["allow_any"]);
  assert.deepEqual(Object.keys(domainsOf(routesFor("90", scope))), ["allow_any"]);
  assert.deepEqual(Object.keys(domainsOf(routesFor("91", scope))), [`${API}:91`, "allow_any"]);
});

test("hosts that no service has get a virtual host on port 80, elsewhere only beside a service", () => {
  const rules = virtualService(["example.com"], [ruleTo(API)]);
  const both = virtualService(["example.org", API], [ruleTo(API)], { name: "both" });
  const scope = scopeOf([scoped(service(API, { ports: [httpPort(80), httpPort(8080)] }))], [rules, both]);
  assert.deepEqual(Object.keys(domainsOf(routesFor("80", scope))), [`${API}:80`, "example.com:80", "example.org:80", "allow_any"]);
  assert.deepEqual(Object.keys(domainsOf(routesFor("8080", scope))), [`${API}:8080`, "example.org:8080", "allow_any"]);
});

test("a VirtualService without routes for the port claims nothing", () => {
  const rules = virtualService([API], [ruleTo(WEB, { match: [httpMatch({ port: 81 })] })]);
  const [host] = routesFor("80", scopeOf([scoped(service(API))], [rules])).virtualHosts;
  assert.equal(host?.routes[0]?.name, "default");
});

test("of two VirtualServices for a host the first wins, of two wildcards the more specific", () => {
  const first = virtualService([API], [ruleTo("one.com")], { name: "first" });
  const second = virtualService([API], [ruleTo("two.com")], { name: "second" });
  const wide = virtualService(["*.local"], [ruleTo("wide.com")], { name: "wide" });
  const narrow = virtualService(["*.shop.svc.cluster.local"], [ruleTo("narrow.com")], { name: "narrow" });
  const scope = scopeOf([scoped(service(API)), scoped(service(WEB))], [first, second, wide, narrow]);
  const clusters = routesFor("80", scope).virtualHosts.map((host) => {
    const action = host.routes[0]?.action;
    return [host.name, action?.case === "route" ? action.value.clusterSpecifier.value : undefined];
  });
  assert.deepEqual(clusters.slice(0, 2), [
    [`${API}:80`, "outbound|80||one.com"],
    [`${WEB}:80`, "outbound|80||narrow.com"],
  ]);
});

test("a domain goes to whoever comes first, whatever its case", () => {
  const entry = service("API.example.com", { registry: "External", clusterAddresses: {}, defaultAddress: "240.0.0.1" });
  const other = service("b.example.com", { registry: "External", defaultAddress: "240.0.0.1" });
  const domains = domainsOf(routesFor("80", scopeOf([scoped(entry), scoped(other)])));
  assert.deepEqual(domains["api.example.com:80"], ["api.example.com", "api.example.com.", "240.0.0.1"]);
  assert.deepEqual(domains["b.example.com:80"], ["b.example.com", "b.example.com."]);
});

test("a short form that is another host's name stays with that host", () => {
  const entry = service("api.media", { registry: "External" });
  const kube = service("api.media.svc.cluster.local");
  const domains = domainsOf(routesFor("80", scopeOf([scoped(kube), scoped(entry)])));
  assert.deepEqual(domains["api.media.svc.cluster.local:80"], ["api.media.svc.cluster.local", "api.media.svc.cluster.local.", "api.media.svc"]);
  assert.deepEqual(domains["api.media:80"], ["api.media", "api.media."]);
});

test("an alias adds its names to its target unless a VirtualService claims the alias", () => {
  const target = service(API, { aliases: [{ namespace: "media", host: "www.media.svc.cluster.local" }] });
  const alias = service("www.media.svc.cluster.local", { resolution: "alias", externalName: API });
  const without = domainsOf(routesFor("80", scopeOf([scoped(target), scoped(alias)])));
  assert.ok(without[`${API}:80`]?.includes("www.media"));
  assert.equal(without["www.media.svc.cluster.local:80"], undefined);
  const rules = virtualService(["www.media.svc.cluster.local"], [ruleTo(API)]);
  const claimed = domainsOf(routesFor("80", scopeOf([scoped(target), scoped(alias)], [rules])));
  assert.ok(claimed["www.media.svc.cluster.local:80"]?.includes("www.media"));
  assert.ok(!claimed[`${API}:80`]?.includes("www.media"));
});

test("a detected host gets its own virtual host for every name", () => {
  const configuration = routesFor(`${API}:80`, scopeOf([scoped(service(API)), scoped(service(WEB))]));
  assert.deepEqual(domainsOf(configuration), { [`${API}:80`]: ["*"] });
});

test("where a listener serves every port, bare names mean port 80 and others carry theirs", () => {
  const scope = scopeOf([scoped(service(API, { ports: [httpPort(80), httpPort(8080)], defaultAddress: "10.0.0.1" }))]);
  const domains = domainsOf(routesFor("http_proxy", scope));
  assert.ok(domains[`${API}:80`]?.includes("api"));
  assert.ok(domains[`${API}:80`]?.includes("10.0.0.1:80"));
  assert.ok(domains[`${API}:8080`]?.every((domain) => domain.endsWith(":8080")));
});

test("a Unix socket's routes come from the egress listener bound to it", () => {
  const bound = scopeOf([scoped(service(API))], [], { port: { number: 0, protocol: "HTTP", name: "uds" }, bind: "unix:///tmp/a" });
  assert.equal(routesFor("unix:///tmp/a", bound).virtualHosts.length, 2);
  assert.equal(routesFor("unix:///tmp/b", bound).virtualHosts.length, 1);
});

test("needs are the clusters that routes name, sources include those that lost", () => {
  const first = virtualService([API], [ruleTo("one.com")], { name: "first" });
  const second = virtualService([API], [ruleTo("two.com")], { name: "second" });
  const resource = routeConfiguration("80", scopeOf([scoped(service(API))], [first, second]), SETTINGS);
  assert.deepEqual(resource.needs.clusters, ["PassthroughCluster", "outbound|80||one.com"]);
  assert.deepEqual(
    resource.from.map(({ name }) => name),
    ["first", "second", "api"],
  );
});

test("a client of another domain gets other names and shares the rest", () => {
  const scope = scopeOf([scoped(service(API))]);
  assert.deepEqual(domainsOf(routesFor("80", scope, naming({ dnsDomain: "media.svc.cluster.local" })))[`${API}:80`], [
    API,
    `${API}.`,
    "api.shop",
    "api.shop.svc",
  ]);
});
