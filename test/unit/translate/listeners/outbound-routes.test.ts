import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServicePort } from "#core/model/service.ts";
import type { L4Match, RouteDestination, TcpRoute, TlsRoute } from "#core/model/virtual-service.ts";
import { destinationRule, scoped, scopeOf, service, virtualService } from "#test/support/scope.ts";
import { chainsOf, endOf, outbound, port, tcpProxyOf } from "./support.ts";

const HOST = "db.shop.svc.cluster.local";
const API = "api.shop.svc.cluster.local";
const db = (ports: readonly ServicePort[], fields = {}) => service(HOST, { ports, clusterAddresses: { Kubernetes: ["10.96.0.9"] }, ...fields });

const match = (fields: Partial<L4Match> = {}): L4Match => ({
  destinationSubnets: [],
  port: 0,
  sourceLabels: {},
  gateways: [],
  sourceNamespace: "",
  ...fields,
});
const to = (host: string, weight = 0, subset = "", number = 0): RouteDestination => ({ destination: { host, subset, port: number }, weight });
const tcp = (matches: readonly L4Match[], ...route: readonly RouteDestination[]): TcpRoute => ({ match: matches, route });
const tls = (sniHosts: readonly string[], fields: Partial<L4Match>, ...route: readonly RouteDestination[]): TlsRoute => ({
  match: [{ ...match(fields), sniHosts }],
  route,
});
const rules = (fields: { readonly tcp?: readonly TcpRoute[]; readonly tls?: readonly TlsRoute[] }) => virtualService([HOST], [], fields);

const chains = (ports: readonly ServicePort[], fields: Parameters<typeof rules>[0], name: string) =>
  chainsOf(outbound(scopeOf([scoped(db(ports)), scoped(service(API, { ports: [port(1, "TCP")] }))], [rules(fields)])).get(name));

test("a TCP route without subnets takes everything, and those after it nothing", () => {
  const found = chains([port(90, "TCP")], { tcp: [tcp([], to(API)), tcp([], to("late.com"))] }, "10.96.0.9_90");
  assert.deepEqual(found.map(endOf), [`tcp outbound|1||${API}`], "the destination's only port counts");
  assert.deepEqual(found[0]?.metadata?.filterMetadata.istio, { config: "/apis/networking.istio.io/v1/namespaces/shop/virtual-service/rules" });
});

test("TCP routes with subnets come beside the service itself, and do not say where they come from", () => {
  const matches = [match({ destinationSubnets: ["10.2.0.0/16"] }), match({ destinationSubnets: ["10.1.0.0/16"] })];
  const found = chains([port(90, "TCP")], { tcp: [tcp(matches, to(API))] }, "10.96.0.9_90");
  assert.deepEqual(found.map(endOf), [`tcp outbound|1||${API}`, `tcp outbound|90||${HOST}`]);
  assert.deepEqual(
    found[0]?.filterChainMatch?.prefixRanges.map(({ addressPrefix }) => addressPrefix),
    ["10.1.0.0", "10.2.0.0"],
  );
  assert.equal(found[0]?.metadata, undefined);
});

test("a match for another port does not count, nor does a route without destinations", () => {
  const found = chains([port(90, "TCP")], { tcp: [tcp([match({ port: 91 })], to(API)), tcp([])] }, "10.96.0.9_90");
  assert.deepEqual(found.map(endOf), [`tcp outbound|90||${HOST}`]);
});

test("several destinations share one proxy by weight; those of weight zero are left out", () => {
  const [chain] = chains([port(90, "TCP")], { tcp: [tcp([], to(API, 70, "v1"), to("b.com", 0), to("c.com", 30, "", 5))] }, "10.96.0.9_90");
  assert.equal(endOf(chain), `tcp outbound|1|v1|${API}=70 outbound|5||c.com=30`);
  assert.equal(tcpProxyOf(chain).statPrefix, "rules.shop");
});

