import type { ResourceType } from "#core/edition/resource.ts";

/** How the protocol treats one resource type. */
export interface ResourceRule {
  readonly type: ResourceType;
  readonly url: string;
  /**
   * An empty first request asks for everything, and a state-of-the-world answer is the complete set: what it omits is deleted
   * (xDS spec, "How the client specifies what resources to return", "Grouping resources into responses").
   */
  readonly whole: boolean;
  /** What makes clients ask for this type anew although nothing of it changed (xDS spec, "Resource warming"). */
  readonly parent?: ResourceType;
}

const PREFIX = "type.googleapis.com/";

/** The one order in which a stream is answered, so that nothing names what is not there yet (xDS spec, "Eventual consistency considerations"). */
export const ORDER: readonly ResourceRule[] = [
  { type: "clusters", url: `${PREFIX}envoy.config.cluster.v3.Cluster`, whole: true },
  { type: "endpoints", url: `${PREFIX}envoy.config.endpoint.v3.ClusterLoadAssignment`, whole: false, parent: "clusters" },
  { type: "listeners", url: `${PREFIX}envoy.config.listener.v3.Listener`, whole: true },
  { type: "routes", url: `${PREFIX}envoy.config.route.v3.RouteConfiguration`, whole: false, parent: "listeners" },
  { type: "secrets", url: `${PREFIX}envoy.extensions.transport_sockets.tls.v3.Secret`, whole: false },
  { type: "extensions", url: `${PREFIX}envoy.config.core.v3.TypedExtensionConfig`, whole: false },
  { type: "names", url: `${PREFIX}istio.networking.nds.v1.NameTable`, whole: true },
];

const BY_URL: ReadonlyMap<string, ResourceRule> = new Map(ORDER.map((rule) => [rule.url, rule]));
const BY_TYPE = Object.fromEntries(ORDER.map((rule) => [rule.type, rule])) as Readonly<Record<ResourceType, ResourceRule>>;

/** Undefined for a type that is not served. */
export function ruleOfUrl(url: string): ResourceRule | undefined {
  return BY_URL.get(url);
}

/** The rules of one type. */
export function ruleOf(type: ResourceType): ResourceRule {
  return BY_TYPE[type];
}
