import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServicePort } from "#core/model/service.ts";
import type { Sidecar } from "#core/model/sidecar.ts";
import type { MtlsMode, Workload } from "#core/model/workload.ts";
import { inboundListeners, ownAddressListeners } from "#core/translate/listeners.ts";
import type { ListenerFilterChainMatchPredicate } from "#proto/envoy/config/listener/v3/listener_components_pb.js";
import { scopeOf, service } from "#test/support/scope.ts";
import { chainsOf, decodeListener, endOf, inbound, LITERALS, managerOf, nodeView, port, workloadOf } from "./support.ts";

const api = (...ports: readonly ServicePort[]) => service("api.shop.svc.cluster.local", { ports });
const mtls = (mode: MtlsMode, ports: Workload["mtls"]["ports"] = {}) => ({ mode, ports, sources: [] });

/** Each chain of virtualInbound at a port as `transport alpn… → end`, `!` where it ends TLS. */
function shapes(workload: Workload, at: number): readonly string[] {
  return chainsOf(inbound(workload).get("virtualInbound"))
    .filter(({ filterChainMatch }) => (filterChainMatch?.destinationPort ?? 0) === at)
    .map((chain) => {
      const { transportProtocol = "", applicationProtocols = [] } = chain.filterChainMatch ?? {};
      return `${[transportProtocol, ...applicationProtocols].join(" ")}${chain.transportSocket ? "!" : ""} → ${endOf(chain).split(" ")[0]}`;
    });
}

const HTTP = "istio-http/1.0 istio-http/1.1 istio-h2";

test("chains by protocol where mutual TLS is optional", () => {
  const workload = workloadOf(api(port(80, "HTTP"), port(90, "TCP"), port(91, "Unsupported"), port(92, "UDP")));
  const any = `tls istio istio-peer-exchange ${HTTP}!`;
  assert.deepEqual(shapes(workload, 80), [`${any} → http`, "raw_buffer → http"]);
  const bytes = [`${any} → tcp`, "tls → tcp", "raw_buffer → tcp"];
  assert.deepEqual(shapes(workload, 90), bytes);
  assert.deepEqual(shapes(workload, 92), bytes);
  const detected = [`tls ${HTTP}! → http`, "raw_buffer http/1.1 h2c → http", "tls istio-peer-exchange istio! → tcp", "raw_buffer → tcp", "tls → tcp"];
  assert.deepEqual(shapes(workload, 91), detected);
  assert.deepEqual(shapes(workload, 0), detected, "and of ports that nobody declared");
});

test("chains by protocol where mutual TLS is a must, and where there is none", () => {
  const ports = api(port(80, "HTTP"), port(90, "TCP"), port(91, "Unsupported"));
  const strict = workloadOf(ports, { mtls: mtls("STRICT") });
  assert.deepEqual(
    [shapes(strict, 80), shapes(strict, 90), shapes(strict, 91)],
    [["tls! → http"], ["tls! → tcp"], [`tls ${HTTP}! → http`, "tls! → tcp"]],
  );
  const plain = workloadOf(ports, { mtls: mtls("DISABLE") });
  assert.deepEqual(
    [shapes(plain, 80), shapes(plain, 90), shapes(plain, 91)],
    [["raw_buffer → http"], ["raw_buffer → tcp"], ["raw_buffer http/1.1 h2c → http", "raw_buffer → tcp"]],
  );
});

test("a mode for one port counts there; without a service it gets chains of its own", () => {
  const workload = workloadOf(api(port(80, "HTTP")), { mtls: mtls("STRICT", { 80: "DISABLE", 7777: "DISABLE" }) });
  assert.deepEqual(shapes(workload, 80), ["raw_buffer → http"]);
  assert.deepEqual(shapes(workload, 7777), ["raw_buffer http/1.1 h2c → http", "raw_buffer → tcp"]);
  assert.deepEqual(shapes(workload, 0), [`tls ${HTTP}! → http`, "tls! → tcp"]);
});

test("of services on one port the oldest decides, and all are named", () => {
  const [older, younger] = [service("old.shop.svc.cluster.local", { ports: [port(80, "TCP")] }), api(port(80, "HTTP"))];
  const workload = workloadOf(older, { targets: [...workloadOf(older).targets, ...workloadOf(younger).targets] });
  assert.equal(shapes(workload, 80).length, 3);
  assert.deepEqual(inbound(workload).get("virtualInbound")?.from, [...older.sources, ...younger.sources]);
});

const predicate = (rule: ListenerFilterChainMatchPredicate | undefined): string => {
  switch (rule?.rule.case) {
    case "destinationPortRange":
      return String(rule.rule.value.start);
    case "orMatch":
      return rule.rule.value.rules.map(predicate).join(" ");
    case "notMatch":
      return `not ${predicate(rule.rule.value)}`;
    default:
      return "";
  }
};

