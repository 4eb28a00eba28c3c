import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { type ClientTLSSettings, ClientTLSSettings_TLSmode as Mode } from "#proto/networking/v1alpha3/destination_rule_pb.js";
import { diagnose } from "./diagnose.ts";

/** Rules that start TLS without anything to check the server's certificate by (istio `analyzers/destinationrule/ca-certificates.go`). */
export const checkRuleCertificates = memoize((rules: readonly SourceObject<"DestinationRule">[]): readonly Diagnostic[] =>
  rules.flatMap((rule) => {
    const { host, trafficPolicy, workloadSelector } = rule.spec;
    const selected = workloadSelector !== undefined;
    const unverified = `without CA certificates: the certificate of "${host}" is not verified; set caCertificates`;
    const own = isUnverified(trafficPolicy?.tls, selected)
      ? diagnose(rule, { severity: "warning", code: "IST0128", field: "spec.trafficPolicy.tls.caCertificates", message: `starts TLS ${unverified}` })
      : [];
    const ofPorts = (trafficPolicy?.portLevelSettings ?? []).flatMap(({ port, tls }, index) => {
      if (!isUnverified(tls, selected)) return [];
      const field = `spec.trafficPolicy.portLevelSettings[${index}].tls.caCertificates`;
      return diagnose(rule, { severity: "warning", code: "IST0129", field, message: `starts TLS to port ${port?.number ?? 0} ${unverified}` });
    });
    return [...own, ...ofPorts];
  }),
);

/** The secret that a sidecar names brings its roots with it, but sidecars only read secrets of rules that select them. */
function isUnverified(tls: ClientTLSSettings | undefined, selected: boolean): boolean {
  if (tls?.mode !== Mode.SIMPLE && tls?.mode !== Mode.MUTUAL) return false;
  return tls.caCertificates === "" && !(tls.credentialName !== "" && selected);
}
