import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { isSubset } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { ServerTLSSettings } from "#proto/networking/v1alpha3/gateway_pb.js";
import { diagnose, localName } from "./diagnose.ts";

type GatewayObject = SourceObject<"Gateway">;

/**
 * Gateways of the same workloads that share a certificate: clients reuse an HTTP/2 connection of one for hosts of the other, and get a 404
 * (istio `analyzers/gateway/certificate.go`).
 */
export const checkGatewayCertificates = memoize((gateways: readonly GatewayObject[]): readonly Diagnostic[] => {
  const withTls = gateways.filter(({ spec }) => spec.servers.some(({ tls }) => tls !== undefined && certificateOf(tls) !== ""));
  return withTls.flatMap((gateway) =>
    withTls.flatMap((other) => (other !== gateway && isSubset(gateway.spec.selector, other.spec.selector) ? shared(gateway, other) : [])),
  );
});

function shared(gateway: GatewayObject, other: GatewayObject): readonly Diagnostic[] {
  const known = new Set(other.spec.servers.flatMap(({ tls }) => (tls === undefined ? [] : [certificateOf(tls)])));
  const index = gateway.spec.servers.findIndex(({ tls }) => tls !== undefined && certificateOf(tls) !== "" && known.has(certificateOf(tls)));
  if (index < 0) return [];
  const message =
    `has the same certificate as Gateway ${localName(other)}, which has the same workloads: a client that reuses its connection for a host of the other ` +
    "Gateway gets a 404; put their hosts into one server, or use certificates of their own";
  return diagnose(gateway, { severity: "warning", code: "IST0138", field: `spec.servers[${index}].tls`, message });
}

/** Names a certificate; "" without one. */
function certificateOf({ credentialName, serverCertificate, privateKey }: ServerTLSSettings): string {
  if (credentialName !== "") return `secret ${credentialName}`;
  return serverCertificate === "" || privateKey === "" ? "" : `file ${serverCertificate} ${privateKey}`;
}
