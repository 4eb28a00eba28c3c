import type { Dialect } from "./facts.ts";

/** What translation can count on in a proxy. */
export type DialectFeature =
  | "istioFilters"
  | "agent"
  | "logService"
  | "streamFiles"
  | "verbatim"
  | "captures"
  | "sharesHost"
  | "apiListeners"
  | "tunnels";

/** One difference between the dialects: who has the feature, and what it means to have it and not to have it. */
export interface DialectDifference {
  readonly feature: DialectFeature;
  readonly dialects: readonly Dialect[];
  readonly having: string;
  readonly lacking: string;
}

/**
 * Every difference between what Istio's proxy, a plain Envoy and a gRPC client are sent; nothing else looks at a node's dialect. Names and meaning stay.
 * `docs/guides/connect-envoy.md` shows this table, and a test compares them.
 */
export const DIALECT_DIFFERENCES: readonly DialectDifference[] = [
  {
    feature: "istioFilters",
    dialects: ["istio-proxy"],
    having: "Istio's own filters are in the proxy: peer metadata, `istio.alpn`, `istio.stats`; mutual TLS offers `istio-peer-exchange`",
    lacking: "these filters are left out, and mutual TLS offers `istio` alone, since whoever exchanges metadata would send bytes that nobody takes",
  },
  {
    feature: "agent",
    dialects: ["istio-proxy"],
    having: "an agent serves the workload's certificate and files over SDS (cluster `sds-grpc`)",
    lacking:
      "certificates are secrets on the proxy's own stream: files that node metadata name (`TLS_CLIENT_*`, `TLS_SERVER_*`), or a Secret (`TLS_CREDENTIAL`); with neither there is no mutual TLS",
  },
  {
    feature: "logService",
    dialects: ["istio-proxy"],
    having: "the bootstrap has the cluster of an access log service, `envoy_accesslog_service`",
    lacking: "logs to that service are left out",
  },
  {
    feature: "streamFiles",
    dialects: ["istio-proxy"],
    having: "logs to `/dev/stdout` and `/dev/stderr` are files",
    lacking: "they are written to the streams themselves, which can't be opened as files where they are sockets",
  },
  {
    feature: "verbatim",
    dialects: ["istio-proxy"],
    having: "what istiod sends, though an Envoy refuses it",
    lacking:
      "a server that asks for no certificate is not told which subjects one may have; services with target port 0 have no inbound chains; plaintext to hosts of a `DYNAMIC_DNS` ServiceEntry checks the server name that TLS would have",
  },
  {
    feature: "captures",
    dialects: ["istio-proxy"],
    having: "connections are redirected to the proxy unless metadata say `INTERCEPTION_MODE: NONE`",
    lacking: "nothing is redirected unless metadata say how: no `virtualOutbound`, no `virtualInbound`, and listeners bind for real",
  },
  {
    feature: "sharesHost",
    dialects: ["envoy"],
    having:
      "a listener keeps off ports that others have on its host: the proxy's own (`ENVOY_ADMIN_PORT`, 15000 if it is not told), the workload's, endpoints at the same address, `virtualOutbound` and `virtualInbound`; without redirection ingress listeners need a bind of their own, and hosts of headless services come by EDS, and services of one port meet at the loopback address, told apart by host or server name",
    lacking: "listeners are where objects say",
  },
  {
    feature: "apiListeners",
    dialects: ["grpc"],
    having: "no proxy at all: API listeners by `host:port`, routes by cluster name, EDS clusters without anything that gRPC does not know",
    lacking: "listeners take connections",
  },
  {
    feature: "tunnels",
    dialects: ["istio-proxy"],
    having: "workloads that take HBONE and no mutual TLS are reached through a listener inside of the proxy, `connect_originate`",
    lacking: "they are reached at their addresses",
  },
];

export type DialectFeatures = Readonly<Record<DialectFeature, boolean>>;

function featuresOf(dialect: Dialect): DialectFeatures {
  const entries = DIALECT_DIFFERENCES.map(({ feature, dialects }) => [feature, dialects.includes(dialect)]);
  return Object.fromEntries(entries) as DialectFeatures;
}

const BY_DIALECT: Readonly<Record<Dialect, DialectFeatures>> = {
  "istio-proxy": featuresOf("istio-proxy"),
  envoy: featuresOf("envoy"),
  grpc: featuresOf("grpc"),
};

/** One value a dialect: what hangs on it is found by identity. */
export function dialectFeatures(dialect: Dialect): DialectFeatures {
  return BY_DIALECT[dialect];
}
