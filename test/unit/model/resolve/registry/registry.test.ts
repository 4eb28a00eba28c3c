import assert from "node:assert/strict";
import { test } from "node:test";
import { findPod, slicingServices } from "#core/model/resolve/registry/registry.ts";
import { meshOf } from "#test/support/resolve.ts";

function pod(namespace: string, name: string, ip: string): string {
  return `
apiVersion: v1
kind: Pod
metadata: {namespace: ${namespace}, name: ${name}}
spec: {}
status: {phase: Running, podIP: ${ip}, conditions: [{type: Ready, status: "True"}]}
---`;
}

function slice(namespace: string, service: string, endpoint: string): string {
  return `
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {namespace: ${namespace}, name: ${service}-1, labels: {kubernetes.io/service-name: ${service}}}
addressType: IPv4
endpoints: [${endpoint}]
ports: [{name: http, port: 80}]
---`;
}

const named = (namespace: string, name: string): string => `{addresses: [10.0.0.1], targetRef: {kind: Pod, namespace: ${namespace}, name: ${name}}}`;

const [registry] = meshOf(
  pod("a", "web-0", "10.0.0.1") +
    pod("a", "web-10", "10.0.0.2") +
    pod("b", "web-0", "10.0.0.3") +
    slice("a", "near", named("a", "web-0")) +
    slice("b", "far", named("a", "web-0")) +
    slice("b", "own", named("b", "web-0")) +
    slice("b", "plain", "{addresses: [10.0.0.3]}"),
).registries.clusters;

test("a Pod is found by namespace and name", () => {
  assert.ok(registry);
  const found = (namespace: string, name: string) => findPod(registry, namespace, name)?.spec.podIP;
  assert.deepEqual(
    [found("a", "web-0"), found("a", "web-10"), found("b", "web-0"), found("b", "web-10"), found("c", "web-0")],
    ["10.0.0.1", "10.0.0.2", "10.0.0.3", undefined, undefined],
  );
});

test("slices refer to a Pod of their namespace by name or address, to one of another by name; Pods of one name are told apart", () => {
  assert.ok(registry);
  const slicing = (namespace: string, name: string) => {
    const pod = findPod(registry, namespace, name);
    return pod && [...slicingServices(registry, pod)].sort();
  };
  assert.deepEqual(slicing("a", "web-0"), ["a/near", "b/far"]);
  assert.deepEqual(slicing("b", "web-0"), ["b/own", "b/plain"]);
  assert.deepEqual(slicing("a", "web-10"), []);
});
