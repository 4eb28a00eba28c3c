import assert from "node:assert/strict";
import { test } from "node:test";
import type { Scope } from "#core/model/scope.ts";
import type { ServicePort } from "#core/model/service.ts";
import { endpointAddresses, outboundRoutes, ownAddressListeners } from "#core/translate/listeners.ts";
import { scoped, scopeOf, service } from "#test/support/scope.ts";
import { chainsOf, decodeListener, endOf, LITERALS, nodeView, outbound, port, workloadOf } from "./support.ts";

const at = (host: string, address: string, ports: readonly ServicePort[]) =>
  scoped(service(`${host}.shop.svc.cluster.local`, { ports, clusterAddresses: { Kubernetes: [address] } }));
const entry = (host: string, ports: readonly ServicePort[]) => scoped(service(host, { ports, registry: "External", resolution: "dns" }));
const pod = (name: string) => ({ cluster: "Kubernetes", kind: "Pod", namespace: "shop", name });
const headless = (addresses: readonly string[], ports = [port(7000, "TCP")]) => {
  const of = scoped(service("db.shop.svc.cluster.local", { ports, resolution: "passthrough" }));
  const facts = { allSpeakMtls: true, sources: [], addresses: addresses.map((address) => ({ address, sources: [pod(address)] })) };
  return { ...of, derived: { identities: [], sources: [], ports: Object.fromEntries(ports.map(({ number }) => [number, facts])) } };
};

/** What a listener's chains end in, the default one last. */
const ends = (scope: Scope, name: string): readonly string[] => chainsOf(outbound(scope).get(name)).map(endOf);

test("HTTP of all services shares one listener on all addresses, bytes get one at the service's address", () => {
  const scope = scopeOf([
    at("a", "10.96.0.1", [port(80, "HTTP"), port(90, "TCP")]),
    at("b", "10.96.0.2", [port(80, "GRPC"), port(90, "Unsupported")]),
  ]);
  assert.deepEqual([...outbound(scope).keys()].sort(), ["0.0.0.0_80", "10.96.0.1_90", "10.96.0.2_90", "virtualOutbound"]);
  assert.deepEqual(ends(scope, "0.0.0.0_80"), ["http 80", "tcp PassthroughCluster"]);
  assert.deepEqual(ends(scope, "10.96.0.1_90"), ["tcp outbound|90||a.shop.svc.cluster.local"]);
  assert.deepEqual(ends(scope, "10.96.0.2_90"), ["http b.shop.svc.cluster.local:90", "tcp outbound|90||b.shop.svc.cluster.local"]);
});

test("an ExternalName has no listener, nor has a UDP port", () => {
  const alias = scoped(service("alias.shop.svc.cluster.local", { resolution: "alias", externalName: "a.com" }));
  assert.deepEqual([...outbound(scopeOf([alias, at("a", "10.96.0.1", [port(53, "UDP")])])).keys()], ["virtualOutbound"]);
});

test("TCP before HTTP on one place: protocols are detected, and unknown traffic goes to the first", () => {
  assert.deepEqual(ends(scopeOf([entry("a.com", [port(90, "TCP")]), entry("b.com", [port(90, "HTTP")])]), "0.0.0.0_90"), [
    "http 90",
    "tcp outbound|90||a.com",
  ]);
  assert.deepEqual(ends(scopeOf([entry("b.com", [port(90, "HTTP")]), entry("a.com", [port(90, "TCP")])]), "0.0.0.0_90"), [
    "http 90",
    "tcp outbound|90||a.com",
  ]);
});

test("of two chains that take the same the first stays", () => {
  assert.deepEqual(ends(scopeOf([entry("a.com", [port(90, "TCP")]), entry("b.com", [port(90, "TCP")])]), "0.0.0.0_90"), ["tcp outbound|90||a.com"]);
});

test("TLS services on one place are told apart by name", () => {
  const scope = scopeOf([entry("a.com", [port(443, "TLS")]), entry("b.com", [port(443, "TLS")])]);
  const [first, second] = chainsOf(outbound(scope).get("0.0.0.0_443"));
  assert.deepEqual(first?.filterChainMatch?.serverNames, ["a.com"]);
  assert.deepEqual(second?.filterChainMatch?.serverNames, ["b.com"]);
});

test("a detected service where protocols are detected already adds nothing", () => {
  const scope = scopeOf([entry("a.com", [port(90, "Unsupported")]), entry("b.com", [port(90, "Unsupported")])]);
  assert.deepEqual(ends(scope, "0.0.0.0_90"), ["http 90", "tcp outbound|90||a.com"]);
});

