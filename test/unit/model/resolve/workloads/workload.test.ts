import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import { resolveScope } from "#core/model/resolve/scope/scope.ts";
import { resolveDirectory } from "#core/model/resolve/workloads/directory.ts";
import { resolveWorkload } from "#core/model/resolve/workloads/workload.ts";
import type { WorkloadClient } from "#core/model/resolve/workloads/workload-client.ts";
import { meshOf, podYaml, serviceYaml } from "#test/support/resolve.ts";

const CONTAINER_PORTS = [{ name: "web", containerPort: 8080, protocol: "TCP" }];

function targets(mesh: ResolvedMesh, fields: Partial<WorkloadClient> = {}): readonly string[] {
  const client: WorkloadClient = {
    namespace: "shop",
    cluster: "Kubernetes",
    serviceLabels: { app: "web" },
    policyLabels: {},
    containerPorts: CONTAINER_PORTS,
    registered: "pod",
    targets: [],
    ...fields,
  };
  const scope = resolveScope(mesh, { namespace: "shop", labels: {} });
  return resolveWorkload(mesh, client, scope).targets.map(({ service, port, targetPort }) => `${service.name}:${port.number} ${targetPort}`);
}

function service(name: string, ports: string, more = ""): string {
  return `
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop${more}}
spec: {clusterIP: 10.96.0.1, selector: {app: web}, ports: [${ports}]}
---`;
}

test("a workload serves the ports of every Service that selects it, the oldest first, then by host", () => {
  const port = "{name: http, port: 80, targetPort: 8080, protocol: TCP}";
  const young = ", creationTimestamp: '2026-01-02T00:00:00Z'";
  assert.deepEqual(targets(meshOf(service("a", port, young) + service("c", port) + service("c-b", port))), ["c-b:80 8080", "c:80 8080", "a:80 8080"]);
});

test("of several ports of a Service with one target and protocol the first counts", () => {
  const ports =
    "{name: http, port: 80, targetPort: 8080, protocol: TCP}, {name: http-b, port: 81, targetPort: web, protocol: TCP}, {name: tcp, port: 82, targetPort: 8080, protocol: TCP}";
  assert.deepEqual(targets(meshOf(service("a", ports))), ["a:80 8080", "a:82 8080"]);
});

test("a name that a Pod's containers don't have takes away that port, but for an unknown Pod everything", () => {
  const ports = "{name: http, port: 80, targetPort: 8080, protocol: TCP}, {name: tcp, port: 81, targetPort: gone, protocol: TCP}";
  assert.deepEqual(targets(meshOf(service("a", ports))), ["a:80 8080"]);
  assert.deepEqual(targets(meshOf(service("a", ports)), { registered: "none" }), []);
  assert.deepEqual(targets(meshOf(service("a", ports)), { registered: "none", containerPorts: [] }), ["a:80 8080", "a:81 0"]);
});

test("a virtual machine serves what its WorkloadEntry is selected by, UDP ports apart", () => {
  const entry = `
apiVersion: networking.istio.io/v1
kind: WorkloadEntry
metadata: {name: vm, namespace: shop}
spec: {address: 10.9.0.1, labels: {app: web}, ports: {http: 9000}}
---`;
  const ports = "{name: http, port: 80, targetPort: 8080, protocol: TCP}, {name: udp, port: 81, targetPort: 81, protocol: UDP}";
  assert.deepEqual(targets(meshOf(service("a", ports) + entry), { registered: "workload-entry", workloadEntry: "shop/vm" }), ["a:80 9000"]);
});

test("a Pod that no Service selects serves those whose slices list its address", () => {
  const slices = serviceYaml("manual", [["web-1", "10.1.0.1"]]).replace("selector: {app: manual}, ", "");
  const mesh = meshOf(podYaml("web-1", "10.1.0.1", { app: "web" }) + slices);
  const pod = resolveDirectory(mesh).byName("Kubernetes", "web-1", "shop");
  assert.deepEqual(pod?.kind === "pod" && pod.sliceTargets, [
    { registry: "Kubernetes", service: "shop/manual.shop.svc.cluster.local", port: 80, targetPort: 8080 },
  ]);
  assert.deepEqual(targets(mesh, { targets: pod?.kind === "pod" ? pod.sliceTargets : [] }), ["manual:80 8080"]);
  const selected = resolveDirectory(meshOf(podYaml("web-1", "10.1.0.1", { app: "web" }) + slices + service("a", "{port: 80}")));
  assert.deepEqual(selected.entries[0]?.kind === "pod" && selected.entries[0].sliceTargets, []);
});

test("what ServiceEntries say of an address is found by namespace, with the labels of the endpoint", () => {
  const mesh = meshOf(`
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: {name: se, namespace: shop}
spec:
  hosts: [a.com]
  ports: [{number: 80, name: http, protocol: HTTP, targetPort: 8080}]
  resolution: STATIC
  endpoints: [{address: 10.9.0.1, labels: {app: vm}}]
---`);
  const directory = resolveDirectory(mesh);
  const here = directory.byAddress("Kubernetes", "10.9.0.1");
  const [claim] = here?.kind === "address" ? here.claims : [];
  assert.equal(claim?.namespace, "shop");
  assert.equal(claim?.labels?.app, "vm");
  assert.deepEqual(claim?.targets, [{ registry: "External", service: "shop/a.com", entry: "se", port: 80, targetPort: 8080 }]);
  assert.deepEqual(targets(mesh, { targets: claim?.targets ?? [] }), ["a.com:80 8080"]);
  assert.deepEqual(directory.entries, [here]);
});

test("the ServiceEntry that claims an address gives its services their age, not an older one of the same host", () => {
  const entry = (name: string, hosts: string, day: number, more: string) => `
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: {name: ${name}, namespace: shop, creationTimestamp: '2026-01-0${day}T00:00:00Z'}
spec: {hosts: [${hosts}], ports: [{number: 80, name: http, protocol: HTTP}], ${more}}
---`;
  const old = entry("old", "b.com", 1, "resolution: NONE");
  const mesh = meshOf(old + entry("se", "a.com, b.com", 2, "resolution: STATIC, endpoints: [{address: 10.9.0.1}]"));
  const here = resolveDirectory(mesh).byAddress("Kubernetes", "10.9.0.1");
  const claims = here?.kind === "address" ? here.claims : [];
  assert.deepEqual(targets(mesh, { targets: claims.flatMap((claim) => claim.targets) }), ["a.com:80 80", "b.com:80 80"]);
});
