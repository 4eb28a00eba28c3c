import assert from "node:assert/strict";
import { test } from "node:test";
import { loadAssignment } from "#core/translate/endpoints.ts";
import type { LbEndpoint } from "#proto/envoy/config/endpoint/v3/endpoint_components_pb.js";
import { assign, endpoint, HERE, serviceEndpoints, specOf } from "./support.ts";

const HBONE = { "networking.istio.io/tunnel": "other,http" };
const AVOIDING = { ...HERE, avoidsTunnels: true } as const;

/** Where endpoints are reached: `address`, or `listener>endpoint`. */
function reached(lbEndpoint: LbEndpoint): string {
  const { hostIdentifier } = lbEndpoint;
  const address = hostIdentifier.case === "endpoint" ? hostIdentifier.value.address?.address : undefined;
  if (address?.case === "socketAddress") return address.value.address;
  return address?.case === "envoyInternalAddress" ? `${address.value.addressNameSpecifier.value}>${address.value.endpointId}` : "";
}

test("an endpoint that takes HBONE and no mutual TLS is reached through a tunnel, and so is every waypoint", () => {
  const endpoints = [
    endpoint("10.0.0.1", { tlsMode: "disabled", labels: HBONE }),
    endpoint("10.0.0.2", { labels: HBONE }),
    endpoint("fd00::3", { tlsMode: "disabled", labels: { "gateway.istio.io/managed": "istio.io-mesh-controller" } }),
    endpoint("10.0.0.4", { tlsMode: "disabled", labels: { "networking.istio.io/tunnel": "other" } }),
  ];
  const [group] = assign(specOf(), endpoints).endpoints;
  assert.deepEqual(group?.lbEndpoints.map(reached), ["connect_originate>10.0.0.1:8080", "10.0.0.2", "connect_originate>[fd00::3]:8080", "10.0.0.4"]);
  assert.deepEqual(group?.lbEndpoints[0]?.metadata?.filterMetadata, {
    "envoy.filters.listener.original_dst": { local: "10.0.0.1:8080" },
    "envoy.transport_socket_match": { tunnel: "http" },
    istio: { workload: "web;shop;web;;Kubernetes" },
  });
});

test("a client without tunnels reaches such an endpoint at its address", () => {
  const [group] = assign(specOf(), [endpoint("10.0.0.1", { tlsMode: "disabled", labels: HBONE })], AVOIDING).endpoints;
  assert.deepEqual(group?.lbEndpoints.map(reached), ["10.0.0.1"]);
});

test("where nothing is behind a tunnel, those who avoid them share the assignment of all others", () => {
  const endpoints = serviceEndpoints([endpoint("10.0.0.1")]);
  const spec = specOf();
  const networkGateways = [] as const;
  assert.equal(
    loadAssignment(spec, endpoints, { vantage: AVOIDING, networkGateways }),
    loadAssignment(spec, endpoints, { vantage: HERE, networkGateways }),
  );
});
