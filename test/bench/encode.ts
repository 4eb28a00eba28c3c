// Compares the compiled encoder with protobuf-es, on literals as translation makes them: `node --import tsx test/bench/encode.ts`.
import type { DescMessage, Message, MessageInitShape } from "@bufbuild/protobuf";
import { create, toBinary } from "@bufbuild/protobuf";
import { encode, encodeFragment } from "#core/lib/protobuf/encode.ts";
import { packed } from "#core/lib/protobuf/packed.ts";
import { Cluster_DiscoveryType, Cluster_LbPolicy, ClusterSchema } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { ApiVersion } from "#proto/envoy/config/core/v3/config_source_pb.js";
import { HealthStatus } from "#proto/envoy/config/core/v3/health_check_pb.js";
import { ClusterLoadAssignmentSchema } from "#proto/envoy/config/endpoint/v3/endpoint_pb.js";
import { VirtualHostSchema } from "#proto/envoy/config/route/v3/route_components_pb.js";
import { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";
import { HttpProtocolOptionsSchema } from "#proto/envoy/extensions/upstreams/http/v3/http_protocol_options_pb.js";

const ROUND_US = 100_000;

/** The best of some rounds by processor time, so that a busy machine matters little. */
function perSecond(work: () => unknown): number {
  return Math.max(...Array.from({ length: 8 }, () => round(work)));
}

function round(work: () => unknown): number {
  const start = process.cpuUsage();
  for (let count = 1; ; count++) {
    work();
    const { user, system } = process.cpuUsage(start);
    if (user + system > ROUND_US) return (count / (user + system)) * 1e6;
  }
}

/** Literals are made beforehand, as only encoding is compared. */
function compare<D extends DescMessage>(name: string, schema: D, make: () => MessageInitShape<D>): void {
  const literals = Array.from({ length: 64 }, make);
  const all = (work: (literal: MessageInitShape<D>) => unknown) => perSecond(() => literals.forEach(work)) * literals.length;
  const ours = all((literal) => encode(schema, literal));
  const theirs = all((literal) => toBinary(schema, create(schema, literal)));
  const size = encode(schema, make()).length;
  console.log(`${name}: ${size} B, ${Math.round(ours)}/s, protobuf-es ${Math.round(theirs)}/s, ratio ${(ours / theirs).toFixed(1)}`);
}

let serial = 0;

function cluster(): MessageInitShape<typeof ClusterSchema> {
  const name = `outbound|${9080 + (serial++ % 7)}|v1|reviews-${serial % 1000}.bookshop.svc.cluster.local`;
  return {
    name,
    clusterDiscoveryType: { case: "type", value: Cluster_DiscoveryType.EDS },
    edsClusterConfig: {
      serviceName: name,
      edsConfig: {
        configSourceSpecifier: { case: "ads", value: {} },
        initialFetchTimeout: { seconds: 0n, nanos: 0 },
        resourceApiVersion: ApiVersion.V3,
      },
    },
    connectTimeout: { seconds: 10n },
    lbPolicy: Cluster_LbPolicy.LEAST_REQUEST,
    circuitBreakers: {
      thresholds: [
        { maxConnections: 4294967295, maxPendingRequests: 4294967295, maxRequests: 4294967295, maxRetries: 4294967295, trackRemaining: true },
      ],
    },
    typedExtensionProtocolOptions: {
      "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": packed(HttpProtocolOptionsSchema, {
        commonHttpProtocolOptions: { idleTimeout: { seconds: 300n } },
        upstreamProtocolOptions: { case: "useDownstreamProtocolConfig", value: { httpProtocolOptions: {}, http2ProtocolOptions: {} } },
      }),
    },
    metadata: { filterMetadata: { istio: { services: [{ namespace: "bookshop", name: "reviews", host: "reviews.bookshop.svc.cluster.local" }] } } },
    commonLbConfig: { localityConfigSpecifier: { case: "localityWeightedLbConfig", value: {} } },
    dnsLookupFamily: 1,
  };
}

/** protobuf-es does not know `packed`: both get bytes there. */
function plainCluster(): MessageInitShape<typeof ClusterSchema> {
  const literal = cluster() as Exclude<MessageInitShape<typeof ClusterSchema>, Message>;
  return { ...literal, typedExtensionProtocolOptions: { "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": OPTIONS } };
}
const OPTIONS = { typeUrl: "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions", value: new Uint8Array(40) };

function assignment(): MessageInitShape<typeof ClusterLoadAssignmentSchema> {
  return {
    clusterName: `outbound|9080||reviews-${serial++ % 1000}.bookshop.svc.cluster.local`,
    endpoints: ["a", "b", "c"].map((zone) => ({
      locality: { region: "eu", zone },
      lbEndpoints: [1, 2, 3, 4].map((n) => ({
        hostIdentifier: {
          case: "endpoint" as const,
          value: {
            address: {
              address: {
                case: "socketAddress" as const,
                value: { address: `10.1.${serial % 250}.${n}`, portSpecifier: { case: "portValue" as const, value: 9080 } },
              },
            },
          },
        },
        healthStatus: HealthStatus.HEALTHY,
        metadata: {
          filterMetadata: { istio: { workload: "reviews-v1;bookshop;reviews;v1;Kubernetes" }, "envoy.transport_socket_match": { tlsMode: "istio" } },
        },
        loadBalancingWeight: 1,
      })),
      loadBalancingWeight: 4,
    })),
  };
}

function virtualHost(): MessageInitShape<typeof VirtualHostSchema> {
  const host = `reviews-${serial++ % 1000}`;
  return {
    name: `${host}.bookshop.svc.cluster.local:9080`,
    domains: [`${host}.bookshop.svc.cluster.local`, host, `${host}.bookshop.svc`, `${host}.bookshop`, "10.96.1.1"],
    routes: [
      {
        name: "default",
        match: { pathSpecifier: { case: "prefix", value: "/" } },
        action: {
          case: "route",
          value: {
            clusterSpecifier: { case: "cluster", value: `outbound|9080||${host}.bookshop.svc.cluster.local` },
            timeout: { seconds: 0n },
            retryPolicy: {
              retryOn: "connect-failure,refused-stream,unavailable,cancelled,retriable-status-codes",
              numRetries: 2,
              hostSelectionRetryMaxAttempts: 5n,
              retriableStatusCodes: [503],
            },
            maxGrpcTimeout: { seconds: 0n },
          },
        },
        decorator: { operation: `${host}.bookshop.svc.cluster.local:9080/*` },
      },
    ],
    includeRequestAttemptCount: true,
  };
}

const HOSTS = Array.from({ length: 100 }, () => encodeFragment(VirtualHostSchema, virtualHost()));

compare("Cluster", ClusterSchema, plainCluster);
compare("ClusterLoadAssignment, 12 endpoints", ClusterLoadAssignmentSchema, assignment);
compare("VirtualHost", VirtualHostSchema, virtualHost);
console.log(`Cluster with its options packed in place: ${Math.round(perSecond(() => encode(ClusterSchema, cluster())))}/s`);
const spliced = perSecond(() => encode(RouteConfigurationSchema, { name: "9080", virtualHosts: HOSTS }));
console.log(`RouteConfiguration of 100 fragments: ${Math.round(spliced)}/s`);
