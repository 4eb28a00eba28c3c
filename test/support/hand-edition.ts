import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Needs, NO_NEEDS, type ResourceType } from "#core/edition/resource.ts";
import type { Entry, View } from "#core/edition/view.ts";
import { digestOf } from "#core/lib/digest.ts";
import { encode, encodeAny } from "#core/lib/protobuf/encode.ts";
import type { Serving } from "#core/xds/serving.ts";
import { ClusterSchema } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { ClusterLoadAssignmentSchema } from "#proto/envoy/config/endpoint/v3/endpoint_pb.js";
import { ListenerSchema } from "#proto/envoy/config/listener/v3/listener_pb.js";
import { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";
import { HttpConnectionManagerSchema } from "#proto/envoy/extensions/filters/network/http_connection_manager/v3/http_connection_manager_pb.js";

/** One resource made by hand. */
export interface HandMade {
  readonly type: ResourceType;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly needs: Needs;
}

/** An edition's answer to one node, made of real messages. */
export function handServing(generation: number, resources: readonly HandMade[]): Serving {
  const entries = new Map<string, Entry>();
  const bytes = new Map<string, Uint8Array>();
  const names = new Map<ResourceType, string[]>();
  for (const made of resources) {
    const digest = digestOf(made.bytes);
    entries.set(`${made.type}/${made.name}`, { digest, needs: made.needs });
    bytes.set(digest, made.bytes);
    names.set(made.type, [...(names.get(made.type) ?? []), made.name].sort());
  }
  const view: View = {
    generation,
    id: digestOf(
      [...entries]
        .map(([key, { digest }]) => `${key} ${digest}`)
        .sort()
        .join("\n"),
    ),
    names: (type) => names.get(type) ?? [],
    get: (type, name) => entries.get(`${type}/${name}`),
  };
  return {
    view,
    blobs: {
      bytes: (digest) => bytes.get(digest) ?? missing(digest),
    },
  };
}

function missing(digest: string): never {
  throw new Error(`no blob ${digest}`);
}

const ADS = { configSourceSpecifier: { case: "ads", value: {} }, resourceApiVersion: 2 } as const;

/** An EDS cluster. */
export function cluster(
  name: string,
  rest: { readonly altStatName?: string; readonly connectTimeout?: { seconds: bigint; nanos: number } } = {},
): HandMade {
  const message: MessageInitShape<typeof ClusterSchema> = {
    name,
    clusterDiscoveryType: { case: "type", value: 3 },
    edsClusterConfig: { edsConfig: ADS },
    connectTimeout: { seconds: 1n, nanos: 0 },
    ...rest,
  };
  return { type: "clusters", name, bytes: encodeAny(ClusterSchema, message), needs: { ...NO_NEEDS, endpoints: [name] } };
}

/** Where a cluster's endpoints are: ports of 127.0.0.1. */
export function assignment(clusterName: string, ports: readonly number[]): HandMade {
  const lbEndpoints = ports.map((port) => ({
    hostIdentifier: {
      case: "endpoint",
      value: { address: { address: { case: "socketAddress", value: { address: "127.0.0.1", portSpecifier: { case: "portValue", value: port } } } } },
    },
  })) as never;
  const endpoints = [{ locality: { region: "here" }, loadBalancingWeight: 1, lbEndpoints }];
  return { type: "endpoints", name: clusterName, bytes: encodeAny(ClusterLoadAssignmentSchema, { clusterName, endpoints }), needs: NO_NEEDS };
}

/** All of any host goes to one cluster. */
export function route(name: string, to: string, options: { readonly prefix?: string } = {}): HandMade {
  const action = { case: "route", value: { clusterSpecifier: { case: "cluster", value: to } } } as const;
  const virtualHosts = [
    { name: "all", domains: ["*"], routes: [{ match: { pathSpecifier: { case: "prefix", value: options.prefix ?? "/" } }, action }] },
  ] as never;
  return { type: "routes", name, bytes: encodeAny(RouteConfigurationSchema, { name, virtualHosts }), needs: { ...NO_NEEDS, clusters: [to] } };
}

const MANAGER = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";
const ROUTER = "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router";

function managerOf(routeName: string) {
  return {
    statPrefix: "http",
    routeSpecifier: { case: "rds", value: { configSource: ADS, routeConfigName: routeName } },
    httpFilters: [{ name: "envoy.filters.http.router", configType: { case: "typedConfig", value: { typeUrl: ROUTER, value: new Uint8Array() } } }],
  };
}

/** An HTTP listener on a port of 127.0.0.1. */
export function listener(name: string, port: number, routeName: string): HandMade {
  const typedConfig = { typeUrl: MANAGER, value: encode(HttpConnectionManagerSchema, managerOf(routeName) as never) };
  const message = {
    name,
    address: { address: { case: "socketAddress", value: { address: "127.0.0.1", portSpecifier: { case: "portValue", value: port } } } },
    filterChains: [{ filters: [{ name: "http", configType: { case: "typedConfig", value: typedConfig } }] }],
  };
  return { type: "listeners", name, bytes: encodeAny(ListenerSchema, message as never), needs: { ...NO_NEEDS, routes: [routeName] } };
}

/** What a proxyless gRPC client resolves a target by. */
export function apiListener(name: string, routeName: string): HandMade {
  const message = {
    name,
    apiListener: { apiListener: { typeUrl: MANAGER, value: encode(HttpConnectionManagerSchema, managerOf(routeName) as never) } },
  };
  return { type: "listeners", name, bytes: encodeAny(ListenerSchema, message as never), needs: { ...NO_NEEDS, routes: [routeName] } };
}
