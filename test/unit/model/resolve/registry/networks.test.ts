import assert from "node:assert/strict";
import { test } from "node:test";
import { clusterNetwork, networkOf, networkRanges, readNetworks } from "#core/model/resolve/registry/networks.ts";
import { endpointsOf, meshOf, podYaml, serviceYaml } from "#test/support/resolve.ts";

const NETWORKS = {
  networks: {
    wide: { endpoints: [{ fromCidr: "10.0.0.0/8" }] },
    narrow: { endpoints: [{ fromCidr: "10.1.0.0/16" }] },
    registry: { endpoints: [{ fromRegistry: "west" }], gateways: [{ registryServiceName: "gate.shop.svc.cluster.local", port: 443 }] },
    gated: {
      gateways: [
        { address: "40.0.0.1", port: 15443 },
        { address: "gate.example.com", port: 15443 },
      ],
    },
  },
};

function network(address: string, labels = {}, place = { cluster: "Kubernetes", namespaceLabel: "" }): string {
  return networkOf(address, labels, clusterNetwork(readNetworks(NETWORKS), place));
}

test("a workload's label beats its system namespace, which beats its registry, which beats its address", () => {
  const label = { "topology.istio.io/network": "own" };
  assert.equal(network("10.1.0.1", label, { cluster: "west", namespaceLabel: "home" }), "own");
  assert.equal(network("10.1.0.1", {}, { cluster: "west", namespaceLabel: "home" }), "home");
  assert.equal(network("10.1.0.1", {}, { cluster: "west", namespaceLabel: "" }), "registry");
  assert.equal(network("10.2.0.1"), "wide");
  assert.equal(network("192.168.0.1"), "");
});

test("of ranges that contain an address the widest counts", () => {
  assert.equal(network("10.1.0.1"), "wide");
});

test("what routers take for the inside: ranges and single addresses of all networks, by family, address and length, host bits kept", () => {
  const from = (fromCidr: string) => ({ endpoints: [{ fromCidr }] });
  const networks = readNetworks({
    networks: { a: from("fd00::/8"), b: from("10.1.2.3/16"), c: from("10.0.0.1"), d: from("10.1.2.3/8"), e: from("x") },
  });
  assert.deepEqual(
    networkRanges(networks).map(({ prefix, length }) => `${prefix}/${length}`),
    ["10.0.0.1/32", "10.1.2.3/8", "10.1.2.3/16", "fd00::/8"],
  );
});

test("what is not understood of a networks file is left out", () => {
  assert.deepEqual(readNetworks("nonsense"), []);
  assert.deepEqual(readNetworks({ networks: { a: { endpoints: [{ fromCidr: "x" }, 7], gateways: "x" } } }), [
    { id: "a", registries: [], ranges: [], internal: [], gateways: [] },
  ]);
});

test("the network of the system namespace is that of the cluster's endpoints", () => {
  const namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: istio-system, labels: {topology.istio.io/network: home}}\n---";
  const mesh = meshOf(namespace + podYaml("catalog-1", "10.1.0.1", { app: "catalog" }) + serviceYaml("catalog", [["catalog-1", "10.1.0.1"]]));
  const [endpoint] = endpointsOf(mesh, "catalog.shop.svc.cluster.local");
  assert.equal(endpoint?.workload.network, "home");
  assert.equal(endpoint?.workload.labels["topology.istio.io/network"], "home");
});

function gate(fields: string, labels: string, annotations = "{}"): string {
  return `
apiVersion: v1
kind: Service
metadata: {name: gate, namespace: shop, labels: ${labels}, annotations: ${annotations}}
${fields}
---`;
}

function gatewaysOf(yaml: string, clusters: Record<string, string> = {}): readonly string[] {
  return meshOf(yaml, { networks: NETWORKS }, clusters).networkGateways.map((one) => `${one.network} ${one.cluster} ${one.address}:${one.port}`);
}

const CONFIGURED = ["gated  40.0.0.1:15443", "gated  gate.example.com:15443"];

