import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveRouterScope, resolveScope, selectSidecar } from "#core/model/resolve/scope/scope.ts";
import type { Scope } from "#core/model/scope.ts";
import { meshOf } from "#test/support/resolve.ts";

function object(kind: string, name: string, spec: string, group = "networking.istio.io/v1"): string {
  const [namespace = "", own = ""] = name.split("/");
  return `{apiVersion: ${group}, kind: ${kind}, metadata: {name: ${own}, namespace: ${namespace}}, spec: {${spec}}}\n---\n`;
}

/** A Service with ports 80 and 90; `exportTo` as its annotation. */
function kube(name: string, exportTo = ""): string {
  const [namespace = "", own = ""] = name.split("/");
  const annotations = exportTo === "" ? "" : `, annotations: {networking.istio.io/exportTo: "${exportTo}"}`;
  const ports = "ports: [{name: http-a, port: 80, protocol: TCP, targetPort: 80}, {name: http-b, port: 90, protocol: TCP, targetPort: 90}]";
  return `{apiVersion: v1, kind: Service, metadata: {name: ${own}, namespace: ${namespace}${annotations}}, spec: {clusterIP: 10.0.0.1, ${ports}}}\n---\n`;
}

function entry(name: string, hosts: string, more = ""): string {
  return object("ServiceEntry", name, `hosts: [${hosts}], resolution: STATIC, ports: [{number: 80, name: http, protocol: HTTP}]${more}`);
}

