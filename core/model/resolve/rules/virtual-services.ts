import { equalLists } from "#core/lib/equality.ts";
import { memoize } from "#core/lib/memo.ts";
import { formatObjectKey } from "#core/lib/object-key.ts";
import { present } from "#core/lib/present.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { L4Match, RouteDestination, TcpRoute, TlsRoute, VirtualService } from "#core/model/virtual-service.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type {
  HTTPRoute,
  L4MatchAttributes,
  VirtualService as Message,
  RouteDestination as RouteDestinationMessage,
  TCPRoute,
  TLSMatchAttributes,
  TLSRoute,
} from "#proto/networking/v1alpha3/virtual_service_pb.js";
import { compareAge } from "../age.ts";
import { isVisible, resolveExportTo } from "../export-to.ts";
import { mergeDelegate } from "./delegates.ts";
import { expandNames } from "./expand-virtual-service.ts";
import { destinationOf, httpRouteOf } from "./http-route.ts";

type VirtualServiceObject = SourceObject<"VirtualService">;

/**
 * All VirtualServices that have hosts, oldest first (then by name and namespace), with delegates merged in and names in full
 * (istio `model/virtualservice_controller.go`). A VirtualService without hosts is a delegate and only lives in those that name it.
 */
export function resolveVirtualServices(objects: readonly VirtualServiceObject[], config: MeshConfig): readonly VirtualService[] {
  const delegates = new Map<string, VirtualServiceObject>();
  for (const object of objects) if (object.spec.hosts.length === 0) delegates.set(`${object.key.namespace}/${object.key.name}`, object);
  return objects
    .filter((object) => object.spec.hosts.length > 0)
    .sort(compareAge)
    .map((object) => {
      const used = object.spec.http.map((route) => delegateOf(route, object, delegates));
      return used.every((delegate) => delegate === undefined) ? resolveAlone(object, config) : resolveRoot(object, config, used);
    });
}

const NONE: unique symbol = Symbol("a delegate that doesn't exist");
type Delegate = VirtualServiceObject | typeof NONE | undefined;

/** Undefined: the route has its own destinations. */
function delegateOf(route: HTTPRoute, root: VirtualServiceObject, delegates: ReadonlyMap<string, VirtualServiceObject>): Delegate {
  if (route.delegate === undefined) return undefined;
  return delegates.get(`${route.delegate.namespace || root.key.namespace}/${route.delegate.name}`) ?? NONE;
}

const resolveAlone = memoize((object: VirtualServiceObject, config: MeshConfig): VirtualService => {
  const spec = expanded(object, config);
  return project(object, config, { spec, http: spec.http, delegates: [] });
});

const expanded = memoize((object: VirtualServiceObject, config: MeshConfig): Message => {
  return expandNames(object.spec, { namespace: object.key.namespace, domainSuffix: config.domainSuffix });
});

/** Remembered by root, config and the delegates in order, so that a change elsewhere keeps the value's identity. */
function resolveRoot(object: VirtualServiceObject, config: MeshConfig, used: readonly Delegate[]): VirtualService {
  const known = rootsOf(object, config);
  const last = known.last;
  if (last !== undefined && equalLists(last.used, used)) return last.value;
  const value = mergeRoot(object, config, used);
  known.last = { used, value };
  return value;
}

const rootsOf = memoize(
  (_object: VirtualServiceObject, _config: MeshConfig): { last?: { used: readonly Delegate[]; value: VirtualService } } => ({}),
);

function mergeRoot(object: VirtualServiceObject, config: MeshConfig, used: readonly Delegate[]): VirtualService {
  const spec = expanded(object, config);
  const http = spec.http.flatMap((route, index) => {
    const delegate = used[index];
    if (delegate === undefined) return [route];
    if (delegate === NONE || !isVisible(exportToOf(delegate, config), object.key.namespace)) return [];
    return mergeDelegate(route, expanded(delegate, config).http);
  });
  const delegates = used.filter((delegate): delegate is VirtualServiceObject => delegate !== undefined && delegate !== NONE);
  return project(object, config, { spec, http, delegates });
}

function exportToOf(object: VirtualServiceObject, config: MeshConfig) {
  const { exportTo } = object.spec;
  return resolveExportTo(exportTo.length > 0 ? exportTo : config.defaultVirtualServiceExportTo, object.key.namespace);
}

interface Parts {
  readonly spec: Message;
  readonly http: readonly HTTPRoute[];
  readonly delegates: readonly VirtualServiceObject[];
}

function project(object: VirtualServiceObject, config: MeshConfig, { spec, http, delegates }: Parts): VirtualService {
  const sources = new Map([object, ...delegates].map(({ key }) => [formatObjectKey(key), key]));
  return {
    name: object.key.name,
    namespace: object.key.namespace,
    hosts: spec.hosts,
    gateways: spec.gateways.length > 0 ? spec.gateways : ["mesh"],
    http: http.map(httpRouteOf),
    tls: spec.tls.map(tlsRouteOf),
    tcp: spec.tcp.map(tcpRouteOf),
    exportTo: exportToOf(object, config),
    sources: [...sources.values()],
  };
}

function tlsRouteOf(message: TLSRoute): TlsRoute {
  return { match: message.match.map((match) => ({ ...l4MatchOf(match), sniHosts: match.sniHosts })), route: message.route.map(targetOf) };
}

function tcpRouteOf(message: TCPRoute): TcpRoute {
  return { match: message.match.map(l4MatchOf), route: message.route.map(targetOf) };
}

function l4MatchOf(message: L4MatchAttributes | TLSMatchAttributes): L4Match {
  const { destinationSubnets, port, sourceLabels, gateways, sourceNamespace } = message;
  return { destinationSubnets, port, sourceLabels, gateways, sourceNamespace };
}

function targetOf(message: RouteDestinationMessage): RouteDestination {
  return present({ destination: destinationOf(message.destination), weight: message.weight });
}
