import { isPrivate, type Resource } from "#core/edition/resource.ts";
import { resourceViolations } from "#core/envoy/constraints.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { movements } from "#core/lib/list-diff.ts";
import { memoize } from "#core/lib/memo.ts";
import { formatObjectKey } from "#core/lib/object-key.ts";
import type { PlacedLayer, ScopePlacement } from "#core/node/placement.ts";
import { isProxyless } from "./compile-grpc.ts";

/** The resources of a layer that can be published, and what is to be said of the others. */
export interface Accepted {
  readonly resources: readonly Resource[];
  readonly diagnostics: readonly Diagnostic[];
  /** Some of them must be sealed. */
  readonly hasSecrets: boolean;
}

const CODE = "ALM0604";

const NOTHING_SAID: readonly Diagnostic[] = [];

const judged = new WeakMap<readonly Resource[], Accepted>();

/**
 * Leaves out each resource that Envoy would refuse by its own constraints, and names what it was made from: sent, it would be rejected in every proxy, and the
 * whole answer that it is in with it. The very same list where there is none. Of a list that had its place `before`, only what is new is looked at.
 */
export function accepted(resources: readonly Resource[], before?: readonly Resource[]): Accepted {
  const known = judged.get(resources);
  if (known !== undefined) return known;
  const former = before && judged.get(before);
  const isSound = former !== undefined && former.resources === before;
  const unknown = isSound ? [...movements(before, resources).arrived] : resources;
  const hasSecrets = (isSound && former.hasSecrets) || unknown.some(isPrivate);
  const result = { ...(unknown.some(isRefused) ? sortedOut(resources) : { resources, diagnostics: NOTHING_SAID }), hasSecrets };
  judged.set(resources, result);
  return result;
}

function sortedOut(resources: readonly Resource[]): Omit<Accepted, "hasSecrets"> {
  const refused = resources.filter(isRefused);
  return { resources: resources.filter((resource) => !isRefused(resource)), diagnostics: refused.map(refusal) };
}

/**
 * Likewise, for nodes of a scope: gRPC's clients have other rules than Envoy (theirs are certificate providers where Envoy asks for secrets), judge by
 * themselves, and take what is good of an answer (gRFC A46).
 */
export function acceptedIn(scope: ScopePlacement | undefined, resources: readonly Resource[], before?: readonly Resource[]): Accepted {
  if (scope === undefined || !isProxyless(scope)) return accepted(resources, before);
  return { resources, diagnostics: NOTHING_SAID, hasSecrets: resources.some(isPrivate) };
}

/** The scope of a layer's nodes; undefined where they are of any. */
export function scopeOfLayer(placed: PlacedLayer): ScopePlacement | undefined {
  switch (placed.kind) {
    case "scope":
      return placed.placement;
    case "node":
      return placed.placement.workload.scope;
    default:
      return placed.placement.scope;
  }
}

/** Would Envoy refuse it? */
export function isRefused(resource: Resource): boolean {
  return violationsOf(resource).length > 0;
}

const violationsOf = memoize((resource: Resource) => resourceViolations(resource.parts ?? resource.bytes));

function refusal(resource: Resource): Diagnostic {
  const { type, name, from } = resource;
  const key = from[0] ?? { cluster: "", kind: "", namespace: "", name: "" };
  const broken = violationsOf(resource)
    .slice(0, MOST_TOLD)
    .map(({ path, rule }) => `${path === "" ? "it" : path} ${rule}`);
  const sources = [...new Set(from.map(formatObjectKey))];
  const message = `${type}/${name} is not published, since Envoy would refuse it: ${told(broken, violationsOf(resource).length)}. Made from ${told(sources.slice(0, MOST_NAMED), sources.length)}`;
  return { severity: "error", code: CODE, check: "analysis", refused: false, key, field: "", message };
}

/** Of a broken rule in a long list there may be thousands. */
const MOST_TOLD = 10;

/** Any object that it was made from may be at fault, and whoever looks for an object in what is said must find it: only of a whole mesh the rest is counted. */
const MOST_NAMED = 1000;

function told(some: readonly string[], count: number): string {
  return [...some, ...(count > some.length ? [`${count - some.length} more`] : [])].join("; ");
}
