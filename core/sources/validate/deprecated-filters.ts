/** Old names of Envoy's filters (istio `pkg/config/xds` DeprecatedFilterNames); one old name stood for two filters. */
const NEW_NAMES: Readonly<Record<string, string>> = {
  "envoy.buffer": "envoy.filters.http.buffer",
  "envoy.cors": "envoy.filters.http.cors",
  "envoy.csrf": "envoy.filters.http.csrf",
  "envoy.http_dynamo_filter": "envoy.filters.http.dynamo",
  "envoy.ext_authz": "envoy.filters.http.ext_authz or envoy.filters.network.ext_authz",
  "envoy.fault": "envoy.filters.http.fault",
  "envoy.grpc_http1_bridge": "envoy.filters.http.grpc_http1_bridge",
  "envoy.grpc_json_transcoder": "envoy.filters.http.grpc_json_transcoder",
  "envoy.grpc_web": "envoy.filters.http.grpc_web",
  "envoy.gzip": "envoy.filters.http.gzip",
  "envoy.health_check": "envoy.filters.http.health_check",
  "envoy.ip_tagging": "envoy.filters.http.ip_tagging",
  "envoy.lua": "envoy.filters.http.lua",
  "envoy.rate_limit": "envoy.filters.http.ratelimit",
  "envoy.router": "envoy.filters.http.router",
  "envoy.squash": "envoy.filters.http.squash",
  "envoy.listener.http_inspector": "envoy.filters.listener.http_inspector",
  "envoy.listener.original_dst": "envoy.filters.listener.original_dst",
  "envoy.listener.original_src": "envoy.filters.listener.original_src",
  "envoy.listener.proxy_protocol": "envoy.filters.listener.proxy_protocol",
  "envoy.listener.tls_inspector": "envoy.filters.listener.tls_inspector",
  "envoy.client_ssl_auth": "envoy.filters.network.client_ssl_auth",
  "envoy.http_connection_manager": "envoy.filters.network.http_connection_manager",
  "envoy.mongo_proxy": "envoy.filters.network.mongo_proxy",
  "envoy.ratelimit": "envoy.filters.network.ratelimit",
  "envoy.redis_proxy": "envoy.filters.network.redis_proxy",
  "envoy.tcp_proxy": "envoy.filters.network.tcp_proxy",
};

/** Tells the new name of a filter, if `name` is an old one. */
export function deprecatedFilterProblem(name: string | undefined): string | undefined {
  const replacement = name !== undefined && Object.hasOwn(NEW_NAMES, name) ? NEW_NAMES[name] : undefined;
  return replacement === undefined ? undefined : `"${name}" is an old name, use ${replacement}`;
}
