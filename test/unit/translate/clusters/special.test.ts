import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import type { Endpoint } from "#core/model/endpoint.ts";
import { resolveMeshConfig } from "#core/model/resolve/config/mesh-config.ts";
import type { Service } from "#core/model/service.ts";
import { inlineCluster, inlineClustersOf } from "#core/translate/clusters/inline-clusters.ts";
import { sniDnatClusters } from "#core/translate/clusters/service-clusters.ts";
import { endpointSettings } from "#core/translate/endpoints/specs.ts";
import type { Cluster } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { Cluster_DiscoveryType as Discovery, Cluster_DnsLookupFamily as Family } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { ClusterConfigSchema } from "#proto/envoy/extensions/clusters/dynamic_forward_proxy/v3/cluster_pb.js";
import { scoped, service } from "#test/support/scope.ts";
import { endpoint, serviceEndpoints } from "../endpoints/support.ts";
import { clustersOf, decode, HOST, ruleWith, settings, tls, WHOLE } from "./support.ts";

const ADDRESS = endpoint("a.example.com", { port: 80, servicePort: 80, health: "unset", labels: { version: "v1" }, tlsMode: "disabled" });

function inline(fields: Partial<Service>, endpoints: readonly Endpoint[] = [ADDRESS], rule = ruleWith({})): Readonly<Record<string, Cluster>> {
  const one = scoped(service(HOST, { resolution: "dns", registry: "External", ...fields }), rule);
  const view = {
    vantage: { cluster: "Kubernetes", network: "", families: "v4" as const },
    networkGateways: [],
  };
  const clusters = inlineClustersOf(one, settings(), endpointSettings(resolveMeshConfig({}).config, false));
  return decode(clusters.flatMap((cluster) => inlineCluster(cluster, settings(), serviceEndpoints(endpoints), view) ?? []));
}

test("a service of names holds its endpoints, and has no cluster without any", () => {
  const cluster = inline({})[WHOLE];
  assert.deepEqual(cluster?.clusterDiscoveryType, { case: "type", value: Discovery.STRICT_DNS });
  assert.equal(cluster?.loadAssignment?.endpoints.length, 1);
  assert.deepEqual(inline({}, []), {});
});

test("round robin is one logical name; racing connections asks for both families", () => {
  assert.deepEqual(inline({ resolution: "dns-round-robin" })[WHOLE]?.clusterDiscoveryType, { case: "type", value: Discovery.LOGICAL_DNS });
  const racing = inline({ raceConnect: true })[WHOLE];
  assert.deepEqual([racing?.clusterDiscoveryType.value, racing?.dnsLookupFamily], [Discovery.LOGICAL_DNS, Family.ALL]);
});

test("a subset whose labels nobody has does not exist among names", () => {
  const subsets = [
    { name: "v1", labels: { version: "v1" } },
    { name: "v2", labels: { version: "v2" } },
  ];
  assert.deepEqual(Object.keys(inline({}, [ADDRESS], ruleWith({}, { subsets }))), [WHOLE, `outbound|80|v1|${HOST}`]);
});

test("PASSTHROUGH keeps the destination of a service of names, but still needs somebody to be there", () => {
  const rule = ruleWith({ loadBalancer: { simple: "PASSTHROUGH" } });
  const cluster = inline({}, [ADDRESS], rule)[WHOLE];
  assert.deepEqual(cluster?.clusterDiscoveryType, { case: "type", value: Discovery.ORIGINAL_DST });
  assert.equal(cluster?.loadAssignment, undefined);
  assert.equal(cluster?.respectDnsTtl, true);
  assert.deepEqual(inline({}, [], rule), {});
});

const DYNAMIC = "*.example.com";
const dynamicName = `outbound|80||${DYNAMIC}`;

test("a dynamic wildcard resolves what requests name, and has no subsets", () => {
  const one = scoped(
    service(DYNAMIC, { resolution: "dynamic-dns", registry: "External", meshExternal: true }),
    ruleWith({}, { subsets: [{ name: "v1", labels: {} }] }),
  );
  const clusters = clustersOf(one);
  assert.deepEqual(Object.keys(clusters), [dynamicName, "BlackHoleCluster", "PassthroughCluster"]);
  const type = clusters[dynamicName]?.clusterDiscoveryType;
  assert.equal(type?.case === "clusterType" && type.value.name, "envoy.clusters.dynamic_forward_proxy");
});

test("TLS to dynamic hosts with a fixed server name is said to be insecure", () => {
  const insecure = (sni: string) => {
    const one = scoped(
      service(DYNAMIC, { resolution: "dynamic-dns", registry: "External", meshExternal: true }),
      ruleWith({ tls: tls("SIMPLE", { sni }) }),
    );
    const type = clustersOf(one)[dynamicName]?.clusterDiscoveryType;
    if (type?.case !== "clusterType" || type.value.typedConfig === undefined) return undefined;
    return fromBinary(ClusterConfigSchema, type.value.typedConfig.value).allowInsecureClusterOptions;
  };
  assert.deepEqual([insecure(""), insecure("a.com")], [false, true]);
});

test("only a sidecar whose outbound policy resolves any host has a cluster for it", () => {
  const names = (mode: "ALLOW_ANY" | "ALLOW_ANY_DYNAMIC_DNS") =>
    Object.keys(clustersOf(scoped(service(HOST)), settings(), { outboundPolicy: { mode } }));
  assert.equal(names("ALLOW_ANY").includes("AllowAnyDynamicDNSCluster"), false);
  assert.equal(names("ALLOW_ANY_DYNAMIC_DNS").includes("AllowAnyDynamicDNSCluster"), true);
});

test("gateways that hand TLS on know services by server name, without TLS, and none outside the mesh", () => {
  const router = settings({}, { type: "router" });
  const clusters = decode(sniDnatClusters(scoped(service(HOST)), router));
  const name = `outbound_.80_._.${HOST}`;
  assert.deepEqual(Object.keys(clusters), [name]);
  assert.equal(clusters[name]?.edsClusterConfig?.serviceName, name);
  assert.equal(clusters[name]?.transportSocketMatches.length, 0);
  assert.deepEqual(sniDnatClusters(scoped(service(HOST, { meshExternal: true })), router), []);
});

test("outlier detection of dynamic hosts is written as anywhere", () => {
  const outlierDetection = { consecutive5xxErrors: 3, splitExternalLocalOriginErrors: false, maxEjectionPercent: 0, minHealthPercent: 20 };
  const one = scoped(service(DYNAMIC, { resolution: "dynamic-dns", registry: "External", meshExternal: true }), ruleWith({ outlierDetection }));
  const cluster = clustersOf(one)[dynamicName];
  assert.deepEqual([cluster?.outlierDetection?.consecutive5xx, cluster?.commonLbConfig?.healthyPanicThreshold?.value], [3, 20]);
});

test("draining hosts are kept for sessions in the mesh's own cluster, not in the one that a gateway hands TLS on by", () => {
  const router = settings({}, { type: "router" });
  const sticky = scoped(service(HOST, { labels: { "istio.io/persistent-session": "cookie" } }));
  const statuses = (clusters: Readonly<Record<string, Cluster>>) =>
    Object.entries(clusters).map(([name, { commonLbConfig }]) => [name, commonLbConfig?.overrideHostStatus?.statuses.length]);
  assert.deepEqual(
    statuses(clustersOf(sticky, router)).find(([name]) => name === `outbound|80||${HOST}`),
    [`outbound|80||${HOST}`, 4],
  );
  assert.deepEqual(statuses(decode(sniDnatClusters(sticky, router))), [[`outbound_.80_._.${HOST}`, undefined]]);
});
