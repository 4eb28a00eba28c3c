import type { HTTPMatchRequest, HTTPRoute, StringMatch } from "#proto/networking/v1alpha3/virtual_service_pb.js";

/**
 * The routes that take the place of a root's route which hands over to a delegate. A delegate's route stays only if each of its matches refines one
 * of the root's; every pair that fits gives one match. What the delegate leaves open comes from the root
 * (istio `model/virtualservice.go` MergeHTTPRoutes).
 */
export function mergeDelegate(root: HTTPRoute, delegate: readonly HTTPRoute[]): readonly HTTPRoute[] {
  return delegate.flatMap((route) => {
    const match = mergeMatches(root.match, route.match);
    return match === undefined ? [] : [mergeRoute(root, route, match)];
  });
}

function mergeRoute(root: HTTPRoute, route: HTTPRoute, match: HTTPMatchRequest[]): HTTPRoute {
  return {
    ...route,
    match,
    name: joinNames(root.name, route.name),
    rewrite: route.rewrite ?? root.rewrite,
    directResponse: route.directResponse ?? root.directResponse,
    timeout: route.timeout ?? root.timeout,
    retries: route.retries ?? root.retries,
    fault: route.fault ?? root.fault,
    mirror: route.mirror ?? root.mirror,
    mirrorPercent: route.mirrorPercent ?? root.mirrorPercent,
    mirrorPercentage: route.mirrorPercentage ?? root.mirrorPercentage,
    corsPolicy: route.corsPolicy ?? root.corsPolicy,
    mirrors: route.mirrors.length > 0 ? route.mirrors : root.mirrors,
    headers: route.headers ?? root.headers,
  };
}

function joinNames(root: string, leaf: string): string {
  return root === "" || leaf === "" ? root || leaf : `${root}-${leaf}`;
}

/** Undefined if one of the delegate's matches lies outside all of the root's. */
function mergeMatches(root: HTTPMatchRequest[], delegate: HTTPMatchRequest[]): HTTPMatchRequest[] | undefined {
  if (root.length === 0) return delegate;
  if (delegate.length === 0) return root;
  const merged: HTTPMatchRequest[] = [];
  for (const leaf of delegate) {
    const fitting = root.filter((candidate) => !conflicts(candidate, leaf));
    if (fitting.length === 0) return undefined;
    for (const candidate of fitting) merged.push(mergeMatch(candidate, leaf));
  }
  return merged;
}

function mergeMatch(root: HTTPMatchRequest, leaf: HTTPMatchRequest): HTTPMatchRequest {
  return {
    ...leaf,
    name: joinNames(root.name, leaf.name),
    uri: leaf.uri ?? root.uri,
    scheme: leaf.scheme ?? root.scheme,
    method: leaf.method ?? root.method,
    authority: leaf.authority ?? root.authority,
    headers: { ...root.headers, ...leaf.headers },
    withoutHeaders: { ...root.withoutHeaders, ...leaf.withoutHeaders },
    queryParams: { ...root.queryParams, ...leaf.queryParams },
    port: leaf.port || root.port,
    sourceLabels: { ...root.sourceLabels, ...leaf.sourceLabels },
    sourceNamespace: leaf.sourceNamespace || root.sourceNamespace,
    gateways: leaf.gateways.length > 0 ? leaf.gateways : root.gateways,
    statPrefix: leaf.statPrefix || root.statPrefix,
  };
}

function conflicts(root: HTTPMatchRequest, leaf: HTTPMatchRequest): boolean {
  return (
    stringConflicts(root.uri, leaf.uri) ||
    stringConflicts(root.scheme, leaf.scheme) ||
    stringConflicts(root.method, leaf.method) ||
    stringConflicts(root.authority, leaf.authority) ||
    anyStringConflicts(root.headers, leaf.headers) ||
    anyStringConflicts(root.withoutHeaders, leaf.withoutHeaders) ||
    anyStringConflicts(root.queryParams, leaf.queryParams) ||
    root.ignoreUriCase !== leaf.ignoreUriCase ||
    (root.port > 0 && leaf.port > 0 && root.port !== leaf.port) ||
    (root.sourceNamespace !== "" && leaf.sourceNamespace !== root.sourceNamespace) ||
    Object.entries(leaf.sourceLabels).some(([key, value]) => Object.hasOwn(root.sourceLabels, key) && root.sourceLabels[key] !== value) ||
    gatewaysConflict(root.gateways, leaf.gateways)
  );
}

function anyStringConflicts(root: Readonly<Record<string, StringMatch>>, leaf: Readonly<Record<string, StringMatch>>): boolean {
  return Object.entries(leaf).some(([key, match]) => stringConflicts(root[key], match));
}

/** The delegate's gateways must be among the root's. */
function gatewaysConflict(root: readonly string[], leaf: readonly string[]): boolean {
  if (root.length === 0 || leaf.length === 0) return false;
  return root.length < leaf.length || leaf.some((gateway) => !root.includes(gateway));
}

/** A regex goes with nothing; an exact text only with itself; a prefix with what extends it (istio `model/virtualservice.go` stringMatchConflict). */
function stringConflicts(root: StringMatch | undefined, leaf: StringMatch | undefined): boolean {
  if (root === undefined || leaf === undefined) return false;
  const inner = leaf.matchType;
  const outer = root.matchType;
  if (inner.case === undefined || outer.case === undefined || inner.value === "" || outer.value === "") return true;
  if (inner.case === "regex" || outer.case === "regex") return true;
  if (outer.case === "exact") return inner.case !== "exact" || inner.value !== outer.value;
  return !inner.value.startsWith(outer.value);
}