test("TLS ports read tls routes only: one chain a match, of equal matches the first", () => {
  const routes = [tls(["b.com", "a.com"], {}, to(API)), tls(["b.com", "a.com"], {}, to("late.com")), tls(["c.com"], {}, to("c.com", 0, "", 443))];
  const found = chains([port(443, "TLS")], { tls: routes, tcp: [tcp([], to("never.com"))] }, "10.96.0.9_443");
  assert.deepEqual(found.map(endOf), [`tcp outbound|1||${API}`, "tcp outbound|443||c.com", "tcp PassthroughCluster"]);
  assert.deepEqual(found[0]?.filterChainMatch?.serverNames, ["a.com", "b.com"]);
});

test("subnets of a TLS match hold for later chains of the service too", () => {
  const routes = [tls(["a.com"], { destinationSubnets: ["10.5.0.0/16"] }, to(API)), tls(["b.com"], {}, to(API))];
  const found = chains([port(443, "TLS")], { tls: routes }, "10.96.0.9_443");
  assert.deepEqual(
    found[1]?.filterChainMatch?.prefixRanges.map(({ addressPrefix }) => addressPrefix),
    ["10.5.0.0"],
  );
});

test("a TLS service with an address of its own needs no name, one on all addresses goes by its host and its aliases", () => {
  const aliases = [{ namespace: "shop", host: "alias.shop.svc.cluster.local" }];
  const [own] = chainsOf(outbound(scopeOf([scoped(db([port(443, "TLS")], { aliases }))])).get("10.96.0.9_443"));
  assert.equal(own?.filterChainMatch, undefined);
  const [shared] = chainsOf(outbound(scopeOf([scoped(db([port(443, "TLS")], { aliases, clusterAddresses: {} }))])).get("0.0.0.0_443"));
  const alias = ["alias", "alias.shop", "alias.shop.svc", "alias.shop.svc.cluster.local", "alias.shop.svc.cluster.local."];
  assert.deepEqual(shared?.filterChainMatch?.serverNames, [...alias, HOST]);
});

test("a rule's own settings count for connections, a subset's balancer and tunnel for its own", () => {
  const pool = { tcp: { maxConnections: 0, idleTimeout: { seconds: 5, nanos: 0 }, maxConnectionDuration: { seconds: 6, nanos: 0 } } };
  const byClient = { consistentHash: { key: { kind: "source-ip" }, algorithm: { kind: "default" }, minimumRingSize: 0 } } as const;
  const tunnel = { protocol: "POST", targetHost: "fd00::1", targetPort: 88 };
  const rule = destinationRule(HOST, {
    policy: { connectionPool: pool, loadBalancer: byClient, tunnel, portLevelSettings: [{ port: 90, loadBalancer: { simple: "RANDOM" } }] },
    subsets: [{ name: "v1", labels: {}, policy: { loadBalancer: { simple: "RANDOM" }, portLevelSettings: [] } }],
  });
  const scope = (routes: readonly TcpRoute[]) => scopeOf([scoped(db([port(90, "TCP")]), rule)], [rules({ tcp: routes })]);
  const proxy = (routes: readonly TcpRoute[]) =>
    tcpProxyOf(chainsOf(outbound(scope(routes), { metadata: { IDLE_TIMEOUT: "1h" } }).get("10.96.0.9_90"))[0]);
  const own = proxy([]);
  assert.deepEqual([own.idleTimeout?.seconds, own.maxDownstreamConnectionDuration?.seconds, own.hashPolicy.length], [5n, 6n, 1]);
  assert.deepEqual([own.tunnelingConfig?.hostname, own.tunnelingConfig?.usePost], ["[fd00::1]:88", true]);
  const subset = proxy([tcp([], to(HOST, 0, "v1"))]);
  assert.deepEqual([subset.idleTimeout?.seconds, subset.hashPolicy.length, subset.tunnelingConfig], [5n, 0, undefined]);
});

test("the idle timeout of the node holds where no rule has one", () => {
  const proxy = tcpProxyOf(
    chainsOf(outbound(scopeOf([scoped(db([port(90, "TCP")]))]), { metadata: { IDLE_TIMEOUT: "90s" } }).get("10.96.0.9_90"))[0],
  );
  assert.equal(proxy.idleTimeout?.seconds, 90n);
});
