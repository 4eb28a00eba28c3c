import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@bufbuild/protobuf";
import { outboundClusters } from "#core/translate/clusters.ts";
import { type Cluster, Cluster_DiscoveryType as Discovery, Cluster_LbPolicy as Policy } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { httpPort, scoped, scopeOf, service } from "#test/support/scope.ts";
import { clustersOf, clusterUnder, HOST, ruleWith, settings, WHOLE } from "./support.ts";

function metadata(cluster: Cluster | undefined): JsonObject | undefined {
  return cluster?.metadata?.filterMetadata.istio;
}

test("a service has a cluster for each port that is not UDP, and for each subset of its rule", () => {
  const ports = [httpPort(80), httpPort(53, { protocol: "UDP" }), httpPort(90)];
  const rule = ruleWith({}, { subsets: [{ name: "v1", labels: { version: "v1" } }] });
  const names = Object.keys(clustersOf(scoped(service(HOST, { ports }), rule)));
  const catching = ["BlackHoleCluster", "PassthroughCluster"];
  assert.deepEqual(names, [WHOLE, `outbound|80|v1|${HOST}`, `outbound|90||${HOST}`, `outbound|90|v1|${HOST}`, ...catching]);
});

test("aliases have no clusters, and those of names are seen from a place", () => {
  for (const resolution of ["alias", "dns", "dns-round-robin"] as const) {
    assert.deepEqual(Object.keys(clustersOf(scoped(service(HOST, { resolution })))), ["BlackHoleCluster", "PassthroughCluster"]);
  }
});

test("endpoints come by discovery under the cluster's name", () => {
  const cluster = clustersOf(scoped(service(HOST)))[WHOLE];
  assert.deepEqual(cluster?.clusterDiscoveryType, { case: "type", value: Discovery.EDS });
  assert.equal(cluster?.edsClusterConfig?.serviceName, WHOLE);
  const [resource] = outboundClusters(scopeOf([scoped(service(HOST))]), settings());
  assert.deepEqual(resource?.needs.endpoints, [WHOLE]);
});

test("a headless service keeps the destination for a sidecar, and is discovered by a router", () => {
  const headless = scoped(service(HOST, { resolution: "passthrough" }));
  const sidecar = clustersOf(headless)[WHOLE];
  assert.deepEqual(sidecar?.clusterDiscoveryType, { case: "type", value: Discovery.ORIGINAL_DST });
  assert.equal(sidecar?.lbPolicy, Policy.CLUSTER_PROVIDED);
  const router = clustersOf(headless, settings({}, { type: "router" }))[WHOLE];
  assert.deepEqual(router?.clusterDiscoveryType, { case: "type", value: Discovery.EDS });
});

test("a ServiceEntry's target port replaces that of kept destinations", () => {
  const entry = scoped(service(HOST, { resolution: "passthrough", registry: "External", ports: [httpPort(80)], targetPortOverrides: { 80: 8080 } }));
  assert.deepEqual(clustersOf(entry)[WHOLE]?.lbConfig.value, { ...clustersOf(entry)[WHOLE]?.lbConfig.value, upstreamPortOverride: 8080 });
});

test("PASSTHROUGH keeps the destination, also for subsets with another balancer", () => {
  const rule = ruleWith(
    { loadBalancer: { simple: "PASSTHROUGH" } },
    { subsets: [{ name: "v1", labels: {}, policy: { portLevelSettings: [], loadBalancer: { simple: "RANDOM" } } }] },
  );
  const clusters = clustersOf(scoped(service(HOST), rule));
  for (const name of [WHOLE, `outbound|80|v1|${HOST}`]) {
    assert.deepEqual(clusters[name]?.clusterDiscoveryType, { case: "type", value: Discovery.ORIGINAL_DST });
    assert.equal(clusters[name]?.lbPolicy, Policy.CLUSTER_PROVIDED);
  }
});

test("metadata names services and rule; only the whole service is marked external, only a subset by its name", () => {
  const rule = ruleWith({}, { subsets: [{ name: "v1", labels: {} }] });
  const clusters = clustersOf(scoped(service(HOST, { meshExternal: true }), rule));
  const services = [{ host: HOST, name: "web", namespace: "shop" }];
  const config = "/apis/networking.istio.io/v1/namespaces/shop/destination-rule/rule";
  assert.deepEqual(metadata(clusters[WHOLE]), { services, config, external: true });
  assert.deepEqual(metadata(clusters[`outbound|80|v1|${HOST}`]), { services, config, subset: "v1" });
});

test("stat names end with a delimiter, and follow the mesh's pattern", () => {
  assert.equal(clustersOf(scoped(service(HOST)))[WHOLE]?.altStatName, `${WHOLE};`);
  const patterned = settings({ outboundClusterStatName: "%SERVICE%_%SERVICE_PORT%_%TARGET_PORT%" });
  assert.equal(clustersOf(scoped(service(HOST)), patterned)[WHOLE]?.altStatName, "web.shop_80_0;");
});

test("health counts to the last host, unless a rule says otherwise; a traffic distribution insists", () => {
  const threshold = (cluster: Cluster | undefined) => cluster?.commonLbConfig?.healthyPanicThreshold?.value;
  const outlierDetection = { splitExternalLocalOriginErrors: false, maxEjectionPercent: 0, minHealthPercent: 30 };
  assert.equal(threshold(clusterUnder({})), 0);
  assert.equal(threshold(clusterUnder({ outlierDetection })), 30);
  assert.equal(threshold(clusterUnder({ outlierDetection }, settings(), { trafficDistribution: "same-zone" })), 0);
});

test("a resource names the objects that it was made of", () => {
  const key = { cluster: "Kubernetes", kind: "DestinationRule", namespace: "shop", name: "rule" };
  const one = { ...scoped(service(HOST), ruleWith({}, { sources: [key] })), mtlsSources: [{ ...key, kind: "PeerAuthentication" }] };
  const [resource] = outboundClusters(scopeOf([one]), settings());
  assert.deepEqual(
    resource?.from.map(({ kind }) => kind),
    ["Service", "DestinationRule", "PeerAuthentication"],
  );
});

test("a service seen alike is translated once", () => {
  const one = scoped(service(HOST));
  const [first] = outboundClusters(scopeOf([one]), settings());
  const [second] = outboundClusters(scopeOf([one]), settings());
  assert.equal(first, second);
});
