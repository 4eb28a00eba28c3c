import type { Subset } from "#core/model/destination-rule.ts";
import type { ScopedService } from "#core/model/scope.ts";
import type { ServicePort } from "#core/model/service.ts";
import type { ClientTls, TrafficPolicy } from "#core/model/traffic-policy.ts";
import type { OutboundSettings } from "./settings.ts";

/** The TLS that a cluster uses, and whether anybody asked for it. */
export interface TlsChoice {
  readonly tls: ClientTls;
  /** Nobody did: the service is known to take mutual TLS. */
  readonly automatic: boolean;
}

export interface TlsQuery {
  readonly scoped: ScopedService;
  readonly port: ServicePort;
  readonly subset?: Subset;
  /** What rule, port and subset say; absent: nothing. */
  readonly wanted?: ClientTls;
  /** Subjects and server name where the rule names none. */
  readonly identities: readonly string[];
  readonly serverName: string;
}

/**
 * Chooses a cluster's TLS (istio `core/cluster_tls.go` buildUpstreamTLSSettings): what the rule says, completed for ISTIO_MUTUAL; else automatic mutual TLS
 * for services of the mesh. A certificate of the proxy's own in files takes the place of the workload's, but not for services outside.
 */
export function chooseTls(query: TlsQuery, settings: OutboundSettings): TlsChoice | undefined {
  const { wanted, identities, serverName, scoped } = query;
  const own = settings.ownCertificate;
  if (wanted !== undefined) {
    if (wanted.mode === "DISABLE" || wanted.mode === "SIMPLE") return { tls: wanted, automatic: false };
    if (own !== undefined) return { tls: scoped.service.meshExternal ? wanted : fileBased(wanted, own), automatic: false };
    return { tls: wanted.mode === "ISTIO_MUTUAL" ? completed(wanted, query) : wanted, automatic: false };
  }
  if (!settings.autoMtls || takesPlainText(query)) return undefined;
  const mutual = { ...NOTHING, subjectAltNames: identities, sni: serverName };
  return { tls: own === undefined ? mutual : fileBased(mutual, own), automatic: true };
}

const NOTHING: ClientTls = {
  mode: "ISTIO_MUTUAL",
  clientCertificate: "",
  privateKey: "",
  caCertificates: "",
  caCrl: "",
  credentialName: "",
  subjectAltNames: [],
  sni: "",
};

function fileBased({ subjectAltNames, sni, insecureSkipVerify }: ClientTls, own: NonNullable<OutboundSettings["ownCertificate"]>): ClientTls {
  return { ...NOTHING, mode: "MUTUAL", ...own, subjectAltNames, sni, ...(insecureSkipVerify === undefined ? {} : { insecureSkipVerify }) };
}

/** Of the rule only names and the will to skip the check count. */
function completed({ subjectAltNames, sni, insecureSkipVerify }: ClientTls, { identities, serverName }: TlsQuery): ClientTls {
  return {
    ...NOTHING,
    subjectAltNames: subjectAltNames.length > 0 ? subjectAltNames : identities,
    sni: sni || serverName,
    ...(insecureSkipVerify === undefined ? {} : { insecureSkipVerify }),
  };
}

/**
 * Is plain text all that a service is known to take? Without a choice of endpoints, one of them without mTLS decides for all (or that there is none);
 * else what its namespace says (istio `push_context.go` BestEffortInferServiceMTLSMode). The policy looked at is the subset's, else the rule's,
 * ports aside.
 */
function takesPlainText({ scoped, port, subset }: TlsQuery): boolean {
  const { service, rule, derived } = scoped;
  if (service.meshExternal) return true;
  const policy: TrafficPolicy | undefined = subset === undefined ? rule?.policy : subset.policy;
  const keepsDestination = service.resolution === "passthrough" || policy?.loadBalancer?.simple === "PASSTHROUGH";
  if (keepsDestination && derived.ports[port.number]?.allSpeakMtls !== true) return true;
  return scoped.mtlsMode === "DISABLE";
}
