import type { Scope } from "#core/model/scope.ts";
import type { Workload } from "#core/model/workload.ts";
import { localhosts, wildcards } from "./binds.ts";
import { allocateOutbound } from "./outbound/allocation.ts";
import type { ListenerSettings } from "./settings.ts";

/** Whose ports they are. */
export interface PortOwner {
  readonly workload: Workload;
  readonly containerPorts: readonly number[];
  /** The workload answers at another loopback address than the one where its proxy listens: its ports are free there. */
  readonly standsApart: boolean;
}

/**
 * Names of the outbound listeners that a proxy which shares its host leaves out for one workload: those that would bind where the workload itself answers.
 * Egress listeners for which a Sidecar names a port stay: somebody chose it.
 */
export function listenersOnOwnPorts(scope: Scope, settings: ListenerSettings, owner: PortOwner): readonly string[] {
  if (!settings.sharesHost || settings.interception !== "NONE") return [];
  const host = new Set([...localhosts(settings), ...wildcards(settings)]);
  const own = ownPorts(owner, new Set(scope.egress.flatMap(({ port }) => port?.number ?? [])));
  const listeners = allocateOutbound(scope, settings).map((listener) => listener.owner);
  return listeners.filter(({ real, binds, port }) => real && own.has(port.number) && binds.some((bind) => host.has(bind))).map(({ name }) => name);
}

/** An ingress listener's port is the proxy's, but inwards. */
function ownPorts({ workload, containerPorts, standsApart }: PortOwner, chosen: ReadonlySet<number>): ReadonlySet<number> {
  const answering = standsApart ? [] : [...workload.targets.map(({ targetPort }) => targetPort), ...containerPorts];
  const ingress = (workload.sidecar?.ingress ?? []).map(({ port }) => port.number);
  return new Set([...answering.filter((port) => !chosen.has(port)), ...ingress]);
}
