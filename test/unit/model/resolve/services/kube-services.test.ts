import assert from "node:assert/strict";
import { test } from "node:test";
import { findService, meshOf, serviceYaml } from "#test/support/resolve.ts";

const CATALOG = "catalog.shop.svc.cluster.local";

function service(spec: string, annotations = "{}"): string {
  return `
apiVersion: v1
kind: Service
metadata: {name: catalog, namespace: shop, annotations: ${annotations}}
spec: ${spec}
---`;
}

test("a service without cluster IP keeps the original destination, an ExternalName is an alias", () => {
  assert.equal(findService(meshOf(service("{clusterIP: None, ports: [{port: 80}]}")), CATALOG).resolution, "passthrough");
  const alias = findService(meshOf(service("{type: ExternalName, externalName: a.com}")), CATALOG);
  assert.equal(alias.resolution, "alias");
  assert.equal(alias.meshExternal, true);
});

test("the first cluster decides what a service is, each adds its address, and identities join", () => {
  const here = service("{clusterIP: 10.0.0.1, ports: [{name: http, port: 80}]}", "{alpha.istio.io/canonical-serviceaccounts: 'spiffe://a'}");
  const there = service("{clusterIP: 10.9.0.1, ports: [{name: tcp, port: 81}]}", "{alpha.istio.io/kubernetes-serviceaccounts: b}");
  const found = findService(meshOf(here, {}, { west: there }), CATALOG);
  assert.deepEqual(found.clusterAddresses, { Kubernetes: ["10.0.0.1"], west: ["10.9.0.1"] });
  assert.deepEqual(
    found.ports.map(({ number }) => number),
    [80],
  );
  assert.deepEqual(found.serviceAccounts, ["spiffe://a", "spiffe://cluster.local/ns/shop/sa/b"]);
});

test("aliases are known to the service at the end of their chain; loops lead nowhere", () => {
  const name = (from: string, to: string): string => `
apiVersion: v1
kind: Service
metadata: {name: ${from}, namespace: shop}
spec: {type: ExternalName, externalName: ${to}}
---`;
  const end = "a.shop.svc.cluster.local";
  const mesh = meshOf(
    serviceYaml("a") +
      name("b", end) +
      name("c", "b.shop.svc.cluster.local") +
      name("xa", "ya.shop.svc.cluster.local") +
      name("ya", "xa.shop.svc.cluster.local"),
  );
  assert.deepEqual(
    findService(mesh, end).aliases.map(({ host }) => host),
    ["b.shop.svc.cluster.local", "c.shop.svc.cluster.local"],
  );
  assert.deepEqual(findService(mesh, "xa.shop.svc.cluster.local").aliases, []);
});

test("a traffic distribution annotation that is not understood ends the search", () => {
  const of = (spec: string, annotation: string, namespace = "PreferClose") =>
    findService(
      meshOf(
        `${service(spec, annotation)}
apiVersion: v1
kind: Namespace
metadata: {name: shop, annotations: {networking.istio.io/traffic-distribution: ${namespace}}}`,
      ),
      CATALOG,
    ).trafficDistribution;
  assert.equal(of("{trafficDistribution: PreferSameNode}", "{networking.istio.io/traffic-distribution: PreferClose}"), "same-node");
  assert.equal(of("{}", "{networking.istio.io/traffic-distribution: preferclose}"), "same-zone");
  assert.equal(of("{}", "{networking.istio.io/traffic-distribution: bogus}"), "any");
  assert.equal(of("{}", "{}"), "same-zone");
});

test("kube-system stays within a cluster until one of its hosts is released", () => {
  const dns = "dns.kube-system.svc.cluster.local";
  const yaml = `
apiVersion: v1
kind: Service
metadata: {name: dns, namespace: kube-system}
spec: {clusterIP: 10.0.0.10, ports: [{port: 53}]}`;
  const released = { serviceSettings: [{ settings: { clusterLocal: false }, hosts: ["other.kube-system.svc.cluster.local"] }] };
  assert.equal(findService(meshOf(yaml), dns).clusterLocal, true);
  assert.equal(findService(meshOf(yaml, { meshConfig: released }), dns).clusterLocal, false);
});

test("services are in order of age, then name; a Kubernetes object without a timestamp is oldest", () => {
  const mesh = meshOf(`
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: {name: se, namespace: shop}
spec: {hosts: [a.com, b.com], ports: [{number: 80, name: http, protocol: HTTP}], resolution: STATIC, addresses: [240.0.0.2, 240.0.0.1]}
---${serviceYaml("zoo")}${serviceYaml("yak")}`);
  assert.deepEqual(
    mesh.services.map(({ name, defaultAddress }) => `${name} ${defaultAddress}`),
    ["yak 10.96.0.1", "zoo 10.96.0.1", "a.com 240.0.0.2", "a.com 240.0.0.1", "b.com 240.0.0.2", "b.com 240.0.0.1"],
  );
});

test("where namespaces are picked for the mesh, a service is made of its namespace too", () => {
  const home = `
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {mesh: "in"}}
---`;
  const kinds = (meshConfig: unknown): string[] =>
    findService(meshOf(home + service("{clusterIP: 10.0.0.1, ports: [{port: 80}]}"), { meshConfig }), CATALOG).sources.map(({ kind }) => kind);
  assert.deepEqual(kinds({}), ["Service"]);
  assert.deepEqual(kinds({ discoverySelectors: [{ matchLabels: { mesh: "in" } }] }), ["Service", "Namespace"]);
});

test("a service knows the ports of those of its host that it stands for", () => {
  const here = service("{clusterIP: 10.0.0.1, ports: [{name: http, port: 80}]}");
  const there = service("{clusterIP: 10.9.0.1, ports: [{name: http, port: 80}, {name: tcp, port: 81}]}");
  assert.deepEqual(findService(meshOf(here, {}, { west: there }), CATALOG).hiddenPorts, [81]);
  assert.equal(findService(meshOf(there, {}, { west: here }), CATALOG).hiddenPorts, undefined);
});
