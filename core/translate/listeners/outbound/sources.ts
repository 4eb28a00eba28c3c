import type { ObjectKey } from "#core/lib/object-key.ts";
import type { RouteDestination, VirtualService } from "#core/model/virtual-service.ts";
import type { FindService } from "./tcp-body.ts";

/** The objects that a route is made of: its VirtualService, and its destinations with their rules. */
export function sourcesOf(virtualService: VirtualService, route: readonly RouteDestination[], find: FindService): readonly ObjectKey[] {
  const destinations = route.flatMap(({ destination }) => find(destination?.host ?? "") ?? []);
  return [...virtualService.sources, ...destinations.flatMap(({ service, ruleSources }) => [...service.sources, ...ruleSources])];
}