test("a labelled service is a gateway at its load balancer's addresses, if it has the port", () => {
  const balanced = (port: number) =>
    `spec: {type: LoadBalancer, clusterIP: 10.96.0.9, ports: [{name: tls, port: ${port}}]}\nstatus: {loadBalancer: {ingress: [{ip: 20.0.0.1}]}}`;
  assert.deepEqual(gatewaysOf(gate(balanced(15443), "{topology.istio.io/network: net-n}")), ["net-n Kubernetes 20.0.0.1:15443", ...CONFIGURED]);
  const datagrams = balanced(15443).replace("name: tls", "name: tls, protocol: UDP");
  assert.deepEqual(gatewaysOf(gate(datagrams, "{topology.istio.io/network: net-n}")), CONFIGURED);
  assert.deepEqual(gatewaysOf(gate(balanced(443), "{topology.istio.io/network: net-n}")), CONFIGURED);
  assert.deepEqual(gatewaysOf(gate(balanced(443), "{topology.istio.io/network: net-n, networking.istio.io/gatewayPort: '443'}")), [
    "net-n Kubernetes 20.0.0.1:443",
    ...CONFIGURED,
  ]);
});

test("a NodePort gateway has the external addresses of the nodes that it selects", () => {
  const node = (name: string, address: string, pool: string) => `
apiVersion: v1
kind: Node
metadata: {name: ${name}, labels: {pool: ${pool}}}
status: {addresses: [{type: InternalIP, address: 192.168.0.1}, {type: ExternalIP, address: ${address}}]}
---`;
  const service = gate(
    "spec: {type: NodePort, clusterIP: 10.96.0.9, ports: [{name: tls, port: 15443, nodePort: 30443}]}",
    "{topology.istio.io/network: net-n}",
    `{traffic.istio.io/nodeSelector: '{"pool": "edge"}'}`,
  );
  assert.deepEqual(gatewaysOf(service + node("n1", "34.0.0.1", "edge") + node("n2", "34.0.0.2", "core")), [
    "net-n Kubernetes 34.0.0.1:30443",
    ...CONFIGURED,
  ]);
});

test("a service that the networks file names counts only in member clusters", () => {
  const service = gate("spec: {clusterIP: 10.96.0.9, externalIPs: [22.0.0.1], ports: [{name: tls, port: 443}]}", "{}");
  assert.deepEqual(gatewaysOf(service), CONFIGURED);
  assert.deepEqual(gatewaysOf("", { west: service }), ["registry west 22.0.0.1:443", ...CONFIGURED]);
});

test("a gateway that takes HBONE alone counts, but has no port for mutual TLS", () => {
  const fields = "spec: {clusterIP: 10.96.0.9, externalIPs: [22.0.0.1], ports: [{name: hbone, port: 15008}]}";
  const [gateway] = meshOf(gate(fields, "{topology.istio.io/network: net-n}")).networkGateways;
  assert.deepEqual([gateway?.port, gateway?.hbonePort], [0, 15008]);
});

function resource(className: string, cluster: string): string {
  return `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: ${cluster}, namespace: shop, labels: {topology.istio.io/network: net-n}}
spec:
  gatewayClassName: ${className}
  addresses: [{type: IPAddress, value: 23.0.0.1}, {value: 23.0.0.2}, {type: NamedAddress, value: mine}]
  listeners:
  - {name: a, port: 15443, protocol: TLS, tls: {mode: Passthrough}}
  - {name: b, port: 15444, protocol: TLS, tls: {mode: Passthrough, options: {gateway.istio.io/listener-protocol: auto-passthrough}}}
  - {name: c, port: 15445, protocol: TLS, tls: {mode: Passthrough}}
  - {name: d, port: 15443, protocol: TCP}
---`;
}

test("a Gateway resource leads into its network at its addresses of a type and its AUTO_PASSTHROUGH listeners", () => {
  const here = ["net-n Kubernetes 23.0.0.1:15443", "net-n Kubernetes 23.0.0.1:15444", ...CONFIGURED];
  assert.deepEqual(gatewaysOf(resource("istio", "here")), here);
});

test("only the config cluster tells of gateways where nothing else is known", () => {
  assert.equal(gatewaysOf(resource("istio-remote", "here")).length, 2 + CONFIGURED.length);
  const west = `apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---${resource("istio-remote", "west")}`;
  assert.deepEqual(gatewaysOf("", { west }), CONFIGURED);
});
