import type { Scope } from "#core/model/scope.ts";
import type { RouteSettings } from "#core/translate/routes/settings.ts";
import { routeConfiguration } from "#core/translate/routes.ts";
import { type RouteConfiguration, RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";
import { decodeResource } from "#test/support/decode-resource.ts";

export const SETTINGS: RouteSettings = {
  frame: { appendXForwardedHost: false, includeAttemptCount: true },
  naming: { cluster: "Kubernetes", families: "v4", usesAllocated: false, dnsDomain: "shop.svc.cluster.local" },
};

export function naming(fields: Partial<RouteSettings["naming"]>): RouteSettings {
  return { ...SETTINGS, naming: { ...SETTINGS.naming, ...fields } };
}

/** The route configuration of one name, as Envoy reads it. */
export function routesFor(name: string, scope: Scope, settings: RouteSettings = SETTINGS): RouteConfiguration {
  return decodeResource(RouteConfigurationSchema, routeConfiguration(name, scope, settings));
}

/** Domains by virtual host. */
export function domainsOf(configuration: RouteConfiguration): Record<string, string[]> {
  return Object.fromEntries(configuration.virtualHosts.map((host) => [host.name, host.domains]));
}
