import { expandHost } from "#core/lib/hostname.ts";
import type { Destination, HTTPMatchRequest, HTTPRoute, TCPRoute, TLSRoute, VirtualService } from "#proto/networking/v1alpha3/virtual_service_pb.js";
import { expandGateway } from "../gateways/gateway-name.ts";

interface Home {
  readonly namespace: string;
  readonly domainSuffix: string;
}

/** Writes hosts and gateways in full, as seen from the object's own namespace (istio `model/virtualservice.go` ResolveVirtualServiceShortnames). */
export function expandNames(spec: VirtualService, home: Home): VirtualService {
  return {
    ...spec,
    hosts: spec.hosts.map((host) => expandHost(host, home.namespace, home.domainSuffix)),
    gateways: spec.gateways.map((gateway) => expandGateway(gateway, home.namespace)),
    http: spec.http.map((route) => expandHttp(route, home)),
    tcp: spec.tcp.map((route) => expandL4(route, home)),
    tls: spec.tls.map((route) => expandL4(route, home)),
  };
}

function expandHttp(route: HTTPRoute, home: Home): HTTPRoute {
  return {
    ...route,
    match: route.match.map((match) => expandMatch(match, home)),
    route: route.route.map((target) => withDestination(target, home)),
    mirror: route.mirror === undefined ? undefined : expandDestination(route.mirror, home),
    mirrors: route.mirrors.map((mirror) => withDestination(mirror, home)),
  };
}

function expandL4<R extends TCPRoute | TLSRoute>(route: R, home: Home): R {
  return {
    ...route,
    match: route.match.map((match) => expandMatch(match, home)),
    route: route.route.map((target) => withDestination(target, home)),
  };
}

function expandMatch<M extends Pick<HTTPMatchRequest, "gateways">>(match: M, home: Home): M {
  return { ...match, gateways: match.gateways.map((gateway) => expandGateway(gateway, home.namespace)) };
}

function withDestination<T extends { destination?: Destination | undefined }>(target: T, home: Home): T {
  return target.destination === undefined ? target : { ...target, destination: expandDestination(target.destination, home) };
}

function expandDestination(destination: Destination, home: Home): Destination {
  return { ...destination, host: expandHost(destination.host, home.namespace, home.domainSuffix) };
}
