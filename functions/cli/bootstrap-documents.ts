import { formatHostPort, type HostPort } from "../io/listen.ts";

/** What an Envoy or gRPC client says of itself, as protobuf JSON of `envoy.config.core.v3.Node`. */
export type NodeJson = Readonly<Record<string, unknown>>;

export interface NodeTraits {
  readonly type: "sidecar" | "router";
  readonly name: string;
  readonly namespace: string;
  readonly address: string;
  readonly cluster: string;
  readonly domain: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** `region/zone/subzone`; each may be missing. */
  readonly locality: string;
}

/** A node in Istio's form, `type~address~name.namespace~domain`, with the metadata that placement reads. */
export function nodeJson({ type, name, namespace, address, cluster, domain, labels, metadata, locality }: NodeTraits): NodeJson {
  const [region, zone, subZone] = locality.split("/").filter((part) => part !== "");
  return {
    id: [type, address, `${name}.${namespace}`, `${namespace}.svc.${domain}`].join("~"),
    cluster: `${labels.app ?? name}.${namespace}`,
    ...(region !== undefined && { locality: { region, ...(zone !== undefined && { zone }), ...(subZone !== undefined && { sub_zone: subZone }) } }),
    metadata: { NAMESPACE: namespace, CLUSTER_ID: cluster, ...(Object.keys(labels).length > 0 && { LABELS: labels }), ...metadata },
  };
}

export type Transport = "sotw" | "delta" | "rest";

/** The name of the cluster by which an Envoy reaches its control plane; REST answers refer to it. */
const CONTROL_PLANE = "almanac";

/** How often an Envoy polls listeners and clusters over REST. */
const REFRESH = "5s";

/** A whole Envoy bootstrap (`envoy.config.bootstrap.v3.Bootstrap`): only the control plane is static, everything else comes from it. */
export function envoyBootstrap(node: NodeJson, options: { readonly server: HostPort; readonly admin: HostPort; readonly transport: Transport }) {
  const { server, admin, transport } = options;
  return {
    node,
    admin: { address: socketAddress(admin) },
    dynamic_resources: transport === "rest" ? polled() : streamed(transport),
    static_resources: { clusters: [controlPlane(server, transport)] },
  };
}

function streamed(transport: "sotw" | "delta") {
  const source = { ads: {}, resource_api_version: "V3", initial_fetch_timeout: "0s" };
  return {
    ads_config: {
      api_type: transport === "delta" ? "DELTA_GRPC" : "GRPC",
      transport_api_version: "V3",
      set_node_on_first_message_only: true,
      grpc_services: [{ envoy_grpc: { cluster_name: CONTROL_PLANE } }],
    },
    cds_config: source,
    lds_config: source,
  };
}

function polled() {
  const source = {
    api_config_source: {
      api_type: "REST",
      transport_api_version: "V3",
      cluster_names: [CONTROL_PLANE],
      refresh_delay: REFRESH,
      request_timeout: "2s",
    },
    resource_api_version: "V3",
    initial_fetch_timeout: "0s",
  };
  return { cds_config: source, lds_config: source };
}

function controlPlane(server: HostPort, transport: Transport) {
  const http2 = {
    "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
      "@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
      // A control plane that vanished without a word is noticed, and another connection made.
      explicit_http_config: { http2_protocol_options: { connection_keepalive: { interval: "30s", timeout: "10s" } } },
    },
  };
  return {
    name: CONTROL_PLANE,
    type: /^[\d.]+$|:/.test(server.host) ? "STATIC" : "STRICT_DNS",
    connect_timeout: "1s",
    ...(transport !== "rest" && { typed_extension_protocol_options: http2 }),
    load_assignment: { cluster_name: CONTROL_PLANE, endpoints: [{ lb_endpoints: [{ endpoint: { address: socketAddress(server) } }] }] },
  };
}

function socketAddress({ host, port }: HostPort) {
  return { socket_address: { address: host, port_value: port } };
}

/** A gRPC xDS bootstrap (gRFC A27, A36), for GRPC_XDS_BOOTSTRAP. */
export function grpcBootstrap(node: NodeJson, server: HostPort) {
  const metadata = node.metadata as Readonly<Record<string, unknown>> | undefined;
  const providers = certificateProviders(metadata ?? {});
  return {
    xds_servers: [{ server_uri: formatHostPort(server), channel_creds: [{ type: "insecure" }], server_features: ["xds_v3"] }],
    // Clients insist on a locality, even an empty one.
    node: { locality: {}, ...node, metadata: { GENERATOR: "grpc", ...metadata } },
    server_listener_resource_name_template: "xds.istio.io/grpc/lds/inbound/%s",
    ...(providers && { certificate_providers: providers }),
  };
}

/** Clusters and listeners that speak mutual TLS name this provider (gRFC A29): it reads the files that the node's metadata name. */
function certificateProviders(metadata: Readonly<Record<string, unknown>>) {
  const file = (key: string) => metadata[`TLS_CLIENT_${key}`] ?? metadata[`TLS_SERVER_${key}`];
  const [certificate, key, roots] = [file("CERT_CHAIN"), file("KEY"), file("ROOT_CERT")];
  if (typeof certificate !== "string" || typeof key !== "string" || typeof roots !== "string") return undefined;
  const config = { certificate_file: certificate, private_key_file: key, ca_certificate_file: roots, refresh_interval: "900s" };
  return { default: { plugin_name: "file_watcher", config } };
}
