import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import type { ScopedService } from "#core/model/scope.ts";
import type { Service } from "#core/model/service.ts";
import { ruleCredentials } from "#core/translate/clusters/rule-credentials.ts";
import type { ClusterSettings } from "#core/translate/clusters/settings.ts";
import { anyHost } from "#core/translate/clusters/static-clusters.ts";
import { outboundClusters } from "#core/translate/clusters.ts";
import type { Cluster } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import type { TransportSocket } from "#proto/envoy/config/core/v3/base_pb.js";
import { type UpstreamTlsContext, UpstreamTlsContextSchema } from "#proto/envoy/extensions/transport_sockets/tls/v3/tls_pb.js";
import { HttpProtocolOptionsSchema } from "#proto/envoy/extensions/upstreams/http/v3/http_protocol_options_pb.js";
import { httpPort, scoped, scopeOf, service } from "#test/support/scope.ts";
import { clustersOf, clusterUnder, HOST, ruleWith, settings, tls, WHOLE } from "./support.ts";

const IDENTITY = "spiffe://cluster.local/ns/shop/sa/web";

function identified(fields: Partial<ScopedService> = {}, of: Partial<Service> = {}): ScopedService {
  return {
    ...scoped(service(HOST, of)),
    derived: { identities: [IDENTITY], sources: [], ports: { 80: { allSpeakMtls: true, sources: [], addresses: [] } } },
    ...fields,
  };
}

function whole(one: ScopedService, with_: ClusterSettings = settings()): Cluster {
  const cluster = clustersOf(one, with_)[WHOLE];
  assert.ok(cluster);
  return cluster;
}

function context(socket: TransportSocket | undefined): UpstreamTlsContext | undefined {
  const config = socket?.configType;
  return config?.case === "typedConfig" ? fromBinary(UpstreamTlsContextSchema, config.value.value) : undefined;
}

function subjects(of: UpstreamTlsContext | undefined): readonly unknown[] {
  const validation = of?.commonTlsContext?.validationContextType;
  if (validation?.case !== "combinedValidationContext") return [];
  return validation.value.defaultValidationContext?.matchSubjectAltNames.map(({ matchPattern }) => matchPattern.value) ?? [];
}

function autoName(cluster: Cluster): readonly [boolean | undefined, boolean | undefined] {
  const any = cluster.typedExtensionProtocolOptions["envoy.extensions.upstreams.http.v3.HttpProtocolOptions"];
  const options = any === undefined ? undefined : fromBinary(HttpProtocolOptionsSchema, any.value).upstreamHttpProtocolOptions;
  return [options?.autoSni, options?.autoSanValidation];
}

test("automatic mTLS leaves the choice to each endpoint's mark", () => {
  const cluster = whole(identified());
  assert.equal(cluster.transportSocket, undefined);
  assert.deepEqual(
    cluster.transportSocketMatches.map(({ name }) => name),
    ["tlsMode-istio", "tlsMode-disabled"],
  );
  const mutual = context(cluster.transportSocketMatches[0]?.transportSocket);
  assert.equal(mutual?.sni, `outbound_.80_._.${HOST}`);
  assert.deepEqual(subjects(mutual), [IDENTITY]);
  assert.deepEqual(mutual?.commonTlsContext?.alpnProtocols, ["istio-peer-exchange", "istio"]);
});

test("ALPN names HTTP/2 only where nothing else is spoken", () => {
  const grpc = whole(identified({}, { ports: [httpPort(80, { protocol: "GRPC" })] }));
  assert.deepEqual(context(grpc.transportSocketMatches[0]?.transportSocket)?.commonTlsContext?.alpnProtocols, ["istio-peer-exchange", "istio", "h2"]);
});

test("there is none for services outside, where it is switched off, or where the namespace takes none", () => {
  for (const cluster of [
    whole(identified({}, { meshExternal: true })),
    whole(identified(), settings({ enableAutoMtls: false })),
    whole(identified({ mtlsMode: "DISABLE" })),
  ]) {
    assert.deepEqual([cluster.transportSocket, cluster.transportSocketMatches.length], [undefined, 0]);
  }
});

test("a headless service speaks mTLS to all of its endpoints or to none", () => {
  const headless = { resolution: "passthrough" } as const;
  assert.notEqual(whole(identified({}, headless)).transportSocket, undefined);
  const mixed = { identities: [], sources: [], ports: { 80: { allSpeakMtls: false, sources: [], addresses: [] } } };
  assert.equal(whole(identified({ derived: mixed }, headless)).transportSocket, undefined);
  assert.equal(whole(identified({ derived: { identities: [], sources: [], ports: {} } }, headless)).transportSocket, undefined);
});

test("identities hold in every trust domain of the mesh; what is none stays alone", () => {
  const one = identified({ derived: { identities: ["san.example.com", IDENTITY], sources: [], ports: {} } });
  const cluster = whole(one, settings({ trustDomainAliases: ["old.td"] }));
  const found = subjects(context(cluster.transportSocketMatches[0]?.transportSocket));
  assert.deepEqual(found, ["san.example.com", IDENTITY, "spiffe://old.td/ns/shop/sa/web"]);
});

test("ISTIO_MUTUAL is one socket, with names of the rule or else those of the service", () => {
  const plain = whole(identified({ rule: ruleWith({ tls: tls("ISTIO_MUTUAL") }) }));
  assert.equal(plain.transportSocketMatches.length, 0);
  assert.deepEqual(subjects(context(plain.transportSocket)), [IDENTITY]);
  const named = whole(identified({ rule: ruleWith({ tls: tls("ISTIO_MUTUAL", { sni: "x.com", subjectAltNames: ["x"] }) }) }));
  assert.equal(context(named.transportSocket)?.sni, "x.com");
  assert.deepEqual(subjects(context(named.transportSocket)), ["x"]);
});

