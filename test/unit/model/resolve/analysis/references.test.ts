import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { analysisOf, found } from "./support.ts";

const REVIEWS = `
apiVersion: v1
kind: Service
metadata: {name: reviews, namespace: shop}
spec: {ports: [{name: http, port: 80}]}
`;

const route = (destination: string, more = "") => `
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: front, namespace: shop}
spec: {hosts: [front.example.com], http: [{route: [{destination: ${destination}}]}]${more}}
`;

describe("hosts of destinations", () => {
  const at = "VirtualService shop/front spec.http[0].route[0].destination.host";

  test("must be those of a Service, or of a ServiceEntry, in short or in full", () => {
    assert.deepEqual(found(`${REVIEWS}---${route("{host: reviews}")}`), []);
    assert.deepEqual(found(`${REVIEWS}---${route("{host: reviews.shop.svc.cluster.local}")}`), []);
    assert.deepEqual(found(`${REVIEWS}---${route("{host: reviews.shop}")}`), [`IST0101 error ${at}`]);
    assert.deepEqual(found(route("{host: ratings}")), [`IST0101 error ${at}`]);
  });

  test("may fall under a wildcard that the namespace sees", () => {
    const entry = (exportTo: string) => `
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: {name: all, namespace: other}
spec: {hosts: ["*.example.org"], ports: [{name: https, number: 443, protocol: TLS}], resolution: NONE, exportTo: ["${exportTo}"]}
`;
    assert.deepEqual(found(`${entry("*")}---${route("{host: api.example.org}")}`), []);
    assert.deepEqual(found(`${entry(".")}---${route("{host: api.example.org}")}`), [`IST0101 error ${at}`]);
  });

  test("must be visible to those whom the VirtualService is for", () => {
    const hidden = REVIEWS.replace("namespace: shop}", 'namespace: shop, annotations: {networking.istio.io/exportTo: "."}}');
    assert.deepEqual(found(`${hidden}---${route("{host: reviews}")}`), []);
    assert.deepEqual(found(`${hidden}---${route("{host: reviews}", ', exportTo: ["*"]')}`), [`IST0101 error ${at}`]);
  });

  test("must have the port that is named, and need one named if there are several", () => {
    const two = REVIEWS.replace("port: 80}", "port: 80}, {name: grpc, port: 90}");
    assert.deepEqual(found(`${REVIEWS}---${route("{host: reviews, port: {number: 81}}")}`), [`IST0101 error ${at}`]);
    assert.deepEqual(found(`${two}---${route("{host: reviews}")}`), [`IST0112 error ${at}`]);
    assert.deepEqual(found(`${two}---${route("{host: reviews, port: {number: 90}}")}`), []);
  });

  test("are looked at in mirrors too", () => {
    const mirrored = (mirror: string) => `${REVIEWS}---${route("{host: reviews}").replace("}}]}]", `}}], ${mirror}}]`)}`;
    assert.deepEqual(found(mirrored("mirror: {host: a}")), ["IST0101 error VirtualService shop/front spec.http[0].mirror.host"]);
    assert.deepEqual(found(mirrored("mirrors: [{destination: {host: b}}]")), [
      "IST0101 error VirtualService shop/front spec.http[0].mirrors[0].destination.host",
    ]);
  });

  test("of other clusters are known as well", () => {
    assert.deepEqual(found(route("{host: reviews}"), { clusters: { far: REVIEWS } }), []);
  });
});

describe("subsets of destinations", () => {
  const rule = (host: string) => `
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: rule, namespace: elsewhere}
spec: {host: "${host}", subsets: [{name: v1, labels: {version: v1}}]}
`;
  const subset = `${REVIEWS}---${route("{host: reviews, subset: v1}")}`;

  test("must be defined by a rule for the host, or for a wildcard", () => {
    assert.deepEqual(found(`${subset}---${rule("reviews.shop.svc.cluster.local")}`), []);
    assert.deepEqual(found(`${subset}---${rule("*.shop.svc.cluster.local")}`), []);
    assert.deepEqual(found(subset), ["IST0101 error VirtualService shop/front spec.http[0].route[0].destination.host"]);
  });
});

test("a delegate must be there, and have no hosts", () => {
  const root = `
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: front, namespace: shop}
spec: {hosts: [front.example.com], http: [{delegate: {name: leaf, namespace: other}}]}
`;
  const leaf = (hosts: string) => `
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: leaf, namespace: other}
spec: {${hosts}http: [{directResponse: {status: 200}}]}
`;
  const dropped = ["IST0101 warning VirtualService shop/front spec.http[0].delegate.name"];
  assert.deepEqual(found(`${root}---${leaf("")}`), []);
  assert.deepEqual(found(root), dropped);
  assert.deepEqual(found(`${root}---${leaf("hosts: [leaf.example.com], ")}`), dropped);
});

describe("gateways of VirtualServices", () => {
  const gateway = (hosts: string) => `
apiVersion: networking.istio.io/v1
kind: Gateway
metadata: {name: public, namespace: edge}
spec: {selector: {istio: ingressgateway}, servers: [{port: {number: 80, name: http, protocol: HTTP}, hosts: ${hosts}}]}
`;
  const bound = (name: string) => `${REVIEWS}---${route("{host: reviews}", `, gateways: [mesh, ${name}]`)}`;
  const lost = "IST0101 error VirtualService shop/front spec.gateways[1]";
  const unserved = "IST0132 warning VirtualService shop/front spec.gateways[1]";

  test("must exist and take one of the hosts from the namespace", () => {
    assert.deepEqual(found(`${bound("edge/public")}---${gateway('["*.example.com"]')}`), []);
    assert.deepEqual(found(`${bound("public.edge.svc.cluster.local")}---${gateway('["shop/*"]')}`), []);
    assert.deepEqual(found(bound("edge/public")), [lost, unserved]);
    assert.deepEqual(found(`${bound("public")}---${gateway('["*"]')}`), [lost, unserved]);
    assert.deepEqual(found(`${bound("edge/public")}---${gateway('["*.example.org"]')}`), [unserved]);
    assert.deepEqual(found(`${bound("edge/public")}---${gateway('["./*"]')}`), [unserved]);
  });
});

test("a message names the object, its place and what to do", () => {
  const [one] = analysisOf(route("{host: ratings}")).diagnostics;
  assert.deepEqual(one, {
    severity: "error",
    code: "IST0101",
    check: "analysis",
    refused: false,
    key: { cluster: "Kubernetes", kind: "VirtualService", namespace: "shop", name: "front" },
    field: "spec.http[0].route[0].destination.host",
    message: 'sends to "ratings", which no Service or ServiceEntry that it can see has: requests end with 503; write the host of one',
  });
});

describe("what nobody can or wants to change", () => {
  test("is left out where an annotation says so", () => {
    const suppressed = (codes: string) =>
      route("{host: ratings}").replace("namespace: shop}", `namespace: shop, annotations: {galley.istio.io/analyze-suppress: "${codes}"}}`);
    assert.deepEqual(found(suppressed("IST0101,IST0132")), []);
    assert.deepEqual(found(suppressed("*")), []);
    assert.equal(found(suppressed("IST0112")).length, 1);
  });

  test("is left out in Kubernetes' own namespaces", () => {
    assert.deepEqual(found(route("{host: ratings}").replace("namespace: shop", "namespace: kube-system")), []);
  });
});
