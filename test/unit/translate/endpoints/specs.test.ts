import assert from "node:assert/strict";
import { test } from "node:test";
import type { DestinationRule, Subset } from "#core/model/destination-rule.ts";
import { resolveMeshConfig } from "#core/model/resolve/config/mesh-config.ts";
import type { ClientTls, TrafficPolicy } from "#core/model/traffic-policy.ts";
import { endpointSettings, serviceSpecs } from "#core/translate/endpoints/specs.ts";
import { destinationRule, httpPort, scoped, service } from "#test/support/scope.ts";
import { assign, endpoint, HOST, marked, type Situation, specOf, specsOf, WHOLE } from "./support.ts";

function tls(mode: ClientTls["mode"]): ClientTls {
  return { mode, clientCertificate: "", privateKey: "", caCertificates: "", caCrl: "", credentialName: "", sni: "", subjectAltNames: [] };
}

function ruleWith(policy: Partial<TrafficPolicy>, subsets: readonly Subset[] = []): DestinationRule {
  return destinationRule(HOST, { policy: { portLevelSettings: [], ...policy }, subsets });
}

function subset(name: string, fields: Partial<Subset> = {}): Subset {
  return { name, labels: { v: name }, ...fields };
}

test("every port has an assignment for all endpoints and one for each subset, but none for UDP", () => {
  const ports = [httpPort(80), { name: "dns", number: 53, protocol: "UDP" as const }];
  const rule = destinationRule(HOST, { subsets: [subset("a"), subset("b"), subset("a")] });
  assert.deepEqual(Object.keys(specsOf({ service: { ports }, rule })), [WHOLE, `outbound|80|a|${HOST}`, `outbound|80|b|${HOST}`]);
});

test("only services that clients balance themselves are discovered, and headless ones by routers", () => {
  const names = (situation: Situation): readonly string[] => Object.keys(specsOf(situation));
  assert.deepEqual(names({ service: { resolution: "dns" } }), []);
  assert.deepEqual(names({ service: { resolution: "passthrough" } }), []);
  assert.deepEqual(names({ service: { resolution: "passthrough" }, headless: true }), [WHOLE]);
});

test("names to route by stand for discovered hosts even where requests name the host, but not for subsets of these", () => {
  const dynamic = {
    service: { resolution: "dynamic-dns", host: "*.example.com" },
    rule: destinationRule("*.example.com", { subsets: [subset("a")] }),
  } as const;
  assert.deepEqual(Object.keys(specsOf(dynamic)), []);
  assert.deepEqual(Object.keys(specsOf({ ...dynamic, serverNames: true })), ["outbound_.80_._.*.example.com"]);
});

test("AUTO_PASSTHROUGH servers route by server names, to endpoints with mutual TLS only; not to services outside the mesh", () => {
  const specs = specsOf({ serverNames: true });
  assert.deepEqual(Object.keys(specs), [WHOLE, `outbound_.80_._.${HOST}`]);
  const [plain, passed] = Object.values(specs);
  const endpoints = [endpoint("10.0.0.1"), endpoint("10.0.0.2", { tlsMode: "disabled" })];
  assert.equal(assign(plain ?? specOf(), endpoints).endpoints[0]?.lbEndpoints.length, 2);
  assert.equal(assign(passed ?? specOf(), endpoints).endpoints[0]?.lbEndpoints.length, 1);
  assert.deepEqual(Object.keys(specsOf({ serverNames: true, service: { meshExternal: true } })), [WHOLE]);
});

const TWO = [endpoint("10.0.0.1"), endpoint("10.0.0.2", { tlsMode: "disabled" }), endpoint("10.0.0.3", { mtlsAllowed: false })];

test("without a rule an endpoint is marked for mutual TLS if it has a sidecar that may take it", () => {
  assert.deepEqual(marked(assign(specOf(), TWO)), ["10.0.0.1"]);
});