test("nothing joins Mongo or MySQL, whose servers speak first", () => {
  for (const protocol of ["Mongo", "MySQL"] as const) {
    assert.deepEqual(ends(scopeOf([entry("a.com", [port(90, protocol)]), entry("b.com", [port(90, "HTTP")])]), "0.0.0.0_90"), [
      "tcp outbound|90||a.com",
    ]);
  }
});

test("a port that is declared an HTTP proxy takes its place whoever had it", () => {
  const scope = scopeOf([entry("a.com", [port(90, "TCP")]), entry("b.com", [port(90, "HTTP_PROXY")])]);
  assert.deepEqual(ends(scope, "0.0.0.0_90"), ["http 90"]);
});

test("a headless service has a listener for each endpoint where traffic may be other than HTTP, and none without endpoints", () => {
  const names = (scope: Scope) => [...outbound(scope).keys()].filter((name) => name !== "virtualOutbound");
  assert.deepEqual(names(scopeOf([headless(["10.1.0.5", "10.1.0.6"])])), ["10.1.0.5_7000", "10.1.0.6_7000"]);
  assert.deepEqual(names(scopeOf([headless(["10.1.0.5"], [port(80, "HTTP")])])), ["0.0.0.0_80"]);
  const empty = service("db.shop.svc.cluster.local", { ports: [port(7000, "TCP")], resolution: "passthrough" });
  assert.deepEqual(names(scopeOf([scoped(empty)])), []);
  assert.deepEqual(names(scopeOf([scoped({ ...empty, registry: "External" })])), ["0.0.0.0_7000"]);
  assert.deepEqual(names(scopeOf([scoped({ ...empty, registry: "External", selector: { app: "db" } })])), []);
});

test("an endpoint has no listener for itself, unless others want that place", () => {
  const { settings, frame } = nodeView();
  const own = (scope: Scope) =>
    ownAddressListeners({ scope, settings, frame }, { workload: workloadOf(service("db.shop.svc.cluster.local")), settings, frame }, LITERALS, [
      "10.1.0.5",
    ]);
  const db = { cluster: "Kubernetes", kind: "Service", namespace: "shop", name: "db" };
  assert.deepEqual(own(scopeOf([headless(["10.1.0.5", "10.1.0.6"])])), [{ name: "10.1.0.5_7000", hiddenBy: [db, pod("10.1.0.5")] }]);
  assert.deepEqual(own(scopeOf([headless(["10.1.0.6"])])), []);
  const other = scoped(service("other.com", { registry: "External", resolution: "dns", ports: [port(7000, "TCP")], defaultAddress: "10.1.0.5" }));
  const [listener] = own(scopeOf([headless(["10.1.0.5"]), other]));
  assert.deepEqual(chainsOf(listener?.resource).map(endOf), ["tcp outbound|7000||other.com"]);
});

test("routes that only an endpoint itself has are known", () => {
  const other = scoped(
    service("other.com", { registry: "External", resolution: "dns", ports: [port(7000, "Unsupported")], defaultAddress: "10.1.0.5" }),
  );
  const scope = scopeOf([headless(["10.1.0.5"], [port(7000, "Unsupported")]), other]);
  const { settings, frame } = nodeView();
  assert.deepEqual(outboundRoutes({ scope, settings, frame }), ["db.shop.svc.cluster.local:7000", "other.com:7000"]);
});

test("the addresses of such endpoints are known to placement", () => {
  assert.deepEqual(endpointAddresses(scopeOf([headless(["10.1.0.6", "10.1.0.5"]), at("a", "10.96.0.1", [port(90, "TCP")])]), nodeView().settings), [
    "10.1.0.5",
    "10.1.0.6",
  ]);
});

test("a range of addresses is matched by the chain of a listener on all addresses", () => {
  const range = scoped(service("range.com", { registry: "External", ports: [port(90, "TCP")], defaultAddress: "10.70.1.0/16" }));
  const [chain, unknown] = chainsOf(outbound(scopeOf([range])).get("0.0.0.0_90"));
  assert.deepEqual(
    chain?.filterChainMatch?.prefixRanges.map(({ addressPrefix, prefixLen }) => [addressPrefix, prefixLen]),
    [["10.70.1.0", 16]],
  );
  assert.equal(unknown?.name, "PassthroughFilterChain");
});

