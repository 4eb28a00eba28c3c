import type { JsonValue } from "@bufbuild/protobuf";

type Json = { readonly [key: string]: JsonValue };

/** What one node is served, as `translate` prints it. */
export interface NodeAnswer {
  /** Names the node in Envoy's complaints. */
  readonly label: string;
  readonly resources: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
}

/**
 * A bootstrap that holds what many nodes are served as static resources, for Envoy to judge in one go without listening: routes are put where listeners name
 * them, and names and addresses are made different from node to node, so that only doubles of one node are doubles. Secrets come from the control plane,
 * which is asked over a stream of their own: in a static cluster no aggregated stream exists yet.
 */
export function staticBootstrap(answers: readonly NodeAnswer[]) {
  const clusters = answers.flatMap(({ label, resources }, at) =>
    Object.values(resources.clusters ?? {}).map((one) => named(adapted(one, { routes: {}, at }), label, at)),
  );
  const listeners = answers.flatMap(({ label, resources }, at) =>
    Object.values(resources.listeners ?? {}).map((one) => placed(named(adapted(one, { routes: resources.routes ?? {}, at }), label, at), at)),
  );
  return {
    node: { id: "judge", cluster: "judge" },
    dynamic_resources: { ads_config: { api_type: "GRPC", transport_api_version: "V3", grpc_services: [CONTROL_PLANE_SERVICE] } },
    static_resources: { clusters: [CONTROL_PLANE, ...clusters], listeners },
  };
}

const CONTROL_PLANE_SERVICE = { envoy_grpc: { cluster_name: "control-plane" } };

const CONTROL_PLANE = {
  name: "control-plane",
  type: "STATIC",
  load_assignment: {
    cluster_name: "control-plane",
    endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: "127.0.0.1", port_value: 1 } } } }] }],
  },
  typed_extension_protocol_options: {
    "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
      "@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
      explicit_http_config: { http2_protocol_options: {} },
    },
  },
};

const SECRET_SOURCE = {
  resourceApiVersion: "V3",
  apiConfigSource: { apiType: "GRPC", transportApiVersion: "V3", grpcServices: [{ envoyGrpc: { clusterName: "control-plane" } }] },
};

interface NodeView {
  readonly routes: Readonly<Record<string, JsonValue>>;
  readonly at: number;
}

function adapted(json: JsonValue, view: NodeView): JsonValue {
  if (Array.isArray(json)) return json.map((item) => adapted(item, view));
  if (!isObject(json)) return json;
  if (isObject(json.sdsConfig) && json.sdsConfig.ads !== undefined) return { ...json, sdsConfig: SECRET_SOURCE };
  if (isObject(json.dnsCacheConfig))
    return { ...json, dnsCacheConfig: { ...json.dnsCacheConfig, name: `${view.at} ${String(json.dnsCacheConfig.name)}` } };
  const table = isObject(json.rds) ? view.routes[String(json.rds.routeConfigName)] : undefined;
  if (table !== undefined) {
    const { rds: _, ...rest } = json;
    return { ...(adapted(rest, view) as Json), routeConfig: table };
  }
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, adapted(value, view)]));
}

function named(json: JsonValue, label: string, at: number): Json {
  const object = json as Json;
  return { ...object, name: `${at} ${label}: ${String(object.name)}` };
}

/** An IPv6 address that holds the node's number before the address itself; a Unix socket stands in a folder of the node's. */
function placed(listener: Json, at: number): Json {
  const move = (json: JsonValue | undefined): JsonValue | undefined => {
    if (!isObject(json)) return json;
    if (isObject(json.socketAddress)) return { socketAddress: { ...json.socketAddress, address: moved(String(json.socketAddress.address), at) } };
    return isObject(json.pipe) ? { pipe: { ...json.pipe, path: `/node-${at}${String(json.pipe.path)}` } } : json;
  };
  const more = Array.isArray(listener.additionalAddresses)
    ? listener.additionalAddresses.map((one) => ({ address: move((one as Json).address) }))
    : [];
  return { ...listener, address: move(listener.address), ...(more.length > 0 && { additionalAddresses: more }) } as Json;
}

function moved(address: string, at: number): string {
  const number = (at + 1).toString(16);
  return address.includes(":") ? `fd00:${number}:${address === "::" ? ":" : address.replace(/^::/, ":")}` : `fd01:${number}::${address}`;
}

function isObject(value: JsonValue | undefined): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
