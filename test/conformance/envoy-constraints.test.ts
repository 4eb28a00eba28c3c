import assert from "node:assert/strict";
import { test } from "node:test";
import type { DescMessage, JsonValue } from "@bufbuild/protobuf";
import { createRegistry, fromJson, toBinary } from "@bufbuild/protobuf";
import { violations } from "#core/envoy/constraints.ts";
import { ClusterSchema } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { ListenerSchema } from "#proto/envoy/config/listener/v3/listener_pb.js";
import { RouterSchema } from "#proto/envoy/extensions/filters/http/router/v3/router_pb.js";
import { HttpConnectionManagerSchema } from "#proto/envoy/extensions/filters/network/http_connection_manager/v3/http_connection_manager_pb.js";
import { validateBootstrap } from "#test/support/envoy.ts";

/** What a real Envoy says to the same resource: our rules must neither miss what it refuses here nor forbid what it takes. */
interface Case {
  readonly name: string;
  readonly cluster?: JsonObject;
  readonly listener?: JsonObject;
  /** Refused with such words; absent: accepted. */
  readonly refused?: RegExp;
}
type JsonObject = { [key: string]: JsonValue };

const CASES: readonly Case[] = [
  { name: "a plain cluster", cluster: {} },
  { name: "a cluster without a name", cluster: { name: "" }, refused: /Name/ },
  { name: "no time to connect", cluster: { connectTimeout: "0s" }, refused: /ConnectTimeout/ },
  { name: "an undefined balancer", cluster: { lbPolicy: 99 }, refused: /LbPolicy/ },
  { name: "EDS without its configuration", cluster: { type: "EDS", loadAssignment: null }, refused: /EDS|eds/ },
  { name: "EDS configuration without EDS", cluster: { edsClusterConfig: { edsConfig: { ads: {} } } }, refused: /eds_cluster_config/ },
  { name: "STRICT_DNS without endpoints", cluster: { type: "STRICT_DNS", loadAssignment: null } },
  { name: "LOGICAL_DNS without endpoints", cluster: { type: "LOGICAL_DNS", loadAssignment: null }, refused: /single/ },
  { name: "LOGICAL_DNS with two endpoints", cluster: { type: "LOGICAL_DNS", loadAssignment: endpoints(1, 1) }, refused: /single/ },
  { name: "LOGICAL_DNS with one endpoint", cluster: { type: "LOGICAL_DNS", loadAssignment: endpoints(1) } },
  { name: "ORIGINAL_DST with another balancer", cluster: { type: "ORIGINAL_DST", loadAssignment: null }, refused: /ORIGINAL_DST/ },
  { name: "ORIGINAL_DST", cluster: { type: "ORIGINAL_DST", lbPolicy: "CLUSTER_PROVIDED", loadAssignment: null } },
  {
    name: "ORIGINAL_DST with endpoints",
    cluster: { type: "ORIGINAL_DST", lbPolicy: "CLUSTER_PROVIDED" },
    refused: /load assignment|load_assignment/,
  },
  {
    name: "CLUSTER_PROVIDED by a static cluster",
    cluster: { lbPolicy: "CLUSTER_PROVIDED" },
    refused: /CLUSTER_PROVIDED|cluster provided|load balanc/i,
  },
  {
    name: "a smallest ring larger than the largest",
    cluster: { lbPolicy: "RING_HASH", ringHashLbConfig: { minimumRingSize: "2000", maximumRingSize: "1000" } },
    refused: /ring hash/,
  },
  { name: "a Maglev table of 100", cluster: { lbPolicy: "MAGLEV", maglevLbConfig: { tableSize: "100" } }, refused: /prime/ },
  { name: "a Maglev table of 101", cluster: { lbPolicy: "MAGLEV", maglevLbConfig: { tableSize: "101" } } },
  { name: "endpoints that weigh more than 32 bits", cluster: { loadAssignment: endpoints(4_000_000_000, 4_000_000_000) } },
  { name: "a plain listener", listener: listener([route({})]) },
  { name: "no filter chains", listener: { ...listener([route({})]), filterChains: [] }, refused: /no filter chains/ },
  { name: "one domain in two hosts", listener: listener([], [host("a", ["x"]), host("b", ["X"])]), refused: /Duplicate entry of domain/ },
  { name: "a host without domains", listener: listener([], [host("a", [])]), refused: /Domains/ },
  { name: "a route without a match", listener: listener([{ route: { cluster: "c" } }]), refused: /Match/ },
  { name: "weights of nothing", listener: listener([weighted(0, 0)]), refused: /greater than 0/ },
  { name: "weights", listener: listener([weighted(0, 1)]) },
  { name: "weights of too much", listener: listener([weighted(4_000_000_000, 4_000_000_000)]), refused: /weights/ },
  { name: "two rewrites", listener: listener([route({ prefixRewrite: "/", regexRewrite: rewrite() })]), refused: /rewrite/ },
  {
    name: "back-off that ends before it starts",
    listener: listener([route({ retryPolicy: { retryBackOff: { baseInterval: "2s", maxInterval: "1s" } } })]),
    refused: /max_interval/,
  },
  { name: "a host header that is set", listener: listener([adds("requestHeadersToAdd", "host")]), refused: /may not be modified/ },
  { name: "a pseudo-header that is set", listener: listener([adds("responseHeadersToAdd", ":status")]), refused: /may not be modified/ },
  { name: "a host header that is removed", listener: listener([{ ...route({}), requestHeadersToRemove: ["host"] }]), refused: /may not be removed/ },
  { name: "a header value of two lines", listener: listener([adds("requestHeadersToAdd", "x", "a\nb")]), refused: /Value/ },
  { name: "chains that differ", listener: chains({ serverNames: ["a"] }, { serverNames: ["b"] }) },
  { name: "chains that match alike", listener: chains({ serverNames: ["a", "b"] }, { serverNames: ["b"] }), refused: /same matching|overlapping/ },
  { name: "two chains that match everything", listener: chains({}, {}), refused: /same matching|overlapping/ },
  { name: "a wildcard within a label", listener: chains({ serverNames: ["*a.b"] }), refused: /partial wildcards/ },
  { name: "a wildcard label", listener: chains({ serverNames: ["*.b"] }) },
];

