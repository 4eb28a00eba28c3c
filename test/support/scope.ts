import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { EgressListener, Scope, ScopedService } from "#core/model/scope.ts";
import type { Service, ServicePort } from "#core/model/service.ts";
import type { HttpMatch, HttpRoute, VirtualService } from "#core/model/virtual-service.ts";

/** Small model values for tests of translation: what a test does not say is as plain as it can be. */

export function service(host: string, fields: Partial<Service> = {}): Service {
  const [name = host, namespace = "shop"] = host.split(".");
  return {
    host,
    name,
    namespace,
    registry: "Kubernetes",
    resolution: "client-side",
    meshExternal: false,
    ports: [httpPort(80)],
    defaultAddress: "0.0.0.0",
    clusterAddresses: {},
    autoAddresses: {},
    exportTo: { kind: "public" },
    labels: {},
    selector: {},
    serviceAccounts: [],
    trafficDistribution: "any",
    nodeLocal: false,
    publishNotReadyAddresses: false,
    clusterLocal: false,
    raceConnect: false,
    aliases: [],
    objectName: name,
    sources: [{ cluster: "Kubernetes", kind: "Service", namespace, name }],
    ...fields,
  };
}

export function httpPort(number: number, fields: Partial<ServicePort> = {}): ServicePort {
  return { name: `http-${number}`, number, protocol: "HTTP", ...fields };
}

export function scoped(of: Service, rule?: DestinationRule): ScopedService {
  return {
    service: of,
    ...(rule === undefined ? {} : { rule }),
    ruleSources: rule?.sources ?? [],
    mtlsMode: "PERMISSIVE",
    mtlsSources: [],
    importedBy: [],
    derived: { identities: [], sources: [], ports: {} },
  };
}

/** A default scope: one egress listener with everything. */
export function scopeOf(
  services: readonly ScopedService[],
  virtualServices: readonly VirtualService[] = [],
  fields: Partial<EgressListener> = {},
): Scope {
  const listener: EgressListener = { bind: "", captureMode: "DEFAULT", services, virtualServices, ...fields };
  return { namespace: "shop", egress: [listener], services, outboundPolicy: { mode: "ALLOW_ANY" } };
}

export function virtualService(hosts: readonly string[], http: readonly HttpRoute[], fields: Partial<VirtualService> = {}): VirtualService {
  const name = fields.name ?? "rules";
  return {
    name,
    namespace: "shop",
    hosts,
    gateways: ["mesh"],
    http,
    tls: [],
    tcp: [],
    exportTo: { kind: "public" },
    sources: [{ cluster: "Kubernetes", kind: "VirtualService", namespace: "shop", name }],
    ...fields,
  };
}

export function httpRule(fields: Partial<HttpRoute> = {}): HttpRoute {
  return { name: "", match: [], route: [], mirrors: [], ...fields };
}

/** A rule that sends everything that fits to one host. */
export function ruleTo(host: string, fields: Partial<HttpRoute> = {}): HttpRoute {
  return httpRule({ route: [{ destination: { host, subset: "", port: 0 }, weight: 0 }], ...fields });
}

export function httpMatch(fields: Partial<HttpMatch> = {}): HttpMatch {
  return {
    name: "",
    headers: {},
    withoutHeaders: {},
    queryParams: {},
    ignoreUriCase: false,
    port: 0,
    sourceLabels: {},
    sourceNamespace: "",
    gateways: [],
    statPrefix: "",
    ...fields,
  };
}

export function destinationRule(host: string, fields: Partial<DestinationRule> = {}): DestinationRule {
  return { name: "rule", namespace: "shop", host, subsets: [], exportTo: [], sources: [], ...fields };
}
