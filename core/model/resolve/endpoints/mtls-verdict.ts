import { memoize } from "#core/lib/memo.ts";
import type { PortMtls, WorkloadFacts } from "../../endpoint.ts";
import type { MeshConfig } from "../../mesh-config.ts";
import type { PeerAuthentication } from "../../peer-authentication.ts";
import { type PeerModes, peerModes, portMode } from "../workloads/peer-mode.ts";

/** May a client use mutual TLS to the ports of a workload, and who says so? */
export type MtlsVerdict = (workload: WorkloadFacts) => (port: number) => PortMtls;

/** What PeerAuthentications say; `policies` are oldest first. */
export const mtlsVerdict = memoize((policies: readonly PeerAuthentication[], { rootNamespace }: MeshConfig): MtlsVerdict => {
  const modesOf = peerModes(policies, rootNamespace);
  return (workload) => verdicts(modesOf(workload));
});

/** Modes are few, ports in each too: endpoints share what is said of theirs. */
const verdicts = memoize((modes: PeerModes): ((port: number) => PortMtls) => {
  const known = new Map<number, PortMtls>();
  return (port) => {
    const found = known.get(port) ?? { allowed: portMode(modes, port) !== "DISABLE", sources: modes.sources };
    known.set(port, found);
    return found;
  };
});

/** For whoever wants to know of ports alone. */
export const UNJUDGED: MtlsVerdict = () => () => NO_VERDICT;
const NO_VERDICT: PortMtls = { allowed: true, sources: [] };
