import assert from "node:assert/strict";
import { test } from "node:test";
import { endpointsOf, meshOf, NODE_YAML, podYaml, serviceYaml } from "#test/support/resolve.ts";

const CATALOG = "catalog.shop.svc.cluster.local";

function slice(endpoints: string, fields = ""): string {
  return `
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: more, namespace: shop, labels: {kubernetes.io/service-name: catalog}}
addressType: IPv4
endpoints: [${endpoints}]
ports: [{name: http, port: 8080, protocol: TCP}]
${fields}
---`;
}

function addresses(yaml: string): readonly string[] {
  return endpointsOf(meshOf(yaml), CATALOG).map(({ address }) => address);
}

test("an endpoint has what its Pod, the Pod's node and their cluster say", () => {
  const pod = podYaml("catalog-1", "10.1.0.1", { app: "catalog", "security.istio.io/tlsMode": "istio" }, ", subdomain: sub");
  const [endpoint] = endpointsOf(meshOf(NODE_YAML + pod + serviceYaml("catalog", [["catalog-1", "10.1.0.1"]])), CATALOG);
  assert.equal(endpoint?.workload.serviceAccount, "spiffe://cluster.local/ns/shop/sa/catalog");
  assert.equal(endpoint?.workload.locality, "r1/z1/");
  assert.equal(endpoint?.workload.tlsMode, "istio");
  assert.equal(endpoint?.workload.hostName, "catalog-1");
  assert.equal(endpoint?.workload.labels["kubernetes.io/hostname"], "n1");
  assert.deepEqual(
    endpoint?.workload.sources.map(({ kind, name }) => `${kind} ${name}`),
    ["Pod catalog-1", "Node n1"],
  );
});

test("an address whose Pod is named but unknown is left out; one that names no Pod stays, and borrows the Pod with its address in its namespace", () => {
  const pod = podYaml("catalog-1", "10.1.0.1", { app: "catalog" });
  const more = slice(
    "{addresses: [10.1.0.1]}, {addresses: [10.9.0.1]}, {addresses: [10.9.0.2], targetRef: {kind: Pod, name: gone, namespace: shop}}",
  );
  const endpoints = endpointsOf(meshOf(pod + serviceYaml("catalog") + more), CATALOG);
  assert.deepEqual(
    endpoints.map(({ address, workload }) => `${address} ${workload.workloadName} ${workload.namespace}`),
    ["10.1.0.1 catalog-1 shop", "10.9.0.1  "],
  );
});

test("of two endpoints with one address and port name the first slice's stays", () => {
  const pod = podYaml("catalog-1", "10.1.0.1", { app: "catalog" });
  assert.deepEqual(addresses(pod + serviceYaml("catalog", [["catalog-1", "10.1.0.1"]]) + slice("{addresses: [10.1.0.1]}, {addresses: [10.9.0.1]}")), [
    "10.1.0.1",
    "10.9.0.1",
  ]);
});

test("slices of host names, and of services of other clusters' making, give nothing", () => {
  assert.deepEqual(addresses(serviceYaml("catalog") + slice("{addresses: [a.com]}").replace("IPv4", "FQDN")), []);
  const exported = slice("{addresses: [10.9.0.1]}").replace("labels: {", "labels: {multicluster.kubernetes.io/service-name: catalog, ");
  assert.deepEqual(addresses(serviceYaml("catalog") + exported), []);
});

test("an endpoint that isn't ready is terminating unless it says it is not, or draining where sessions stick", () => {
  const of = (conditions: string, labels = "{}") => {
    const service = serviceYaml("catalog").replace("name: catalog, namespace: shop}", `name: catalog, namespace: shop, labels: ${labels}}`);
    return endpointsOf(meshOf(service + slice(`{addresses: [10.9.0.1], conditions: ${conditions}}`)), CATALOG)[0]?.health;
  };
  assert.equal(of("{}"), "healthy");
  assert.equal(of("{ready: false}"), "terminating");
  assert.equal(of("{ready: false, terminating: false}"), "unhealthy");
  assert.equal(of("{ready: false}", "{istio.io/persistent-session: cookie}"), "draining");
  assert.equal(of("{ready: false, serving: false}", "{istio.io/persistent-session-header: x}"), "terminating");
  assert.equal(of("{ready: false, terminating: false}", "{istio.io/persistent-session: cookie}"), "unhealthy");
});