interface Client {
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

function scopeFor(yaml: string, { namespace = "shop", labels = {} }: Client = {}): Scope {
  const mesh = meshOf(yaml);
  const sidecar = selectSidecar(mesh, namespace, labels);
  return resolveScope(mesh, { namespace, labels, ...(sidecar && { sidecar }) });
}

function seen(scope: Pick<Scope, "services">): readonly string[] {
  return scope.services.map(({ service }) => `${service.namespace}/${service.name}:${service.ports.map((port) => port.number).join("+")}`);
}

const SERVICES = kube("shop/web") + kube("books/api") + kube("infra/log");
const LONG = (name: string, namespace: string) => `${name}.${namespace}.svc.cluster.local`;

test("without a Sidecar everything visible is seen: what is exported by name first, then what is public", () => {
  const yaml = SERVICES + kube("infra/aaa", "shop") + kube("infra/hidden", "~") + kube("infra/own", ".");
  assert.deepEqual(seen(scopeFor(yaml)), ["infra/aaa:80+90", "books/api:80+90", "infra/log:80+90", "shop/web:80+90"]);
});

test("of one host one namespace is seen: the client's, else one with a Kubernetes Service, else the oldest", () => {
  const yaml = entry("books/old", "a.com") + entry("shop/young", "a.com");
  assert.deepEqual(seen(scopeFor(yaml)), ["shop/a.com:80"]);
  assert.deepEqual(seen(scopeFor(yaml, { namespace: "infra" })), ["books/a.com:80"]);
  const squatted = entry("shop/squatter", LONG("api", "books")) + kube("books/api");
  assert.deepEqual(seen(scopeFor(squatted, { namespace: "infra" })), ["books/api:80+90"]);
  assert.deepEqual(seen(scopeFor(squatted)), [`shop/${LONG("api", "books")}:80`]);
});

const sidecar = (hosts: string, more = "") => object("Sidecar", "shop/only", `egress: [{hosts: [${hosts}]${more}}]`);

test("egress hosts import by namespace and name; . is the client's namespace", () => {
  assert.deepEqual(seen(scopeFor(SERVICES + sidecar('"./*"'))), ["shop/web:80+90"]);
  assert.deepEqual(seen(scopeFor(SERVICES + sidecar(`books/${LONG("api", "books")}`))), ["books/api:80+90"]);
  assert.deepEqual(seen(scopeFor(SERVICES + sidecar(`"*/*.infra.svc.cluster.local"`))), ["infra/log:80+90"]);
  assert.deepEqual(seen(scopeFor(SERVICES + sidecar(`infra/${LONG("api", "books")}`))), []);
});

test("~ leaves out again, in one namespace or everywhere", () => {
  assert.deepEqual(seen(scopeFor(SERVICES + sidecar('"*/*", "~books/*"'))), ["infra/log:80+90", "shop/web:80+90"]);
  assert.deepEqual(seen(scopeFor(SERVICES + sidecar(`"*/*", "~*/${LONG("web", "shop")}"`))), ["books/api:80+90", "infra/log:80+90"]);
});

test("a listener with a port only imports that port, and listeners' ports are joined", () => {
  const egress = `egress: [{port: {number: 90, protocol: HTTP, name: b}, hosts: ["./*"]}, {hosts: ["books/*"]}]`;
  const scope = scopeFor(SERVICES + object("Sidecar", "shop/only", egress));
  assert.deepEqual(seen(scope), ["shop/web:90", "books/api:80+90"]);
  const both = `egress: [{port: {number: 90, protocol: HTTP, name: b}, hosts: ["./*"]}, {port: {number: 80, protocol: HTTP, name: a}, hosts: ["./*"]}]`;
  assert.deepEqual(seen(scopeFor(SERVICES + object("Sidecar", "shop/only", both))), ["shop/web:90+80"]);
  const proxy = `egress: [{port: {number: 90, protocol: HTTP_PROXY, name: b}, hosts: ["./*"]}]`;
  assert.deepEqual(seen(scopeFor(SERVICES + object("Sidecar", "shop/only", proxy))), ["shop/web:80+90"]);
});

const toApi = (port: string, more = "") =>
  object(
    "VirtualService",
    "shop/vs",
    `hosts: [${LONG("web", "shop")}], http: [{${more}route: [{destination: {host: ${LONG("api", "books")}${port}}}]}]`,
  );

test("destinations of imported VirtualServices are seen too, with the ports that they name", () => {
  const scope = scopeFor(SERVICES + sidecar('"./*"') + toApi(", port: {number: 90}"));
  assert.deepEqual(seen(scope), ["shop/web:80+90", "books/api:90"]);
  assert.deepEqual(
    scope.services[1]?.importedBy.map((key) => key.name),
    ["vs"],
  );
  assert.deepEqual(seen(scopeFor(SERVICES + sidecar('"./*"') + toApi(""))), ["shop/web:80+90", "books/api:80+90"]);
  assert.deepEqual(seen(scopeFor(SERVICES + sidecar('"./*"') + toApi(", port: {number: 1}"))), ["shop/web:80+90"]);
});

test("destinations of routes for other namespaces don't count", () => {
  const foreign = toApi("", "match: [{sourceNamespace: infra}], ");
  assert.deepEqual(seen(scopeFor(SERVICES + sidecar('"./*"') + foreign)), ["shop/web:80+90"]);
});

test("a VirtualService of the namespace may send to its own service that nobody may see", () => {
  const yaml = kube("shop/web") + kube("shop/secret", "~") + toApi("").replaceAll(LONG("api", "books"), LONG("secret", "shop"));
  assert.deepEqual(seen(scopeFor(yaml)), ["shop/web:80+90", "shop/secret:80+90"]);
});

test("the Sidecar in force: one that selects the workload, the namespace's, the root namespace's", () => {
  const one = (name: string, selector = "") => object("Sidecar", name, `${selector}egress: [{hosts: ["./*"]}]`);
  const general = one("shop/general");
  const selecting = one("shop/selecting", "workloadSelector: {labels: {app: cart}}, ");
  const root = one("istio-system/root");
  const chosen = (yaml: string, labels = {}) => selectSidecar(meshOf(yaml), "shop", labels)?.name;
  assert.equal(chosen(general + selecting + root, { app: "cart" }), "selecting");
  assert.equal(chosen(general + selecting + root, { app: "web" }), "general");
  assert.equal(chosen(selecting + root, { app: "web" }), "root");
  assert.equal(chosen(selecting), undefined);
});

test("VirtualServices are seen in order: private ones, those exported to the namespace, public ones", () => {
  const vs = (name: string, exportTo: string) =>
    object("VirtualService", name, `hosts: [${LONG("web", "shop")}], exportTo: [${exportTo}], http: [{route: [{destination: {host: x.y}}]}]`);
  const yaml = SERVICES + vs("infra/public", '"*"') + vs("infra/to-shop", "shop") + vs("shop/private", '"."') + vs("books/private", '"."');
  assert.deepEqual(
    scopeFor(yaml).egress[0]?.virtualServices.map((service) => service.name),
    ["private", "to-shop", "public"],
  );
});

test("mTLS comes from the namespace's policy, else the mesh's, else it is permissive", () => {
  const policy = (name: string, mode: string) => object("PeerAuthentication", name, `mtls: {mode: ${mode}}`, "security.istio.io/v1");
  const modes = (yaml: string) => scopeFor(SERVICES + yaml).services.map(({ service, mtlsMode }) => `${service.namespace} ${mtlsMode}`);
  assert.deepEqual(modes(""), ["books PERMISSIVE", "infra PERMISSIVE", "shop PERMISSIVE"]);
  const layered = policy("istio-system/mesh", "STRICT") + policy("books/own", "DISABLE") + policy("infra/unset", "UNSET");
  assert.deepEqual(modes(layered), ["books DISABLE", "infra STRICT", "shop STRICT"]);
});

test("namespaces that see alike share their services, and a rule's change keeps them", () => {
  const mesh = meshOf(SERVICES);
  const shop = resolveScope(mesh, { namespace: "shop", labels: {} });
  assert.equal(resolveScope(mesh, { namespace: "shop", labels: { app: "x" } }), shop);
  assert.equal(resolveScope(mesh, { namespace: "elsewhere", labels: {} }).services, shop.services);
  const changed = resolveScope({ ...mesh, virtualServices: [] }, { namespace: "shop", labels: {} });
  assert.equal(changed.services, shop.services);
});

test("a router sees everything visible, a host once, and has no listeners of its own", () => {
  const scope = resolveRouterScope(meshOf(entry("books/old", "a.com") + entry("shop/young", "a.com")), { namespace: "shop", labels: {} });
  assert.deepEqual(seen(scope), ["books/a.com:80"]);
  assert.deepEqual(scope.egress, []);
});
