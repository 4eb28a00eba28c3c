import { memoize } from "#core/lib/memo.ts";
import type { Destination, HttpRoute, VirtualService } from "./virtual-service.ts";

/** Hosts that the HTTP routes of a VirtualService name, each once, in the order of the object. "" stands for a destination without one. */
export const destinationHosts = memoize((virtualService: VirtualService): readonly string[] => {
  const destinations = virtualService.http.flatMap(destinationsOf);
  return [...new Set(destinations.map((destination) => destination?.host ?? ""))];
});

function destinationsOf(rule: HttpRoute): readonly (Destination | undefined)[] {
  return [...rule.route.map(({ destination }) => destination), ...rule.mirrors.map(({ destination }) => destination)];
}
