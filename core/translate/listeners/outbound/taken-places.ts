import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ScopedService } from "#core/model/scope.ts";
import { localhosts, wildcards } from "../binds.ts";
import type { ListenerSettings } from "../settings.ts";
import type { Claim } from "./claim.ts";

/** Where others already listen on the host that a proxy shares with them. */
export interface TakenPlaces {
  /** Addresses at which the host itself is meant. */
  readonly addresses: readonly string[];
  readonly ports: readonly number[];
}

const intern = interner<TakenPlaces>();

/** Endpoints on the proxy's own host. Equal places are one value: changes of other endpoints don't touch what hangs on it. */
export function takenPlaces(services: readonly ScopedService[], settings: ListenerSettings): TakenPlaces {
  if (!settings.sharesHost || settings.interception !== "NONE") return NOWHERE;
  return intern({ addresses: [...localhosts(settings), ...wildcards(settings)], ports: hostPorts(services) });
}

const NOWHERE: TakenPlaces = { addresses: [], ports: [] };

const hostPorts = memoize((services: readonly ScopedService[]): readonly number[] => {
  const ports = new Set(services.flatMap(({ derived }) => derived.hostPorts ?? []));
  return [...ports].sort((a, b) => a - b);
});

/** Would the listener bind where somebody else does? */
export function isTaken({ real, binds, port }: Claim, { addresses, ports }: TakenPlaces): boolean {
  return real && ports.includes(port.number) && binds.some((bind) => addresses.includes(bind));
}
