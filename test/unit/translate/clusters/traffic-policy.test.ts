import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import type { ConnectionPool, LoadBalancer } from "#core/model/traffic-policy.ts";
import { type Cluster, Cluster_LbPolicy as Policy } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { type HttpProtocolOptions, HttpProtocolOptionsSchema } from "#proto/envoy/extensions/upstreams/http/v3/http_protocol_options_pb.js";
import { httpPort } from "#test/support/scope.ts";
import { clusterUnder, settings } from "./support.ts";

const UNLIMITED = 0xffff_ffff;
const HTTP: NonNullable<ConnectionPool["http"]> = {
  http1MaxPendingRequests: 0,
  http2MaxRequests: 0,
  maxRequestsPerConnection: 0,
  maxRetries: 0,
  h2UpgradePolicy: "DEFAULT",
  useClientProtocol: false,
  maxConcurrentStreams: 0,
};
const GRPC = { ports: [httpPort(80, { protocol: "GRPC" })] };
const TCP = { ports: [httpPort(80, { protocol: "TCP" })] };
const UNDECLARED = { ports: [httpPort(80, { protocol: "Unsupported" })] };

function httpOptions(cluster: Cluster): HttpProtocolOptions | undefined {
  const any = cluster.typedExtensionProtocolOptions["envoy.extensions.upstreams.http.v3.HttpProtocolOptions"];
  return any === undefined ? undefined : fromBinary(HttpProtocolOptionsSchema, any.value);
}

/** `http1`, `http2`, `downstream` or `none`. */
function protocol(cluster: Cluster): string {
  const choice = httpOptions(cluster)?.upstreamProtocolOptions;
  if (choice?.case === "useDownstreamProtocolConfig") return "downstream";
  if (choice?.case !== "explicitHttpConfig") return "none";
  return choice.value.protocolConfig.case === "http2ProtocolOptions" ? "http2" : "http1";
}

test("everything is unlimited that a rule doesn't limit, and 0 limits nothing", () => {
  const limits = ({ circuitBreakers }: Cluster) => {
    const [threshold] = circuitBreakers?.thresholds ?? [];
    return [threshold?.maxConnections, threshold?.maxPendingRequests, threshold?.maxRequests, threshold?.maxRetries];
  };
  assert.deepEqual(limits(clusterUnder({})), [UNLIMITED, UNLIMITED, UNLIMITED, UNLIMITED]);
  const connectionPool = { tcp: { maxConnections: 5 }, http: { ...HTTP, http1MaxPendingRequests: 6, http2MaxRequests: 7, maxRetries: 8 } };
  assert.deepEqual(limits(clusterUnder({ connectionPool })), [5, 6, 7, 8]);
  assert.deepEqual(limits(clusterUnder({ connectionPool: { tcp: { maxConnections: 0 } } })), [UNLIMITED, UNLIMITED, UNLIMITED, UNLIMITED]);
});

test("a retry budget has defaults", () => {
  const budget = (retryBudget: { percent?: number; minRetryConcurrency: number }) => {
    const found = clusterUnder({ retryBudget }).circuitBreakers?.thresholds[0]?.retryBudget;
    return [found?.budgetPercent?.value, found?.minRetryConcurrency];
  };
  assert.deepEqual(budget({ minRetryConcurrency: 0 }), [20, 3]);
  assert.deepEqual(budget({ percent: 0, minRetryConcurrency: 9 }), [0, 9]);
});

test("the rule's keepalive lies over the mesh's, value by value", () => {
  const mesh = settings({ tcpKeepalive: { probes: 3, time: "100s" } });
  const keepalive = { probes: 0, interval: { seconds: 7, nanos: 0 } };
  const found = clusterUnder({ connectionPool: { tcp: { maxConnections: 0, tcpKeepalive: keepalive } } }, mesh).upstreamConnectionOptions
    ?.tcpKeepalive;
  assert.deepEqual([found?.keepaliveProbes, found?.keepaliveTime, found?.keepaliveInterval], [3, 100, 7]);
  assert.equal(clusterUnder({}).upstreamConnectionOptions, undefined);
});

