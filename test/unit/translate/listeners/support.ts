import { fromBinary } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import type { Resource } from "#core/edition/resource.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { ProxyConfig } from "#core/model/proxy-config.ts";
import { resolveMeshConfig } from "#core/model/resolve/config/mesh-config.ts";
import type { Scope } from "#core/model/scope.ts";
import type { Service, ServicePort } from "#core/model/service.ts";
import type { Workload } from "#core/model/workload.ts";
import type { Dialect, ProxyFeatures } from "#core/node/facts.ts";
import { proxyFeatures } from "#core/node/features.ts";
import { readMetadata } from "#core/node/metadata.ts";
import { type Frame, meshFrame } from "#core/translate/frames/frame.ts";
import { type ListenerSettings, listenerSettings } from "#core/translate/listeners/settings.ts";
import { inboundListeners, outboundHttpListeners, outboundListeners } from "#core/translate/listeners.ts";
import { listenerLiterals } from "#core/translate/literals.ts";
import type { FilterChain } from "#proto/envoy/config/listener/v3/listener_components_pb.js";
import { type Listener, ListenerSchema } from "#proto/envoy/config/listener/v3/listener_pb.js";
import {
  type HttpConnectionManager,
  HttpConnectionManagerSchema,
} from "#proto/envoy/extensions/filters/network/http_connection_manager/v3/http_connection_manager_pb.js";
import { TcpProxySchema } from "#proto/envoy/extensions/filters/network/tcp_proxy/v3/tcp_proxy_pb.js";

/** What a test of listeners says of its node and mesh; the rest is as a plain Istio sidecar has it. */
export interface NodeFields {
  readonly dialect?: Dialect;
  readonly mesh?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly addresses?: readonly string[];
  readonly proxyConfig?: ProxyConfig;
}

export interface NodeView {
  readonly config: MeshConfig;
  readonly features: ProxyFeatures;
  readonly settings: ListenerSettings;
  readonly frame: Frame;
}

export function nodeView({ mesh = {}, metadata = {}, addresses = ["10.1.0.5"], proxyConfig, dialect = "istio-proxy" }: NodeFields = {}): NodeView {
  const { config } = resolveMeshConfig(mesh);
  const features = proxyFeatures(readMetadata(metadata), addresses, dialect);
  const settings = listenerSettings(config, { features, dialect, cluster: "Kubernetes", dnsDomain: "shop.svc.cluster.local" });
  return { config, features, settings, frame: meshFrame(config, proxyConfig ?? config.defaultConfig, { features, dialect }) };
}

export const LITERALS = listenerLiterals({ cluster: "Kubernetes" }, { namespace: "shop", canonicalName: "web", canonicalRevision: "v2", meshId: "" });

/** All outbound listeners of a scope, by name. */
export function outbound(scope: Scope, node: NodeFields = {}): ReadonlyMap<string, Resource> {
  const { settings, frame } = nodeView(node);
  const input = { scope, settings, frame };
  return byName([...outboundListeners(input), ...outboundHttpListeners(input, LITERALS)]);
}

/** All inbound listeners of a workload, by name. */
export function inbound(workload: Workload, node: NodeFields = {}): ReadonlyMap<string, Resource> {
  const { settings, frame } = nodeView(node);
  return byName(inboundListeners({ workload, settings, frame }, LITERALS));
}

function byName(resources: readonly Resource[]): ReadonlyMap<string, Resource> {
  return new Map(resources.map((resource) => [resource.name, resource]));
}

export function decodeListener(resource: Resource | undefined): Listener {
  if (resource === undefined) throw new Error("no such listener");
  return fromBinary(ListenerSchema, fromBinary(AnySchema, resource.bytes).value);
}

/** The chains of a listener, the default one last. */
export function chainsOf(resource: Resource | undefined): readonly FilterChain[] {
  const { filterChains, defaultFilterChain } = decodeListener(resource);
  return [...filterChains, ...(defaultFilterChain ? [defaultFilterChain] : [])];
}

/** What a chain does in the end: `http <routes>`, or `tcp <cluster>`. */
export function endOf(chain: FilterChain | undefined): string {
  const any = anyOf(chain);
  if (any?.typeUrl.endsWith("TcpProxy")) {
    const { clusterSpecifier } = fromBinary(TcpProxySchema, any.value);
    if (clusterSpecifier.case === "cluster") return `tcp ${clusterSpecifier.value}`;
    return `tcp ${clusterSpecifier.value?.clusters.map(({ name, weight }) => `${name}=${weight}`).join(" ")}`;
  }
  const { routeSpecifier } = managerOf(chain);
  return `http ${routeSpecifier.case === "rds" ? routeSpecifier.value.routeConfigName : "inline"}`;
}

export function managerOf(chain: FilterChain | undefined): HttpConnectionManager {
  const any = anyOf(chain);
  if (any === undefined) throw new Error("the chain has no filters");
  return fromBinary(HttpConnectionManagerSchema, any.value);
}

export function tcpProxyOf(chain: FilterChain | undefined) {
  const any = anyOf(chain);
  if (any === undefined) throw new Error("the chain has no filters");
  return fromBinary(TcpProxySchema, any.value);
}

function anyOf(chain: FilterChain | undefined) {
  const config = chain?.filters.at(-1)?.configType;
  return config?.case === "typedConfig" ? config.value : undefined;
}

export function port(number: number, protocol: ServicePort["protocol"], name = `p${number}`): ServicePort {
  return { name, number, protocol };
}

/** A workload that serves the ports of a service at the same numbers. */
export function workloadOf(service: Service, fields: Partial<Workload> = {}): Workload {
  return {
    namespace: service.namespace,
    targets: service.ports.map((one) => ({ service, port: one, targetPort: one.number, ruleSources: [] })),
    sources: [],
    mtls: { mode: "PERMISSIVE", ports: {}, sources: [] },
    ...fields,
  };
}
