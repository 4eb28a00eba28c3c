import { groupBy } from "#core/lib/group.ts";
import type { Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import { rawList, rawRecord, rawText } from "#core/lib/raw.ts";
import { NETWORK_LABEL } from "#core/lib/topology.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { NetworkGateway } from "../../endpoint.ts";
import { DEFAULT_GATEWAY_PORT, GATEWAY_PORT_LABEL } from "../registry/network-gateways.ts";

type GatewayResource = SourceObject<"KubernetesGateway">;

/** A class for gateways that stand where nothing but their address is known; only the config cluster tells of these. */
const REMOTE_CLASS = "istio-remote";

/**
 * Gateway API Gateways that carry a network label lead into that network, at each of their addresses and each AUTO_PASSTHROUGH or HBONE listener
 * (istio `kube/controller/network.go` handleGatewayResource). `configured`: the cluster is the one that configuration comes from.
 */
export const resourceGateways = memoize((resources: readonly GatewayResource[], place: { readonly cluster: string; readonly configured: boolean }) =>
  (byCluster(resources).get(place.cluster) ?? []).flatMap((resource) => gatewaysOf(resource, place.configured)),
);

const byCluster = memoize((resources: readonly GatewayResource[]) => groupBy(resources, ({ key }) => key.cluster));

function gatewaysOf({ key, labels, annotations, spec }: GatewayResource, configured: boolean): readonly NetworkGateway[] {
  const network = labels[NETWORK_LABEL] ?? "";
  const { gatewayClassName, addresses, listeners } = rawRecord(spec.spec);
  const remote = gatewayClassName === REMOTE_CLASS;
  if (network === "" || (remote && !configured)) return [];
  const account = annotations["gateway.istio.io/service-account"] || (remote ? `${key.name}-${REMOTE_CLASS}` : key.name);
  const base = { network, cluster: key.cluster, account: `${key.namespace}/${account}`, sources: [key] };
  const ports = rawList(listeners).flatMap((listener) => entrances(rawRecord(listener), labels));
  return usableAddresses(addresses).flatMap((address) => ports.map((entrance) => ({ ...base, address, ...entrance })));
}

/** An address without a type is none: API servers fill it in. */
function usableAddresses(addresses: unknown): readonly string[] {
  return rawList(addresses)
    .map(rawRecord)
    .filter(({ type }) => type === "IPAddress" || type === "Hostname")
    .map(({ value }) => rawText(value));
}

function entrances(
  { protocol, port, tls }: Readonly<Record<string, unknown>>,
  labels: Labels,
): readonly Pick<NetworkGateway, "port" | "hbonePort">[] {
  if (typeof port !== "number") return [];
  const passthrough = tls !== undefined && tls !== null && isAutoPassthrough(rawRecord(tls), port, labels);
  return [...(passthrough ? [{ port, hbonePort: 0 }] : []), ...(protocol === "HBONE" ? [{ port, hbonePort: port }] : [])];
}

/** Istio `serviceregistry/kube/conversion.go` IsAutoPassthrough. */
function isAutoPassthrough(tls: Readonly<Record<string, unknown>>, port: number, labels: Labels): boolean {
  if (rawRecord(tls.options)["gateway.istio.io/listener-protocol"] === "auto-passthrough") return true;
  return String(port) === (labels[GATEWAY_PORT_LABEL] ?? String(DEFAULT_GATEWAY_PORT));
}