/** Listener filters as `name: where they are off`. */
function filters(workload: Workload, metadata = {}): readonly string[] {
  const { listenerFilters } = decodeListener(inbound(workload, { metadata }).get("virtualInbound"));
  return listenerFilters.map(({ name, filterDisabled }) => `${name.split(".").at(-1)}: ${predicate(filterDisabled)}`);
}

test("inspectors are off where no chain asks for them", () => {
  const workload = workloadOf(api(port(80, "HTTP"), port(90, "TCP")), { mtls: mtls("PERMISSIVE", { 90: "DISABLE" }) });
  assert.deepEqual(filters(workload), ["original_dst: ", "tls_inspector: 90 15006", "http_inspector: 80 90 15006"]);
  const mostlyPlain = workloadOf(api(port(80, "HTTP")), { mtls: mtls("DISABLE", { 80: "STRICT" }) });
  assert.deepEqual(filters(mostlyPlain), ["original_dst: ", "tls_inspector: not 80", "http_inspector: 80 15006"]);
  assert.deepEqual(filters(workloadOf(api()), { INTERCEPTION_MODE: "TPROXY" }), [
    "original_dst: ",
    "original_src: ",
    "tls_inspector: 15006",
    "http_inspector: 15006",
  ]);
});

test("gRPC is not retried, and HTTP/2 has its options", () => {
  const chain = (protocol: ServicePort["protocol"]) =>
    managerOf(
      chainsOf(inbound(workloadOf(api(port(80, protocol)))).get("virtualInbound")).find(
        ({ filterChainMatch }) => filterChainMatch?.destinationPort === 80,
      ),
    );
  const retries = (manager: ReturnType<typeof managerOf>) => {
    const config = manager.routeSpecifier.case === "routeConfig" ? manager.routeSpecifier.value : undefined;
    const action = config?.virtualHosts[0]?.routes[0]?.action;
    return action?.case === "route" && action.value.retryPolicy !== undefined;
  };
  assert.deepEqual(
    (["HTTP", "HTTP2", "GRPC"] as const).map((protocol) => [retries(chain(protocol)), chain(protocol).http2ProtocolOptions !== undefined]),
    [
      [true, false],
      [true, true],
      [false, true],
    ],
  );
});

const ingress = (fields: Partial<Sidecar["ingress"][number]>): Sidecar => ({
  name: "web",
  namespace: "shop",
  egress: [],
  ingress: [{ port: port(9600, "HTTP"), bind: "", captureMode: "DEFAULT", defaultEndpoint: "127.0.0.1:80", ...fields }],
  sources: [{ cluster: "Kubernetes", kind: "Sidecar", namespace: "shop", name: "web" }],
});

test("a Sidecar's ingress listeners hide what services declare", () => {
  const workload = workloadOf(api(port(80, "HTTP")), { sidecar: ingress({ bind: "0.0.0.0" }) });
  assert.deepEqual(shapes(workload, 80), []);
  const [, , , , , , chain] = chainsOf(inbound(workload).get("virtualInbound"));
  assert.equal(chain?.name, "0.0.0.0_9600");
  assert.deepEqual(chain?.metadata?.filterMetadata.istio, { config: "/apis/networking.istio.io/v1/namespaces/shop/sidecar/web" });
});

test("without capture an ingress listener binds for real; without an address it is at the node's own", () => {
  const workload = workloadOf(api(), { sidecar: ingress({ captureMode: "NONE" }) });
  const { settings, frame } = nodeView();
  const input = { workload, settings, frame };
  assert.deepEqual(inboundListeners(input, LITERALS), [], "the node's layer has them");
  const names = (addresses: readonly string[]) =>
    ownAddressListeners({ scope: scopeOf([]), settings, frame }, input, LITERALS, addresses).map(({ name }) => name);
  assert.deepEqual(names(["169.254.0.1", "10.1.0.5"]), ["virtualInbound", "10.1.0.5_9600"]);
  assert.deepEqual(names(["127.0.0.1"]), ["virtualInbound", "0.0.0.0_9600"]);
});

test("without redirection only a Sidecar's ingress listeners are served", () => {
  const metadata = { INTERCEPTION_MODE: "NONE" };
  assert.equal(inbound(workloadOf(api(port(80, "HTTP"))), { metadata }).size, 0);
  assert.deepEqual([...inbound(workloadOf(api(), { sidecar: ingress({ bind: "10.1.0.5" }) }), { metadata }).keys()], ["10.1.0.5_9600"]);
});
