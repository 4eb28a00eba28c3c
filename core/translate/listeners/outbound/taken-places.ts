import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ScopedService } from "#core/model/scope.ts";
import { localhosts, wildcards } from "../binds.ts";
import type { ListenerSettings } from "../settings.ts";
import type { Claim } from "./claim.ts";

/** Where no claim gets a listener, because others listen there. */
export interface TakenPlaces {
  readonly addresses: readonly string[];
  readonly ports: readonly number[];
}

const intern = interner<TakenPlaces>();

/**
 * Endpoints on the host that a proxy shares with them; or the listeners that redirected connections reach, which Envoy lets no other listener double.
 * Equal places are one value: changes of other endpoints don't touch what hangs on it.
 */
export function takenPlaces(services: readonly ScopedService[], settings: ListenerSettings): TakenPlaces {
  if (!settings.sharesHost) return NOWHERE;
  const { virtualOutboundPort, virtualInboundPort } = settings;
  if (settings.interception !== "NONE") return intern({ addresses: wildcards(settings), ports: [virtualOutboundPort, virtualInboundPort] });
  return intern({ addresses: [...localhosts(settings), ...wildcards(settings)], ports: hostPorts(services) });
}

const NOWHERE: TakenPlaces = { addresses: [], ports: [] };

const hostPorts = memoize((services: readonly ScopedService[]): readonly number[] => {
  const ports = new Set(services.flatMap(({ derived }) => derived.hostPorts ?? []));
  return [...ports].sort((a, b) => a - b);
});

/** Does a claim want a place that others have? */
export function isTaken({ binds, port }: Claim, { addresses, ports }: TakenPlaces): boolean {
  return ports.includes(port.number) && binds.some((bind) => addresses.includes(bind));
}
