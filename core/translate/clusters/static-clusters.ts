import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { bindAddress } from "#core/envoy/address.ts";
import { bindFrom, type ClusterMessage, encodeCluster } from "#core/envoy/cluster.ts";
import { fixedHosts, forwardProxy, originalDestination } from "#core/envoy/cluster-discovery.ts";
import { durationMessage } from "#core/envoy/duration.ts";
import { SOCKET_SECRETS_CLUSTER, SOCKET_SECRETS_PATH } from "#core/envoy/sds.ts";
import { upstreamHttp } from "#core/envoy/upstream-http.ts";
import { seconds } from "#core/lib/duration.ts";
import { memoize } from "#core/lib/memo.ts";
import { ALLOW_ANY_DYNAMIC_DNS_CLUSTER, BLACK_HOLE_CLUSTER, INBOUND_PASSTHROUGH_CLUSTER, PASSTHROUGH_CLUSTER } from "../names.ts";
import { connectionPart } from "./connection-pool.ts";
import { isInsecure } from "./forward-proxy.ts";
import { upstreamFilters } from "./outbound-cluster.ts";
import type { ClusterSettings, ConnectionSettings } from "./settings.ts";
import { tlsParts } from "./tls.ts";
import { socketPart } from "./transport-sockets.ts";

/** Clusters that no object of the mesh is behind. All of them are functions of settings alone. */

function finish(message: ClusterMessage & { readonly name: string }, secrets: readonly string[] = NO_NEEDS.secrets): Resource {
  return makeResource("clusters", message.name, encodeCluster(message), secrets.length === 0 ? NO_NEEDS : { ...NO_NEEDS, secrets }, []);
}

/** Nobody: where traffic goes that may go nowhere. */
export const blackHole = memoize(({ connection }: ClusterSettings): Resource => {
  const name = BLACK_HOLE_CLUSTER;
  return finish({ name, altStatName: `${name};`, connectTimeout: durationMessage(connection.connectTimeout), ...fixedHosts() });
});

/** Wherever a captured connection was going. */
export const passthrough = memoize(
  (settings: ClusterSettings): Resource => finish({ ...passthroughMessage(settings.connection), ...upstreamFilters(settings) }),
);

/** The same for connections to the workload on ports that nobody declared. */
export const inboundPassthrough = memoize(({ connection, inbound }: ClusterSettings): Resource => {
  return finish({
    ...passthroughMessage(connection),
    name: INBOUND_PASSTHROUGH_CLUSTER,
    ...(inbound.marksSource && { upstreamBindConfig: bindFrom(PASSTHROUGH_SOURCES[connection.families]) }),
  });
});

/** Addresses that traffic capture lets through: for each family that the proxy has. */
const PASSTHROUGH_SOURCES: Readonly<Record<ConnectionSettings["families"], readonly [string, ...string[]]>> = {
  v4: ["127.0.0.6"],
  v6: ["::6"],
  dual: ["127.0.0.6", "::6"],
};

/** Of the mesh's default policy, limits count; ejecting hosts means nothing where there is no choice. */
function passthroughMessage(settings: ConnectionSettings): ClusterMessage & { readonly name: string } {
  const name = PASSTHROUGH_CLUSTER;
  return {
    name,
    altStatName: `${name};`,
    ...connectionPart(settings.defaultTrafficPolicy?.connectionPool, undefined, settings),
    ...originalDestination(),
    typedExtensionProtocolOptions: passthroughHttp(settings.preserveHeaderCase),
  };
}

function passthroughHttp(preserveCase: boolean) {
  return upstreamHttp({ protocol: { kind: "downstream", preserveCase }, common: { idleTimeout: seconds(300) } });
}

/** Any host, resolved by name when a request for it comes (istio buildAllowAnyDFPCluster). */
export const anyHost = memoize((settings: ClusterSettings): Resource => {
  const { connection, outbound } = settings;
  const name = ALLOW_ANY_DYNAMIC_DNS_CLUSTER;
  const { dns, tls: wanted } = outbound.anyHost;
  const tls = tlsParts(wanted, { cluster: name, registry: "none", identities: [], http2: false, selected: false, dynamic: true }, outbound);
  const plain = wanted === undefined || wanted.mode === "DISABLE";
  const message = {
    name,
    altStatName: `${name};`,
    ...connectionPart(undefined, undefined, connection),
    ...forwardProxy(dns, plain || isInsecure(tls.serverName)),
    typedExtensionProtocolOptions:
      tls.serverName === undefined
        ? passthroughHttp(connection.preserveHeaderCase)
        : upstreamHttp({ protocol: { kind: "http1", preserveCase: false }, serverName: tls.serverName }),
    ...socketPart({ tls, automatic: false, proxyProtocol: undefined }),
    ...upstreamFilters(settings),
  };
  return finish(message, tls.secrets);
});

/** The SDS server on a socket beside the proxy. */
export const socketSecrets = memoize(({ connection }: ClusterSettings): Resource => {
  const name = SOCKET_SECRETS_CLUSTER;
  const endpoint = { hostIdentifier: { case: "endpoint" as const, value: { address: bindAddress(SOCKET_SECRETS_PATH, 0) } } };
  return finish({
    name,
    altStatName: `${name};`,
    connectTimeout: durationMessage(connection.connectTimeout),
    ...fixedHosts({ clusterName: name, endpoints: [{ lbEndpoints: [endpoint] }] }),
    typedExtensionProtocolOptions: upstreamHttp({ protocol: { kind: "http2" } }),
  });
});