test("a Service that balances itself takes WorkloadEntries that it selects, by their own port map", () => {
  const entry = (name: string, ports: string) => `
apiVersion: networking.istio.io/v1
kind: WorkloadEntry
metadata: {name: ${name}, namespace: shop}
spec: {address: 10.9.0.${name.length}, labels: {app: catalog}, ports: ${ports}}
---`;
  const ports = (port: string) =>
    endpointsOf(
      meshOf(
        `${serviceYaml("catalog").replace("targetPort: 8080", `targetPort: ${port}`)}${entry("a", "{http: 9000}")}${entry("bb", "{web: 9100}")}`,
      ),
      CATALOG,
    ).map(({ port }) => port.number);
  assert.deepEqual(ports("8080"), [9000, 8080]);
  assert.deepEqual(ports("web"), [9100]);
});

function entry(spec: string, name = "se"): string {
  return `
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: {name: ${name}, namespace: shop}
spec: {hosts: [a.com], ports: [{number: 80, name: http, protocol: HTTP, targetPort: 8080}], ${spec}}
---`;
}

function ofHost(yaml: string): readonly string[] {
  return endpointsOf(meshOf(yaml), "a.com").map(({ address, port }) => `${address}:${port.number}`);
}

test("a port of an entry's endpoint is its own by name, else the target port, else the number; a socket has none", () => {
  assert.deepEqual(ofHost(entry("resolution: STATIC, endpoints: [{address: 10.0.0.1}, {address: 10.0.0.2, ports: {http: 9}}]")), [
    "10.0.0.1:8080",
    "10.0.0.2:9",
  ]);
  assert.deepEqual(ofHost(entry('resolution: STATIC, endpoints: [{address: "unix:///var/a"}]').replace(", targetPort: 8080", "")), ["/var/a:0"]);
});

test("a name without endpoints is its own endpoint", () => {
  assert.deepEqual(ofHost(entry("resolution: DNS")), ["a.com:8080"]);
  assert.deepEqual(ofHost(entry("resolution: STATIC")), []);
});

test("entries of one host join their endpoints, the oldest first; a round-robin one adds none to a taken port", () => {
  const first = entry("resolution: DNS, endpoints: [{address: 10.0.0.1}]", "se-1");
  assert.deepEqual(ofHost(first + entry("resolution: DNS, endpoints: [{address: 10.0.0.2}]", "se-2")), ["10.0.0.1:8080", "10.0.0.2:8080"]);
  assert.deepEqual(ofHost(first + entry("resolution: DNS_ROUND_ROBIN, endpoints: [{address: 10.0.0.2}]", "se-2")), ["10.0.0.1:8080"]);
});

test("an entry repeats its endpoints for each of its addresses", () => {
  assert.deepEqual(ofHost(entry("resolution: STATIC, addresses: [240.0.0.1, 240.0.0.2], endpoints: [{address: 10.0.0.1}]")), [
    "10.0.0.1:8080",
    "10.0.0.1:8080",
  ]);
});

test("an entry selects serving Pods, then WorkloadEntries, of its namespace; host names only where it resolves them", () => {
  const workload = (name: string, address: string) => `
apiVersion: networking.istio.io/v1
kind: WorkloadEntry
metadata: {name: ${name}, namespace: shop}
spec: {address: ${address}, labels: {app: a}}
---`;
  const all = podYaml("web-1", "10.1.0.1", { app: "a" }) + workload("vm-1", "10.9.0.1") + workload("vm-2", "vm.example.com");
  const selector = "workloadSelector: {labels: {app: a}}";
  assert.deepEqual(ofHost(all + entry(`resolution: STATIC, ${selector}`)), ["10.1.0.1:8080", "10.9.0.1:8080"]);
  assert.deepEqual(ofHost(all + entry(`resolution: DNS, ${selector}`)), ["10.1.0.1:8080", "10.9.0.1:8080", "vm.example.com:8080"]);
  assert.deepEqual(ofHost(all.replace('status: "True"', 'status: "False"') + entry(`resolution: STATIC, ${selector}`)), ["10.9.0.1:8080"]);
});

