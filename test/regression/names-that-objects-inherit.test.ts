import assert from "node:assert/strict";
import { it } from "node:test";
import { readNodeMessage } from "#core/node/message.ts";
import { translateNode } from "#core/pipeline/translate.ts";
import { meshOf } from "#test/support/resolve.ts";

const MESH = `
apiVersion: v1
kind: Service
metadata: {name: constructor, namespace: constructor}
spec: {clusterIP: 10.0.0.1, selector: {constructor: valueOf}, ports: [{name: constructor, port: 80, targetPort: constructor}]}
---
apiVersion: networking.istio.io/v1
kind: WorkloadEntry
metadata: {name: vm, namespace: constructor}
spec: {address: 10.0.0.9, labels: {constructor: valueOf}}
---
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: {name: outside, namespace: constructor}
spec: {hosts: [constructor], resolution: STATIC, ports: [{number: 81, name: constructor, protocol: TCP}], endpoints: [{address: 10.0.0.8}]}
---
apiVersion: networking.istio.io/v1
kind: Sidecar
metadata: {name: default, namespace: constructor}
spec: {egress: [{hosts: ["./*"]}]}
---
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: a, namespace: constructor}
spec: {host: constructor, workloadSelector: {matchLabels: {constructor: a}}, subsets: [{name: valueOf, labels: {toString: a}}]}
---
apiVersion: security.istio.io/v1
kind: PeerAuthentication
metadata: {name: default, namespace: constructor}
spec: {selector: {matchLabels: {valueOf: a}}, mtls: {mode: STRICT}}
`;

// Records by namespace, cluster or port were read without asking whether the key is theirs: one Sidecar in a namespace of such a name stopped every build.
it("namespaces, clusters, ports and labels may be named like what every object inherits", () => {
  const mesh = meshOf(MESH);
  for (const cluster of ["Kubernetes", "constructor"]) {
    const node = readNodeMessage({
      id: "sidecar~10.0.0.1~x.constructor~constructor.svc.cluster.local",
      metadata: { NAMESPACE: "constructor", CLUSTER_ID: cluster, ISTIO_VERSION: "1.31.0" },
    });
    assert.ok(!("error" in node));
    const translation = translateNode(mesh, node);
    assert.ok(!("error" in translation));
    assert.ok(translation.answer.clusters?.has("outbound|80||constructor.constructor.svc.cluster.local"));
  }
});
