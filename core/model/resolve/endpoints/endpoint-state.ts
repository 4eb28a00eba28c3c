import { change, emptyTrie, lookUp, type TrieNode } from "#core/lib/trie.ts";
import type { ServiceEndpoints } from "../../endpoint.ts";
import type { MeshConfig } from "../../mesh-config.ts";
import type { PeerAuthentication } from "../../peer-authentication.ts";
import type { ServiceFacts } from "../../scope.ts";
import type { Registries } from "../registry/registries.ts";
import type { WorkloadInstance } from "../registry/workload-instance.ts";
import { keepFacts, serviceFacts } from "../services/service-facts.ts";
import type { ServiceRecords } from "../services/service-records.ts";
import { type ClaimedAddresses, type EndpointChange, updateClaims } from "./claimed-addresses.ts";
import { keepEqual } from "./endpoint-equality.ts";
import { mtlsVerdict } from "./mtls-verdict.ts";
import { selectableWorkloads } from "./selectable-workloads.ts";
import { type EndpointSources, serviceEndpoints } from "./service-endpoints.ts";

/** Everything that endpoints are made of. */
export interface EndpointBasis {
  readonly records: ServiceRecords;
  readonly registries: Registries;
  readonly config: MeshConfig;
  readonly peerAuthentications: readonly PeerAuthentication[];
}

/** The endpoints of all services, and what they were made of. */
export interface EndpointState {
  readonly basis: EndpointBasis;
  readonly endpoints: TrieNode<ServiceEndpoints>;
  readonly facts: TrieNode<ServiceFacts>;
  readonly claims: ClaimedAddresses;
}

/**
 * The endpoints of some services: those of others are as in `previous`, and values that come out equal keep their identity. A service that is not in the
 * mesh any more is left out.
 */
export function updateEndpoints(basis: EndpointBasis, keys: readonly string[], previous?: EndpointState): EndpointState {
  const sources = endpointSources(basis);
  const changes: EndpointChange[] = [];
  const facts = new Map<string, ServiceFacts | undefined>();
  for (const key of keys) {
    const services = basis.records.byKey.get(key);
    const before = previous && lookUp(previous.endpoints, key);
    const after = services && keepEqual(serviceEndpoints(key, sources), before);
    changes.push({ key, before, after });
    facts.set(key, services && after && keepFacts(serviceFacts(services, after.endpoints), previous && lookUp(previous.facts, key)));
  }
  return {
    basis,
    endpoints: change(previous?.endpoints ?? emptyTrie<ServiceEndpoints>(), new Map(changes.map(({ key, after }) => [key, after]))),
    facts: change(previous?.facts ?? emptyTrie<ServiceFacts>(), facts),
    claims: updateClaims(previous?.claims, changes),
  };
}

function endpointSources({ records, registries, config, peerAuthentications }: EndpointBasis): EndpointSources {
  const { clusters } = registries;
  const selectable = new Map<string, readonly WorkloadInstance[]>();
  const candidates = (namespace: string): readonly WorkloadInstance[] => {
    const known = selectable.get(namespace) ?? selectableWorkloads(namespace, clusters);
    selectable.set(namespace, known);
    return known;
  };
  return { records, clusters, candidates, mtls: mtlsVerdict(peerAuthentications, config) };
}
