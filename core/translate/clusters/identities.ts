import { compareText } from "#core/lib/compare.ts";
import { memoize } from "#core/lib/memo.ts";
import type { OutboundSettings } from "./settings.ts";

const SPIFFE = "spiffe://";

/** The identities of a service in every trust domain that the mesh goes by, sorted (istio `pkg/spiffe` ExpandWithTrustDomains). What is none stays alone. */
export function acceptedIdentities(
  identities: readonly string[],
  { trustDomainAliases }: Pick<OutboundSettings, "trustDomainAliases">,
): readonly string[] {
  return trustDomainAliases.length === 0 ? identities : expand(identities, trustDomainAliases);
}

const expand = memoize((identities: readonly string[], aliases: readonly string[]): readonly string[] => {
  const accepted = new Set(identities);
  for (const identity of identities) {
    const path = workloadPath(identity);
    if (path !== undefined) for (const alias of aliases) accepted.add(`${SPIFFE}${alias}/${path}`);
  }
  return [...accepted].sort(compareText);
});

/** `ns/NAMESPACE/sa/ACCOUNT` of an identity. */
function workloadPath(identity: string): string | undefined {
  if (!identity.startsWith(SPIFFE)) return undefined;
  const [, ns, namespace, sa, account, ...rest] = identity.slice(SPIFFE.length).split("/");
  return ns === "ns" && sa === "sa" && account !== undefined && rest.length === 0 ? `ns/${namespace}/sa/${account}` : undefined;
}