test("a WorkloadEntry that waits for its health check is left out", () => {
  const of = (status: string) =>
    ofHost(`
apiVersion: networking.istio.io/v1
kind: WorkloadEntry
metadata: {name: vm, namespace: shop, annotations: {proxy.istio.io/health-checks-enabled: "true"}}
spec: {address: 10.9.0.1, labels: {app: a}}
${status}
---${entry("resolution: STATIC, workloadSelector: {labels: {app: a}}")}`);
  assert.deepEqual(of(""), []);
  assert.deepEqual(of('status: {conditions: [{type: Healthy, status: "True"}]}'), ["10.9.0.1:8080"]);
});

test("a service account speaks for a sidecar unless a label says otherwise", () => {
  const of = (fields: string) =>
    endpointsOf(meshOf(entry(`resolution: STATIC, endpoints: [{address: 10.0.0.1, ${fields}}]`)), "a.com")[0]?.workload.tlsMode;
  assert.equal(of("serviceAccount: a"), "istio");
  assert.equal(of("weight: 1"), "disabled");
  assert.equal(of("serviceAccount: a, labels: {security.istio.io/tlsMode: disabled}"), "disabled");
});

test("slices without a Service count where another cluster, or a ServiceEntry of their namespace, has its host", () => {
  const orphans = slice("{addresses: [10.1.0.1]}");
  const addresses = (mesh: ReturnType<typeof meshOf>) => endpointsOf(mesh, CATALOG).map(({ address }) => address);
  const west = serviceYaml("catalog") + slice("{addresses: [10.2.0.1]}");
  assert.deepEqual(addresses(meshOf(orphans, {}, { west })), ["10.1.0.1", "10.2.0.1"]);
  const se = (namespace: string) =>
    entry("resolution: STATIC, endpoints: [{address: 10.0.0.1}]").replace("hosts: [a.com]", `hosts: [${CATALOG}]`).replace("shop", namespace);
  assert.deepEqual(addresses(meshOf(se("shop") + orphans)), ["10.0.0.1", "10.1.0.1"]);
  assert.deepEqual(addresses(meshOf(se("media") + orphans)), ["10.0.0.1"]);
});

test("a Service that one cluster hides from everybody brings no endpoints from there", () => {
  const hidden = serviceYaml("catalog").replace("name: catalog,", "name: catalog, annotations: {networking.istio.io/exportTo: '~'},");
  const west = serviceYaml("catalog") + slice("{addresses: [10.2.0.1]}");
  const mesh = meshOf(`${hidden}${slice("{addresses: [10.1.0.1]}")}`, {}, { west });
  assert.deepEqual(
    [...new Set(mesh.services.map(({ host }) => host))].map((host) => endpointsOf(mesh, host).map(({ address }) => address)),
    [["10.2.0.1"]],
  );
});

test("a hidden Service has its endpoints all the same where it selects a WorkloadEntry", () => {
  const hidden = serviceYaml("catalog").replace("name: catalog,", "name: catalog, annotations: {networking.istio.io/exportTo: '~'},");
  const vm = `
apiVersion: networking.istio.io/v1
kind: WorkloadEntry
metadata: {name: vm, namespace: shop}
spec: {address: 10.9.0.1, labels: {app: catalog}}
---`;
  const addresses = endpointsOf(meshOf(hidden + slice("{addresses: [10.1.0.1]}") + vm), CATALOG).map(({ address }) => address);
  assert.deepEqual(addresses.toSorted(), ["10.1.0.1", "10.9.0.1"]);
});

test("ServiceEntries come before the Services of clusters, which are in order of their names", () => {
  const se = entry("resolution: STATIC, endpoints: [{address: 10.0.0.1}]").replace("hosts: [a.com]", `hosts: [${CATALOG}]`);
  const cluster = (address: string) => serviceYaml("catalog") + slice(`{addresses: [${address}]}`);
  const mesh = meshOf(se + cluster("10.1.0.1"), {}, { west: cluster("10.3.0.1"), east: cluster("10.2.0.1") });
  assert.deepEqual(
    endpointsOf(mesh, CATALOG).map(({ address }) => address),
    ["10.0.0.1", "10.1.0.1", "10.2.0.1", "10.3.0.1"],
  );
});
