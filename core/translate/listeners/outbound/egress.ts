import { memoize } from "#core/lib/memo.ts";
import type { Scope, ScopedService } from "#core/model/scope.ts";
import type { VirtualService } from "#core/model/virtual-service.ts";
import type { ListenerSettings } from "../settings.ts";
import { type EgressMode, egressMode } from "./egress-mode.ts";
import type { FindService } from "./tcp-body.ts";

/** What listeners read of one egress listener. Equal parts give one value: most changes of rules and routes don't touch it. */
export interface Egress {
  readonly mode: EgressMode;
  readonly services: readonly ScopedService[];
  /** The VirtualServices that say something of other than HTTP traffic; few, usually. */
  readonly routing: readonly VirtualService[];
  /** Destinations of those, among all that the scope sees. */
  readonly find: FindService;
}

/** The egress listeners of a scope, in order. */
export function egressOf(scope: Scope, settings: ListenerSettings): readonly Egress[] {
  return scope.egress.map((listener) => {
    const routing = byteRouting(listener.virtualServices);
    return egress(egressMode(listener, settings), listener.services, routing, routing === NONE ? NOBODY : scope.services);
  });
}

const egress = memoize(
  (mode: EgressMode, services: readonly ScopedService[], routing: readonly VirtualService[], all: readonly ScopedService[]): Egress => {
    const byHost = new Map(all.map((scoped) => [scoped.service.host, scoped]));
    return { mode, services, routing, find: (host) => byHost.get(host) };
  },
);

const NONE: readonly VirtualService[] = [];
const NOBODY: readonly ScopedService[] = [];

const byteRouting = memoize((virtualServices: readonly VirtualService[]): readonly VirtualService[] => {
  const routing = virtualServices.filter(({ tls, tcp }) => tls.length > 0 || tcp.length > 0);
  return routing.length === 0 ? NONE : listOf(...routing);
});

/** The same list for the same members. */
const listOf = memoize((...members: readonly VirtualService[]): readonly VirtualService[] => members);
