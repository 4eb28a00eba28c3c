import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Protocol } from "./protocol.ts";

/** An Istio Gateway: servers for the routers that it selects. */
export interface Gateway {
  readonly name: string;
  readonly namespace: string;
  /** Labels of the routers; empty selects all. */
  readonly selector: Readonly<Record<string, string>>;
  readonly servers: readonly GatewayServer[];
  readonly sources: readonly ObjectKey[];
}

export interface GatewayServer {
  /** Names the server's statistics; "" if none. */
  readonly name: string;
  readonly port: GatewayPort;
  /** "" for all addresses. */
  readonly bind: string;
  /** `host` for VirtualServices of all namespaces, `namespace/host` for those of one. */
  readonly hosts: readonly string[];
  readonly tls?: ServerTls;
}

export interface GatewayPort {
  /** Port of the Service in front of the router. */
  readonly number: number;
  readonly name: string;
  readonly protocol: Protocol;
  /** As the object writes it: servers of differently written protocols don't share a listener. */
  readonly protocolText: string;
}

export type ServerTlsMode = "PASSTHROUGH" | "SIMPLE" | "MUTUAL" | "AUTO_PASSTHROUGH" | "ISTIO_MUTUAL" | "OPTIONAL_MUTUAL";
export type TlsVersion = "TLS_AUTO" | "TLSV1_0" | "TLSV1_1" | "TLSV1_2" | "TLSV1_3";

/** A server's TLS settings with Istio's field names; "" and empty lists count as unset. */
export interface ServerTls {
  readonly httpsRedirect: boolean;
  readonly mode: ServerTlsMode;
  readonly certificates: readonly CertificateFiles[];
  readonly caCertificates: string;
  readonly caCrl: string;
  readonly credentialName: string;
  readonly credentialNames: readonly string[];
  readonly caCertCredentialName: string;
  readonly subjectAltNames: readonly string[];
  readonly verifyCertificateSpki: readonly string[];
  readonly verifyCertificateHash: readonly string[];
  readonly minProtocolVersion: TlsVersion;
  readonly maxProtocolVersion: TlsVersion;
  readonly cipherSuites: readonly string[];
  readonly insecureSkipVerify: boolean;
}

/** A certificate and its key in the router's file system. */
export interface CertificateFiles {
  readonly serverCertificate: string;
  readonly privateKey: string;
}

/** Is the connection handed on encrypted (istio `pkg/config/gateway` IsPassThroughServer)? */
export function isPassthrough({ tls }: GatewayServer): boolean {
  return tls?.mode === "PASSTHROUGH" || tls?.mode === "AUTO_PASSTHROUGH";
}