test("ports that the proxy serves itself are not taken on all addresses, the service's own address is free", () => {
  const scope = scopeOf([at("a", "10.96.0.1", [port(15021, "HTTP"), port(15090, "TCP"), port(15001, "HTTP"), port(15006, "HTTP")])]);
  const names = [...outbound(scope, { metadata: { ENVOY_STATUS_PORT: 15021, ENVOY_PROMETHEUS_PORT: 15090 } }).keys()];
  assert.deepEqual(names.sort(), ["10.96.0.1_15090", "virtualOutbound"]);
  assert.ok(outbound(scope).has("0.0.0.0_15021"), "only what the node announces is known");
});

test("an egress listener with a port keeps later ones off its place", () => {
  const [a, b] = [entry("a.com", [port(90, "TCP")]), entry("b.com", [port(91, "TCP")])];
  const first = { port: { number: 90, protocol: "TCP", name: "tcp" }, bind: "", captureMode: "DEFAULT", services: [b], virtualServices: [] } as const;
  const scope: Scope = { ...scopeOf([a]), egress: [first, ...scopeOf([a]).egress] };
  assert.deepEqual(ends(scope, "0.0.0.0_90"), ["tcp outbound|91||b.com"], "the service's only port counts");
});

test("an egress listener without capture binds for real, on this host alone unless it says where", () => {
  const fields = { port: { number: 90, protocol: "HTTP", name: "http" }, captureMode: "NONE" } as const;
  const listener = decodeListener(outbound(scopeOf([entry("a.com", [port(80, "HTTP")])], [], fields)).get("127.0.0.1_90"));
  assert.equal(listener.bindToPort, undefined);
  assert.equal(listener.maxConnectionsToAcceptPerSocketEvent, 1);
  assert.ok(outbound(scopeOf([entry("a.com", [])], [], { ...fields, bind: "10.9.9.9" })).has("10.9.9.9_90"));
});

test("a Unix socket has routes of its own and no port", () => {
  const fields = { port: { number: 0, protocol: "HTTP", name: "http" }, bind: "unix:///var/run/app.sock" } as const;
  const resource = outbound(scopeOf([entry("a.com", [port(80, "HTTP")])], [], fields)).get("unix:///var/run/app.sock_0");
  assert.equal(decodeListener(resource).address?.address.case, "pipe");
  assert.deepEqual(resource?.needs.routes, ["unix:///var/run/app.sock"]);
});

test("without redirection listeners bind for real, privileged ports only where the node may, and nothing catches the rest", () => {
  const scope = scopeOf([entry("a.com", [port(80, "HTTP"), port(9000, "TCP")])]);
  const metadata = { INTERCEPTION_MODE: "NONE" };
  assert.deepEqual([...outbound(scope, { metadata }).keys()].sort(), ["127.0.0.1_80", "127.0.0.1_9000"]);
  assert.deepEqual([...outbound(scope, { metadata: { ...metadata, UNPRIVILEGED_POD: "true" } }).keys()], ["127.0.0.1_9000"]);
});

test("families decide what all addresses are", () => {
  const scope = scopeOf([entry("a.com", [port(80, "HTTP"), port(90, "TCP")])]);
  assert.deepEqual([...outbound(scope, { addresses: ["fd00::5"] }).keys()].sort(), ["::_80", "::_90", "virtualOutbound"]);
  const dual = outbound(scope, { addresses: ["10.1.0.5", "fd00::5"] });
  for (const name of ["0.0.0.0_80", "0.0.0.0_90"]) assert.equal(decodeListener(dual.get(name)).additionalAddresses.length, 1);
  assert.equal(decodeListener(dual.get("virtualOutbound")).additionalAddresses.length, 0);
});

test("a listener for an endpoint is made of that endpoint's objects", () => {
  const of = headless(["10.1.0.5", "10.1.0.6"]);
  assert.deepEqual(outbound(scopeOf([of])).get("10.1.0.6_7000")?.from, [...of.service.sources, pod("10.1.0.6")]);
});

test("a listener names what it needs and everybody who wanted its place", () => {
  const [a, b] = [entry("a.com", [port(90, "TCP")]), entry("b.com", [port(90, "HTTP")])];
  const resource = outbound(scopeOf([a, b])).get("0.0.0.0_90");
  assert.deepEqual(resource?.needs.clusters, ["outbound|90||a.com"]);
  assert.deepEqual(resource?.needs.routes, ["90"]);
  assert.deepEqual(resource?.from, [...a.service.sources, ...b.service.sources]);
});
