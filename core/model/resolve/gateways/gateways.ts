import { memoize } from "#core/lib/memo.ts";
import type { Gateway, GatewayServer, ServerTls, ServerTlsMode, TlsVersion } from "#core/model/gateway.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { SourceObject } from "#core/sources/object.ts";
import {
  ServerTLSSettings_TLSmode as Mode,
  type Server,
  type ServerTLSSettings,
  ServerTLSSettings_TLSProtocol as Version,
} from "#proto/networking/v1alpha3/gateway_pb.js";
import { compareAge } from "../age.ts";
import { parseProtocol } from "../services/port-protocol.ts";

/** All Gateways, oldest first: the order in which their servers are merged. */
export function resolveGateways(objects: readonly SourceObject<"Gateway">[], _config: MeshConfig): readonly Gateway[] {
  return [...objects].sort(compareAge).map((object) => gatewayOf(object));
}

const gatewayOf = memoize(
  ({ key, spec }: SourceObject<"Gateway">): Gateway => ({
    name: key.name,
    namespace: key.namespace,
    selector: spec.selector,
    servers: spec.servers.flatMap((server) => serverOf(server, key.namespace)),
    sources: [key],
  }),
);

/** A server without a port can't be served. */
function serverOf(message: Server, namespace: string): readonly GatewayServer[] {
  const { port, tls } = message;
  if (port === undefined) return [];
  return [
    {
      name: message.name,
      port: { number: port.number, name: port.name, protocol: parseProtocol(port.protocol), protocolText: port.protocol },
      bind: message.bind,
      hosts: hostsOf(message.hosts, namespace),
      ...(tls === undefined ? {} : { tls: tlsOf(tls) }),
    },
  ];
}

/** `./host` is of the Gateway's namespace, `*` + `/host` of all; `*` + `/*` means every host, whatever else is listed (istio `sanitizeServerHostNamespace`). */
function hostsOf(hosts: readonly string[], namespace: string): readonly string[] {
  if (hosts.includes("*/*")) return ["*"];
  return hosts.map((host) => {
    const [scope = "", name = ""] = host.split("/");
    if (!host.includes("/")) return host;
    return scope === "." ? `${namespace}/${name}` : scope === "*" ? name : host;
  });
}

const MODES: Readonly<Record<Mode, ServerTlsMode>> = {
  [Mode.PASSTHROUGH]: "PASSTHROUGH",
  [Mode.SIMPLE]: "SIMPLE",
  [Mode.MUTUAL]: "MUTUAL",
  [Mode.AUTO_PASSTHROUGH]: "AUTO_PASSTHROUGH",
  [Mode.ISTIO_MUTUAL]: "ISTIO_MUTUAL",
  [Mode.OPTIONAL_MUTUAL]: "OPTIONAL_MUTUAL",
};

const VERSIONS: Readonly<Record<Version, TlsVersion>> = {
  [Version.TLS_AUTO]: "TLS_AUTO",
  [Version.TLSV1_0]: "TLSV1_0",
  [Version.TLSV1_1]: "TLSV1_1",
  [Version.TLSV1_2]: "TLSV1_2",
  [Version.TLSV1_3]: "TLSV1_3",
};

function tlsOf(message: ServerTLSSettings): ServerTls {
  const { serverCertificate, privateKey, tlsCertificates } = message;
  return {
    httpsRedirect: message.httpsRedirect,
    mode: MODES[message.mode] ?? "PASSTHROUGH",
    certificates: tlsCertificates.length > 0 ? tlsCertificates.map((files) => ({ ...files })) : [{ serverCertificate, privateKey }],
    caCertificates: message.caCertificates,
    caCrl: message.caCrl,
    credentialName: message.credentialName,
    credentialNames: message.credentialNames,
    caCertCredentialName: message.caCertCredentialName,
    subjectAltNames: message.subjectAltNames,
    verifyCertificateSpki: message.verifyCertificateSpki,
    verifyCertificateHash: message.verifyCertificateHash,
    minProtocolVersion: VERSIONS[message.minProtocolVersion] ?? "TLS_AUTO",
    maxProtocolVersion: VERSIONS[message.maxProtocolVersion] ?? "TLS_AUTO",
    cipherSuites: message.cipherSuites,
    insecureSkipVerify: message.insecureSkipVerify ?? false,
  };
}
