import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Endpoint, Health, WorkloadFacts } from "../../endpoint.ts";

/** An endpoint before security policies are looked at. */
export interface EndpointDraft {
  readonly facts: WorkloadFacts;
  readonly address: string;
  readonly port: number;
  readonly servicePortName: string;
  /** 0 where the service port is found by name alone (Kubernetes). */
  readonly servicePort: number;
  readonly health: Health;
  readonly weight: number;
  readonly listedBy: ObjectKey;
}

/** May a client use mutual TLS to a port of the workload, and who says so? */
export type MtlsVerdict = (facts: WorkloadFacts, port: number) => { readonly allowed: boolean; readonly sources: readonly ObjectKey[] };

export function finishEndpoint(draft: EndpointDraft, mtlsAllowed: MtlsVerdict): Endpoint {
  const { facts, address, port, servicePortName, servicePort, health, weight, listedBy } = draft;
  const mtls = mtlsAllowed(facts, port);
  return {
    workload: facts,
    address,
    port,
    servicePortName,
    servicePort,
    health,
    mtlsAllowed: mtls.allowed,
    weight,
    listedBy,
    mtlsSources: mtls.sources,
  };
}
