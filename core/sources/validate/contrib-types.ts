/**
 * Packages of Envoy's contrib extensions (`contrib/envoy/extensions` of its API), which Istio's validation knows and the descriptors here lack: what is
 * of such a type is taken on trust.
 */
const PACKAGES = [
  "compression.qatzip.compressor.v3alpha",
  "compression.qatzstd.compressor.v3alpha",
  "config.v3alpha",
  "filters.http.checksum.v3alpha",
  "filters.http.dynamo.v3",
  "filters.http.golang.v3alpha",
  "filters.http.language.v3alpha",
  "filters.http.peak_ewma.v3alpha",
  "filters.http.peer_metadata.v3",
  "filters.http.sxg.v3alpha",
  "filters.listener.postgres_inspector.v3alpha",
  "filters.network.client_ssl_auth.v3",
  "filters.network.generic_proxy.codecs.kafka.v3",
  "filters.network.golang.v3alpha",
  "filters.network.kafka_broker.v3",
  "filters.network.kafka_mesh.v3alpha",
  "filters.network.metadata_exchange.v3",
  "filters.network.mysql_proxy.v3",
  "filters.network.peer_metadata.v3",
  "filters.network.postgres_proxy.v3alpha",
  "filters.network.rocketmq_proxy.v3",
  "filters.network.sip_proxy.router.v3alpha",
  "filters.network.sip_proxy.tra.v3alpha",
  "filters.network.sip_proxy.v3alpha",
  "load_balancing_policies.peak_ewma.v3alpha",
  "matching.input_matchers.hyperscan.v3alpha",
  "network.connection_balance.dlb.v3alpha",
  "private_key_providers.cryptomb.v3alpha",
  "private_key_providers.kae.v3alpha",
  "private_key_providers.qat.v3alpha",
  "regex_engines.hyperscan.v3alpha",
  "reverse_tunnel_reporters.v3alpha.clients.grpc_client",
  "reverse_tunnel_reporters.v3alpha.reporters",
  "router.cluster_specifier.golang.v3alpha",
  "stat_sinks.kafka.v3",
  "stat_sinks.wasm_filter.v3",
  "tap_sinks.udp_sink.v3alpha",
  "upstreams.http.tcp.golang.v3alpha",
];
const KNOWN: ReadonlySet<string> = new Set(PACKAGES.map((name) => `envoy.extensions.${name}`));

/** Does the text end with a type URL of a contrib extension? */
export function isContribType(text: string): boolean {
  const type = text.slice(text.lastIndexOf("/") + 1);
  return KNOWN.has(type.slice(0, type.lastIndexOf(".")));
}
