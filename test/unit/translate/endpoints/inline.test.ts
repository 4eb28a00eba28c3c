import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { encodeAssignment } from "#core/envoy/endpoint.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { NetworkGateway } from "#core/model/endpoint.ts";
import { resolveMeshConfig } from "#core/model/resolve/config/mesh-config.ts";
import { type ClusterForm, inlineAssignment, inlineSpec } from "#core/translate/endpoints/inline.ts";
import { endpointSettings } from "#core/translate/endpoints/specs.ts";
import { ClusterLoadAssignmentSchema } from "#proto/envoy/config/endpoint/v3/endpoint_pb.js";
import { destinationRule, httpPort, service } from "#test/support/scope.ts";
import { addressesOf, endpoint, HERE, HOST, serviceEndpoints } from "./support.ts";

const DNS = service(HOST, { registry: "External", resolution: "dns" });
const VIEW = { vantage: HERE, networkGateways: [] };

function specFor(subset: string, form: ClusterForm = "outbound", rule?: DestinationRule, meshConfig: unknown = {}) {
  const { config } = resolveMeshConfig(meshConfig);
  return inlineSpec(
    { service: DNS, port: httpPort(80), rule, ruleSources: [], subset },
    form,
    endpointSettings(config, false),
    config.defaultTrafficPolicy,
  );
}

test("a DNS cluster embeds endpoints by port number, host names too", () => {
  const endpoints = [endpoint("a.example.com", { servicePort: 80 }), endpoint("b.example.com", { servicePort: 81 })];
  const assignment = inlineAssignment(specFor(""), serviceEndpoints(endpoints), VIEW);
  assert.deepEqual(
    assignment?.groups.map(({ endpoints: members }) => members.length),
    [1],
  );
});

test("without an endpoint there is nothing to embed", () => {
  assert.equal(inlineAssignment(specFor(""), serviceEndpoints([]), VIEW), undefined);
  assert.equal(inlineAssignment(specFor(""), undefined, VIEW), undefined);
});

test("failover by labels only counts in the whole service's own cluster", () => {
  const rule = destinationRule(HOST, { subsets: [{ name: "a", labels: {} }] });
  assert.equal(specFor("", "outbound", rule).ranksByLabels, true);
  assert.equal(specFor("a", "outbound", rule).ranksByLabels, false);
  assert.equal(specFor("", "server-name", rule).ranksByLabels, false);
});

test("the cluster that AUTO_PASSTHROUGH servers route to has its own name, and endpoints with mutual TLS only", () => {
  const { cluster, mtlsOnly } = specFor("", "server-name");
  assert.deepEqual([cluster, mtlsOnly], [`outbound_.80_._.${HOST}`, true]);
});

test("the mesh's default policy counts as outlier detection, unlike in discovery", () => {
  const meshConfig = { localityLbSetting: {}, defaultTrafficPolicy: { outlierDetection: { consecutive5xxErrors: 3 } } };
  assert.deepEqual(specFor("", "outbound", undefined, meshConfig).locality, {
    kind: "locality",
    setting: { distribute: [], failover: [], failoverPriority: [] },
    failover: true,
  });
});

test("gateways are known to DNS clusters by their names, and only where none has an address", () => {
  const far = serviceEndpoints([endpoint("a.example.com", { servicePort: 80, network: "b" })]);
  const vantage = { ...HERE, network: "a", families: "dual" } as const;
  const gateway = (address: string): NetworkGateway => ({
    network: "b",
    cluster: "c2",
    address,
    port: 15443,
    hbonePort: 0,
    account: "",
    sources: [],
  });
  const addresses = (...gateways: readonly string[]): readonly string[] => {
    const assignment = inlineAssignment(specFor(""), far, { vantage, networkGateways: gateways.map(gateway) });
    const message = fromBinary(ClusterLoadAssignmentSchema, fromBinary(AnySchema, encodeAssignment("c", assignment?.groups ?? [])).value);
    return addressesOf(message);
  };
  assert.deepEqual(addresses("gate.example.com"), ["gate.example.com"]);
  assert.deepEqual(addresses("gate.example.com", "20.0.0.1"), ["a.example.com"]);
});