test("a rule's TLS mode decides for all endpoints; only those that say how are marked", () => {
  assert.deepEqual(marked(assign(specOf({ rule: ruleWith({ tls: tls("DISABLE") }) }), TWO)), []);
  assert.deepEqual(marked(assign(specOf({ rule: ruleWith({ tls: tls("SIMPLE") }) }), TWO)), []);
  assert.deepEqual(marked(assign(specOf({ rule: ruleWith({ tls: tls("ISTIO_MUTUAL") }) }), TWO)), ["10.0.0.1", "10.0.0.3"]);
});

test("the port's TLS mode comes before the rule's, the subset's before both", () => {
  const disabled: Partial<TrafficPolicy> = { tls: tls("DISABLE"), portLevelSettings: [{ port: 80, tls: tls("ISTIO_MUTUAL") }] };
  const plain = subset("plain", { policy: { portLevelSettings: [], tls: tls("DISABLE") } });
  const specs = specsOf({ rule: ruleWith(disabled, [subset("a"), plain]) });
  assert.deepEqual(
    Object.values(specs).map(({ mtls }) => mtls),
    ["always", "always", "never"],
  );
});

test("endpoints that are not ready are kept back only where Envoy's panic is asked for", () => {
  const outlierDetection = { minHealthPercent: 50 } as TrafficPolicy["outlierDetection"] & object;
  assert.equal(specOf().sendsUnhealthy, true);
  assert.equal(specOf({ rule: ruleWith({ outlierDetection }) }).sendsUnhealthy, false);
  assert.equal(specOf({ rule: ruleWith({ outlierDetection }), service: { trafficDistribution: "same-zone" } }).sendsUnhealthy, true);
});

test("the rule's locality setting comes before the service's distribution, that before the mesh's; a disabled one ends the search", () => {
  const meshConfig = { localityLbSetting: { failoverPriority: ["m"] } };
  const labelsOf = (situation: Situation): string | undefined => specOf(situation).locality?.setting.failoverPriority.join();
  const own = { distribute: [], failover: [], failoverPriority: ["r"] };
  assert.equal(labelsOf({ meshConfig }), "m");
  assert.equal(labelsOf({ meshConfig, service: { trafficDistribution: "same-zone" } })?.split(",").length, 3);
  assert.equal(labelsOf({ meshConfig, service: { trafficDistribution: "same-node" } })?.split(",").length, 5);
  const distributed: Situation = { meshConfig, service: { trafficDistribution: "same-zone" } };
  assert.equal(labelsOf({ ...distributed, rule: ruleWith({ loadBalancer: { localityLb: own } }) }), "r");
  assert.equal(labelsOf({ ...distributed, rule: ruleWith({ loadBalancer: { localityLb: { ...own, enabled: false } } }) }), undefined);
});

test("failing over takes outlier detection, or a distribution that insists", () => {
  const meshConfig = { localityLbSetting: {} };
  const failover = (situation: Situation): unknown => (specOf(situation).locality as { failover?: boolean } | undefined)?.failover;
  assert.equal(failover({ meshConfig }), false);
  assert.equal(failover({ meshConfig, rule: ruleWith({ outlierDetection: {} as TrafficPolicy["outlierDetection"] & object }) }), true);
  assert.equal(failover({ service: { trafficDistribution: "same-zone" } }), true);
});

test("scopes that see a service alike share its specs", () => {
  const sources = [{ cluster: "Kubernetes", kind: "Service", namespace: "shop", name: "web" }];
  const [first, second] = [specsOf({ service: { sources } }), specsOf({ service: { sources } })];
  assert.notEqual(first, second);
  assert.equal(first[WHOLE], second[WHOLE]);
});

test("of two ports of one number the first has the cluster", () => {
  const ports = [
    { name: "http", number: 80, protocol: "HTTP" as const },
    { name: "again", number: 80, protocol: "TCP" as const },
  ];
  const scopedTwice = scoped(service(HOST, { ports }));
  const specs = serviceSpecs(scopedTwice, endpointSettings(resolveMeshConfig({}).config, false));
  assert.deepEqual(
    specs.map(({ cluster }) => cluster),
    [WHOLE],
  );
});
