import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { gathered } from "#core/lib/gathered.ts";
import { isSubset, type Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { entryPath } from "#core/sources/validate/findings.ts";
import { isClaim } from "#core/sources/validate/headers.ts";
import { expandGateway } from "../gateways/gateway-name.ts";
import { diagnose, selectorText } from "./diagnose.ts";
import type { KnownWorkload, Workloads } from "./workloads.ts";

/** Finds workloads that a selector asks for and that no RequestAuthentication checks tokens for. */
type OpenWorkloads = (selector: Labels) => KnownWorkload | undefined;

/** What {@link checkClaimRoutes} asks of policies. */
export const uncheckedWorkloads = memoize(
  (authentications: readonly SourceObject<"RequestAuthentication">[], { rootNamespace }: MeshConfig, workloads: Workloads): OpenWorkloads => {
    const checked = (workload: KnownWorkload) => authentications.some((one) => selects(one, workload, rootNamespace));
    return (selector) => workloads.find(selector).find((workload) => !checked(workload));
  },
);

/** Routes by claims of a token at gateways that check no token: they never match (istio `analyzers/virtualservice/jwtclaimroute.go`). */
export const checkClaimRoutes = memoize(
  (
    objects: readonly SourceObject<"VirtualService">[],
    gateways: readonly SourceObject<"Gateway">[],
    openTo: OpenWorkloads,
  ): readonly Diagnostic[] => {
    const claiming = claimsOf(objects);
    if (claiming.length === 0) return [];
    const selectors = new Map(gateways.map(({ key, spec }) => [`${key.namespace}/${key.name}`, spec.selector]));
    return claiming.flatMap(({ object, field, claim }) =>
      object.spec.gateways.flatMap((name) => {
        const full = expandGateway(name, object.key.namespace);
        const selector = selectors.get(full);
        const open = selector && openTo(selector);
        if (open === undefined) return [];
        const message =
          `routes by ${claim} at Gateway ${full}, but no RequestAuthentication checks tokens for its workloads ` +
          `(${selectorText(open.labels)} in namespace ${open.namespace}): the route never matches`;
        return diagnose(object, { severity: "error", code: "IST0149", field, message });
      }),
    );
  },
);

interface ClaimingRoute {
  readonly object: SourceObject<"VirtualService">;
  readonly field: string;
  readonly claim: string;
}

/** The first claim is enough to tell. */
const claimsOf = gathered((object: SourceObject<"VirtualService">): readonly ClaimingRoute[] => {
  const { spec } = object;
  for (const [route, { match }] of spec.http.entries()) {
    for (const [place, { headers, withoutHeaders }] of match.entries()) {
      for (const [part, names] of Object.entries({ headers, withoutHeaders })) {
        const claim = Object.keys(names).find(isClaim);
        if (claim !== undefined) return [{ object, field: entryPath(`spec.http[${route}].match[${place}].${part}`, claim), claim }];
      }
    }
  }
  return [];
});

function selects({ key, spec }: SourceObject<"RequestAuthentication">, { namespace, labels }: KnownWorkload, rootNamespace: string): boolean {
  if (key.namespace !== namespace && key.namespace !== rootNamespace) return false;
  const wanted: Labels = spec.selector?.matchLabels ?? {};
  return isSubset(wanted, labels);
}