for (const { name, cluster, listener: given, refused } of CASES) {
  test(`Envoy ${refused === undefined ? "takes" : "refuses"} ${name}, and so do we`, { timeout: 20_000 }, async () => {
    const [schema, json] = cluster === undefined ? [ListenerSchema, given ?? {}] : [ClusterSchema, { ...PLAIN, ...cluster }];
    const { code, log } = await validateBootstrap({
      node: { id: "n", cluster: "c" },
      static_resources: schema === ListenerSchema ? { listeners: [json], clusters: [PLAIN] } : { clusters: [json] },
    });
    const found = violations(schema, encoded(schema, json));
    if (refused === undefined) {
      assert.equal(code, 0, log);
      assert.deepEqual(found, []);
    } else {
      assert.notEqual(code, 0, "Envoy accepts it");
      assert.match(log, refused);
      assert.ok(found.length > 0, "no rule of ours is broken");
    }
  });
}

const REGISTRY = createRegistry(HttpConnectionManagerSchema, RouterSchema);
const PLAIN: JsonObject = { name: "c", type: "STATIC", connectTimeout: "1s", loadAssignment: endpoints(1) };

function encoded(schema: DescMessage, json: JsonObject): Uint8Array {
  return toBinary(schema, fromJson(schema, json, { registry: REGISTRY }));
}

function endpoints(...weights: number[]): JsonObject {
  const endpoint = { address: { socketAddress: { address: "127.0.0.1", portValue: 1 } } };
  return { clusterName: "c", endpoints: [{ lbEndpoints: weights.map((loadBalancingWeight) => ({ endpoint, loadBalancingWeight })) }] };
}

function route(action: JsonObject): JsonObject {
  return { match: { prefix: "/" }, route: { cluster: "c", ...action } };
}

function weighted(...weights: number[]): JsonObject {
  return { match: { prefix: "/" }, route: { weightedClusters: { clusters: weights.map((weight) => ({ name: "c", weight })) } } };
}

function rewrite(): JsonObject {
  return { pattern: { regex: "a" }, substitution: "b" };
}

function adds(field: string, key: string, value = "v"): JsonObject {
  return { ...route({}), [field]: [{ header: { key, value } }] };
}

function host(name: string, domains: string[]): JsonObject {
  return { name, domains, routes: [route({})] };
}

function listener(routes: JsonObject[], virtualHosts: JsonObject[] = [{ name: "h", domains: ["*"], routes }]): JsonObject {
  return { name: "l", address: { socketAddress: { address: "127.0.0.1", portValue: 0 } }, filterChains: [{ filters: [manager(virtualHosts)] }] };
}

function chains(...matches: JsonObject[]): JsonObject {
  const filterChains = matches.map((filterChainMatch) => ({ filterChainMatch, filters: [manager([host("h", ["*"])])] }));
  return { ...listener([]), filterChains };
}

function manager(virtualHosts: JsonObject[]): JsonObject {
  const router = { name: "router", typedConfig: { "@type": `type.googleapis.com/${RouterSchema.typeName}` } };
  const config = { statPrefix: "s", routeConfig: { name: "r", virtualHosts }, httpFilters: [router] };
  return { name: "http", typedConfig: { "@type": `type.googleapis.com/${HttpConnectionManagerSchema.typeName}`, ...config } };
}
