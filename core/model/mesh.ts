import type { Diagnostic } from "#core/lib/diagnostic.ts";
import type { TrieNode } from "#core/lib/trie.ts";
import type { DestinationRuleIndex } from "./destination-rule-index.ts";
import type { NetworkGateway, ServiceEndpoints } from "./endpoint.ts";
import type { Gateway } from "./gateway.ts";
import type { MeshConfig } from "./mesh-config.ts";
import type { NetworkRange } from "./network-range.ts";
import type { PeerAuthentication } from "./peer-authentication.ts";
import type { ServiceFacts } from "./scope.ts";
import type { Service } from "./service.ts";
import type { Sidecar } from "./sidecar.ts";
import type { VirtualService } from "./virtual-service.ts";

/** The resolved world: sorted, deeply readonly, every reference followed. A change keeps the identity of every part that it does not touch. */
export interface Mesh {
  readonly config: MeshConfig;
  /** By age, then name, then namespace (istio `push_context.go` initServiceRegistry). */
  readonly services: readonly Service[];
  /** By {@link serviceKey}. */
  readonly endpoints: TrieNode<ServiceEndpoints>;
  /** By {@link serviceKey}; the same map as long as no fact of any service changed. */
  readonly facts: TrieNode<ServiceFacts>;
  readonly virtualServices: readonly VirtualService[];
  /** Oldest first. */
  readonly gateways: readonly Gateway[];
  readonly destinationRules: DestinationRuleIndex;
  readonly sidecars: readonly Sidecar[];
  readonly peerAuthentications: readonly PeerAuthentication[];
  readonly networkGateways: readonly NetworkGateway[];
  /** Sorted: what routers take for the inside. */
  readonly networkRanges: readonly NetworkRange[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Endpoints belong to a host name within a namespace. */
export function serviceKey(service: { readonly host: string; readonly namespace: string }): string {
  return `${service.namespace}/${service.host}`;
}