test("the HTTP idle timeout beats the TCP one", () => {
  const tcp = { maxConnections: 0, idleTimeout: { seconds: 1, nanos: 0 } };
  const idle = (pool: ConnectionPool) => httpOptions(clusterUnder({ connectionPool: pool }))?.commonHttpProtocolOptions?.idleTimeout?.seconds;
  assert.equal(idle({ tcp }), 1n);
  assert.equal(idle({ tcp, http: { ...HTTP, idleTimeout: { seconds: 2, nanos: 0 } } }), 2n);
});

test("a port speaks what it declares; an undeclared one what the client speaks, but not for routers", () => {
  assert.equal(protocol(clusterUnder({})), "none");
  assert.equal(protocol(clusterUnder({}, settings(), GRPC)), "http2");
  assert.equal(protocol(clusterUnder({}, settings(), TCP)), "none");
  assert.equal(protocol(clusterUnder({}, settings(), UNDECLARED)), "downstream");
  assert.equal(protocol(clusterUnder({}, settings({}, { type: "router" }), UNDECLARED)), "none");
});

test("a rule upgrades any port to HTTP/2 that chose nothing else, the mesh only HTTP ports", () => {
  const upgrade = { connectionPool: { http: { ...HTTP, h2UpgradePolicy: "UPGRADE" as const } } };
  assert.equal(protocol(clusterUnder(upgrade, settings(), TCP)), "http2");
  assert.equal(protocol(clusterUnder(upgrade, settings(), UNDECLARED)), "downstream");
  const mesh = settings({ h2UpgradePolicy: "UPGRADE" });
  assert.equal(protocol(clusterUnder({}, mesh)), "http2");
  assert.equal(protocol(clusterUnder({}, mesh, TCP)), "none");
  assert.equal(protocol(clusterUnder({ connectionPool: { http: { ...HTTP, h2UpgradePolicy: "DO_NOT_UPGRADE" } } }, mesh)), "none");
});

test("useClientProtocol beats whatever was chosen", () => {
  const own = { connectionPool: { http: { ...HTTP, useClientProtocol: true } } };
  assert.equal(protocol(clusterUnder(own, settings({ h2UpgradePolicy: "UPGRADE" }))), "downstream");
  assert.equal(protocol(clusterUnder(own, settings(), GRPC)), "downstream");
});

test("stream limits reach HTTP/2 clusters only; elsewhere they leave empty options and HTTP/1", () => {
  const connectionPool = { http: { ...HTTP, maxConcurrentStreams: 9 } };
  const plain = httpOptions(clusterUnder({ connectionPool }));
  assert.equal(plain?.commonHttpProtocolOptions?.idleTimeout, undefined);
  assert.notEqual(plain?.commonHttpProtocolOptions, undefined);
  assert.equal(protocol(clusterUnder({ connectionPool })), "http1");
  const choice = httpOptions(clusterUnder({ connectionPool }, settings(), GRPC))?.upstreamProtocolOptions;
  const config = choice?.case === "explicitHttpConfig" ? choice.value.protocolConfig : undefined;
  assert.equal(config?.case === "http2ProtocolOptions" ? config.value.maxConcurrentStreams : undefined, 9);
});

