import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sidecar } from "#core/model/sidecar.ts";
import type { ServiceTarget, Workload } from "#core/model/workload.ts";
import { defaultEndpoint } from "#core/translate/clusters/default-endpoint.ts";
import { inboundClusters, ownAddressClusters } from "#core/translate/clusters.ts";
import { type Cluster, Cluster_DiscoveryType as Discovery } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { httpPort, service } from "#test/support/scope.ts";
import { decode, ruleWith, settings } from "./support.ts";

function target(host: string, port: number, targetPort: number, fields: Partial<ServiceTarget> = {}): ServiceTarget {
  return { service: service(host), port: httpPort(port), targetPort, ruleSources: fields.rule?.sources ?? [], ...fields };
}

function workload(targets: readonly ServiceTarget[], sidecar?: Partial<Sidecar>): Workload {
  const none: Sidecar = { name: "sc", namespace: "shop", egress: [], ingress: [], sources: [] };
  return {
    namespace: "shop",
    targets,
    sources: [],
    mtls: { mode: "PERMISSIVE", ports: {}, sources: [] },
    ...(sidecar && { sidecar: { ...none, ...sidecar } }),
  };
}

function inbound(of: Workload, with_ = settings()): Readonly<Record<string, Cluster>> {
  return decode(inboundClusters(of, with_));
}

function hosts(cluster: Cluster | undefined): readonly unknown[] {
  const services = cluster?.metadata?.filterMetadata.istio?.services;
  return Array.isArray(services) ? services.map((entry) => (entry as { host: string }).host) : [];
}

function ingress(number: number, defaultEndpoint: string): Sidecar["ingress"][number] {
  return { port: { number, protocol: "HTTP", name: "in" }, bind: "", captureMode: "DEFAULT", defaultEndpoint };
}

test("ports that services lead to have one cluster each, beside the one for all others", () => {
  const clusters = inbound(workload([target("a.shop", 80, 8080), target("b.shop", 81, 8080), target("b.shop", 90, 9090)]));
  assert.deepEqual(Object.keys(clusters), ["inbound|8080||", "inbound|9090||", "InboundPassthroughCluster"]);
  assert.deepEqual(clusters["inbound|8080||"]?.clusterDiscoveryType, { case: "type", value: Discovery.ORIGINAL_DST });
  assert.equal(clusters["inbound|8080||"]?.cleanupInterval?.seconds, 9_223_372_035n);
});

test("services on the first one's service port are named, each host once", () => {
  const clusters = inbound(
    workload([target("a.shop", 80, 8080), target("b.shop", 81, 8080), target("c.shop", 80, 8080), target("a.shop", 80, 8080)]),
  );
  assert.deepEqual(hosts(clusters["inbound|8080||"]), ["a.shop", "c.shop"]);
  assert.equal(
    inbound(workload([target("a.shop", 80, 8080, { service: service("a.shop", { meshExternal: true }) })]))["inbound|8080||"]?.metadata,
    undefined,
  );
});

test("of a rule limits count, by service port; the Sidecar's pool beats them", () => {
  const connectionPool = { tcp: { maxConnections: 5 } };
  const rule = ruleWith({ loadBalancer: { simple: "RANDOM" }, portLevelSettings: [{ port: 80, connectionPool }] });
  const limit = (of: Workload) => inbound(of)["inbound|8080||"]?.circuitBreakers?.thresholds[0]?.maxConnections;
  assert.equal(limit(workload([target("a.shop", 80, 8080, { rule })])), 5);
  assert.equal(limit(workload([target("a.shop", 80, 8080, { rule })], { inboundConnectionPool: { tcp: { maxConnections: 9 } } })), 9);
});

test("connections leave from an address that capture lets through; LOCALHOST sends them to loopback without", () => {
  const [cluster] = Object.values(inbound(workload([target("a.shop", 80, 8080)])));
  assert.equal(cluster?.upstreamBindConfig?.sourceAddress?.address, "127.0.0.6");
  const [local] = Object.values(inbound(workload([target("a.shop", 80, 8080)]), settings({ inboundTrafficPolicy: { mode: "LOCALHOST" } })));
  assert.deepEqual(local?.clusterDiscoveryType, { case: "type", value: Discovery.STATIC });
  assert.equal(local?.upstreamBindConfig, undefined);
});

test("ingress listeners replace what services say; without capture there is nothing else", () => {
  const clusters = inbound(workload([target("a.shop", 80, 8080)], { ingress: [ingress(7000, "127.0.0.1:7001")] }));
  assert.deepEqual(Object.keys(clusters), ["inbound|7000||", "InboundPassthroughCluster"]);
  const uncaptured = inbound(workload([target("a.shop", 80, 8080)]), settings({}, { metadata: { INTERCEPTION_MODE: "NONE" } }));
  assert.deepEqual(Object.keys(uncaptured), ["InboundPassthroughCluster"]);
});

test("a default endpoint is a loopback address of a family that the proxy has, a socket, or nothing", () => {
  assert.deepEqual(defaultEndpoint("", "v4"), { kind: "original-destination" });
  assert.deepEqual(defaultEndpoint("127.0.0.1:80", "v6"), { kind: "address", address: "::1", port: 80 });
  assert.deepEqual(defaultEndpoint("[::1]:80", "v4"), { kind: "address", address: "127.0.0.1", port: 80 });
  assert.deepEqual(defaultEndpoint("[::1]:80", "dual"), { kind: "address", address: "::1", port: 80 });
  assert.deepEqual(defaultEndpoint("unix:///a.sock", "v4"), { kind: "address", address: "unix:///a.sock", port: 0 });
  assert.deepEqual(defaultEndpoint("0.0.0.0:80", "v4"), { kind: "own-address", family: "v4", port: 80 });
  assert.deepEqual(defaultEndpoint("127.0.0.1:http", "v4"), { kind: "none" });
});

test("the pod's own address belongs to the node's layer, and is loopback where there is none of the family", () => {
  const of = workload([], { ingress: [ingress(7000, "0.0.0.0:7001")] });
  assert.deepEqual(Object.keys(inbound(of)), ["InboundPassthroughCluster"]);
  const address = (addresses: readonly string[]) => {
    const cluster = decode(ownAddressClusters(of, settings(), addresses))["inbound|7000||"];
    const host = cluster?.loadAssignment?.endpoints[0]?.lbEndpoints[0]?.hostIdentifier;
    const found = host?.case === "endpoint" ? host.value.address?.address : undefined;
    return [found?.case === "socketAddress" ? found.value.address : undefined, cluster?.upstreamBindConfig !== undefined];
  };
  assert.deepEqual(address(["fd00::1", "10.1.2.3"]), ["10.1.2.3", true]);
  assert.deepEqual(address(["fd00::1"]), ["127.0.0.1", false]);
});

test("routers serve nobody", () => {
  assert.deepEqual(inboundClusters(workload([target("a.shop", 80, 8080)]), settings({}, { type: "router" })), []);
});

test("of several services of one host on a port the first names the cluster for telemetry", () => {
  const entry = { service: service("a.shop", { name: "a.shop", registry: "External" }) };
  const cluster = inbound(workload([target("a.shop", 80, 8080), target("a.shop", 80, 8080, entry)]))["inbound|8080||"];
  const services = cluster?.metadata?.filterMetadata.istio?.services as unknown as readonly { readonly name: string }[];
  assert.deepEqual(
    services.map(({ name }) => name),
    [service("a.shop").name],
  );
});
