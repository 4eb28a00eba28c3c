/** The identity of a service account (istio `pkg/spiffe` MustGenSpiffeURI: empty parts stay empty). */
export function spiffeId(trustDomain: string, namespace: string, serviceAccount: string): string {
  return `spiffe://${trustDomain.replaceAll("@", ".")}/ns/${namespace}/sa/${serviceAccount}`;
}