test("LEAST_REQUEST is the default balancer, and a hash takes the place of any", () => {
  const policy = (loadBalancer: LoadBalancer) => clusterUnder({ loadBalancer }).lbPolicy;
  const key = { kind: "header", name: "x" } as const;
  assert.equal(clusterUnder({}).lbPolicy, Policy.LEAST_REQUEST);
  assert.equal(policy({ simple: "UNSPECIFIED" }), Policy.LEAST_REQUEST);
  assert.equal(policy({ simple: "LEAST_CONN" }), Policy.LEAST_REQUEST);
  assert.equal(policy({ simple: "ROUND_ROBIN" }), Policy.ROUND_ROBIN);
  assert.equal(policy({ consistentHash: { key, algorithm: { kind: "maglev", tableSize: 0 }, minimumRingSize: 0 } }), Policy.MAGLEV);
  assert.equal(policy({ consistentHash: { key, algorithm: { kind: "default" }, minimumRingSize: 0 } }), Policy.RING_HASH);
});

test("a hash ring has a size of its own only without a named algorithm", () => {
  const ring = (algorithm: NonNullable<LoadBalancer["consistentHash"]>["algorithm"], minimumRingSize = 0) => {
    const key = { kind: "source-ip" } as const;
    const { lbConfig } = clusterUnder({ loadBalancer: { consistentHash: { key, algorithm, minimumRingSize } } });
    return lbConfig.case === "ringHashLbConfig" ? lbConfig.value.minimumRingSize : undefined;
  };
  assert.equal(ring({ kind: "default" }), 1024n);
  assert.equal(ring({ kind: "default" }, 77), 77n);
  assert.equal(ring({ kind: "ring-hash", minimumRingSize: 0 }), undefined);
  assert.equal(ring({ kind: "ring-hash", minimumRingSize: 5 }), 5n);
});

test("warm-up has defaults; the deprecated form only a window", () => {
  const duration = { seconds: 10, nanos: 0 };
  const slowStart = (deprecated: boolean) => {
    const { lbConfig } = clusterUnder({ loadBalancer: { simple: "ROUND_ROBIN", warmup: { duration, deprecated } } });
    return lbConfig.case === "roundRobinLbConfig" ? lbConfig.value.slowStartConfig : undefined;
  };
  assert.deepEqual([slowStart(false)?.aggression?.defaultValue, slowStart(false)?.minWeightPercent?.value], [1, 10]);
  assert.deepEqual([slowStart(true)?.slowStartWindow?.seconds, slowStart(true)?.aggression], [10n, undefined]);
});

test("an error count of 0 is written and switches its check off; local errors need the split", () => {
  const outlier = clusterUnder({
    outlierDetection: {
      consecutive5xxErrors: 0,
      consecutiveLocalOriginFailures: 4,
      splitExternalLocalOriginErrors: false,
      maxEjectionPercent: 0,
      minHealthPercent: 0,
    },
  }).outlierDetection;
  assert.deepEqual([outlier?.consecutive5xx, outlier?.enforcingConsecutive5xx, outlier?.enforcingSuccessRate], [0, 0, 0]);
  assert.deepEqual(
    [outlier?.consecutiveGatewayFailure, outlier?.consecutiveLocalOriginFailure, outlier?.maxEjectionPercent],
    [undefined, undefined, undefined],
  );
});

test("localities are weighed where traffic is distributed, or fails over with outlier detection", () => {
  const outlierDetection = { splitExternalLocalOriginErrors: false, maxEjectionPercent: 0, minHealthPercent: 0 };
  const none = { distribute: [], failover: [], failoverPriority: [] };
  const specifier = (policy: Parameters<typeof clusterUnder>[0]) => clusterUnder(policy).commonLbConfig?.localityConfigSpecifier.case;
  assert.equal(specifier({ loadBalancer: { localityLb: { ...none, distribute: [{ from: "a", to: { a: 100 } }] } } }), "localityWeightedLbConfig");
  const failing = { localityLb: { ...none, failover: [{ from: "a", to: "b" }] } };
  assert.equal(specifier({ loadBalancer: failing }), undefined);
  assert.equal(specifier({ loadBalancer: failing, outlierDetection }), "localityWeightedLbConfig");
  assert.equal(specifier({ loadBalancer: { zoneAware: { failover: [], failoverPriority: [] } } }), "zoneAwareLbConfig");
});