test("originated TLS derives the server name from requests, and checks it unless the rule names subjects", () => {
  assert.deepEqual(autoName(clusterUnder({ tls: tls("SIMPLE") })), [true, true]);
  assert.deepEqual(autoName(clusterUnder({ tls: tls("SIMPLE", { subjectAltNames: ["a"] }) })), [true, false]);
  assert.deepEqual(autoName(clusterUnder({ tls: tls("SIMPLE", { sni: "a.com" }) })), [undefined, undefined]);
  assert.deepEqual(autoName(clusterUnder({ tls: tls("SIMPLE", { insecureSkipVerify: true }) })), [true, false]);
});

test("subjects of a ServiceEntry go into the check of originated TLS", () => {
  const cluster = whole(identified({ rule: ruleWith({ tls: tls("SIMPLE") }) }, { registry: "External" }));
  assert.deepEqual(subjects(context(cluster.transportSocket)), [IDENTITY]);
  assert.deepEqual(autoName(cluster), [true, true]);
});

test("files are asked for under composed names", () => {
  const files = { clientCertificate: "/c", privateKey: "/k", caCertificates: "/ca" };
  const found = context(clusterUnder({ tls: tls("MUTUAL", files) }).transportSocket)?.commonTlsContext;
  assert.equal(found?.tlsCertificateSdsSecretConfigs[0]?.name, "file-cert:/c~/k");
  const validation = found?.validationContextType;
  assert.equal(validation?.case === "combinedValidationContext" && validation.value.validationContextSdsSecretConfig?.name, "file-root:/ca");
  const skipping = context(clusterUnder({ tls: tls("SIMPLE", { insecureSkipVerify: true }) }).transportSocket)?.commonTlsContext;
  assert.equal(skipping?.validationContextType.case, "validationContext");
});

test("MUTUAL without a complete certificate is no TLS at all", () => {
  assert.equal(clusterUnder({ tls: tls("MUTUAL", { clientCertificate: "/c" }) }).transportSocket, undefined);
});

test("a credential counts for a router, or for workloads that the rule selects; a config map for all", () => {
  const credential = (rule: Parameters<typeof ruleWith>[1], credentialName = "cred", type: "sidecar" | "router" = "sidecar") => {
    const one = scoped(service(HOST), ruleWith({ tls: tls("SIMPLE", { credentialName }) }, rule));
    return outboundClusters(scopeOf([one]), settings({}, { type }))[0]?.needs.secrets;
  };
  assert.deepEqual(credential({}), []);
  assert.deepEqual(credential({}, "cred", "router"), ["kubernetes://cred-cacert"]);
  assert.deepEqual(credential({ workloadSelector: { app: "cart" } }), ["kubernetes://cred-cacert"]);
  assert.deepEqual(credential({}, "configmap://cm"), ["configmap://cm-cacert"]);
});

test("the config map that outbound policy names for hosts nobody knows is asked for as well", () => {
  const policy = (credentialName: string) =>
    settings({ outboundTrafficPolicy: { mode: "ALLOW_ANY_DYNAMIC_DNS", tls: { mode: "SIMPLE", credentialName } } });
  const named = (credentialName: string) => ruleCredentials([], policy(credentialName)).map(({ name }) => name);
  assert.deepEqual(anyHost(policy("configmap://shop/cm")).needs.secrets, ["configmap://shop/cm-cacert"]);
  assert.deepEqual(named("configmap://shop/cm"), ["configmap://shop/cm", "configmap://shop/cm-cacert"]);
  assert.deepEqual(named("cred"), []);
});

test("originated TLS keeps its ALPN from being rewritten", () => {
  const istio = (mode: "SIMPLE" | "DISABLE") => clusterUnder({ tls: tls(mode) }).metadata?.filterMetadata.istio;
  assert.equal(istio("SIMPLE")?.alpn_override, "false");
  assert.equal(istio("DISABLE")?.alpn_override, undefined);
});

test("a proxy's own certificate takes the place of the workload's, but not for services outside", () => {
  const own = settings({}, { metadata: { TLS_CLIENT_CERT_CHAIN: "/m/c", TLS_CLIENT_KEY: "/m/k", TLS_CLIENT_ROOT_CERT: "/m/r" } });
  const certificate = (one: ScopedService) => context(whole(one, own).transportSocket)?.commonTlsContext?.tlsCertificateSdsSecretConfigs[0]?.name;
  assert.equal(certificate(identified()), "file-cert:/m/c~/m/k");
  assert.equal(certificate(identified({ rule: ruleWith({ tls: tls("ISTIO_MUTUAL") }) })), "file-cert:/m/c~/m/k");
  assert.equal(certificate(identified({ rule: ruleWith({ tls: tls("ISTIO_MUTUAL") }) }, { meshExternal: true })), "default");
});

test("a PROXY protocol header comes before every socket, or a bare one", () => {
  const name = "envoy.transport_sockets.upstream_proxy_protocol";
  const proxyProtocol = { version: "V2" } as const;
  assert.equal(clusterUnder({ proxyProtocol }, settings({ enableAutoMtls: false })).transportSocket?.name, name);
  assert.deepEqual(
    clusterUnder({ proxyProtocol }).transportSocketMatches.map(({ transportSocket }) => transportSocket?.name),
    [name, name],
  );
});
