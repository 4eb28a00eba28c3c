import assert from "node:assert/strict";
import { test } from "node:test";
import type { HttpRoute } from "#core/model/virtual-service.ts";
import type { Route, RouteAction } from "#proto/envoy/config/route/v3/route_components_pb.js";
import { destinationRule, httpMatch, httpRule, ruleTo, scoped, scopeOf, service, virtualService } from "#test/support/scope.ts";
import { routesFor } from "./support.ts";

const API = "api.shop.svc.cluster.local";

function routes(...rules: HttpRoute[]): Route[] {
  return routesFor("80", scopeOf([scoped(service(API))], [virtualService([API], rules)])).virtualHosts[0]?.routes ?? [];
}

function action(rule: HttpRoute): RouteAction {
  const [route] = routes(rule);
  assert.equal(route?.action.case, "route");
  return route?.action.value as RouteAction;
}

const TO = (host: string, weight = 0) => ({ destination: { host, subset: "", port: 0 }, weight });

test("one Envoy route per match, named after rule and match, up to the first that takes everything", () => {
  const list = routes(
    ruleTo("a", {
      name: "a",
      match: [httpMatch({ name: "x", uri: { kind: "prefix", value: "/x" } }), httpMatch({ uri: { kind: "exact", value: "/y" } })],
    }),
    ruleTo("b", { name: "b", match: [httpMatch({ uri: { kind: "regex", value: ".*" } }), httpMatch({ uri: { kind: "exact", value: "/z" } })] }),
    ruleTo("c", { name: "c" }),
  );
  assert.deepEqual(
    list.map(({ name }) => name),
    ["a.x", "a", "b"],
  );
});

test("case_sensitive is written for every match but not for a rule without one", () => {
  assert.equal(routes(ruleTo("a"))[0]?.match?.caseSensitive, undefined);
  assert.equal(routes(ruleTo("a", { match: [httpMatch()] }))[0]?.match?.caseSensitive, true);
  assert.equal(routes(ruleTo("a", { match: [httpMatch({ ignoreUriCase: true })] }))[0]?.match?.caseSensitive, false);
});

test("headers are sorted, pseudo headers last, and presence has two spellings", () => {
  const match = httpMatch({
    headers: { b: { kind: "present" }, a: { kind: "regex", value: "*" } },
    withoutHeaders: { aa: { kind: "exact", value: "1" }, ab: { kind: "present" } },
    method: { kind: "exact", value: "GET" },
    scheme: { kind: "exact", value: "http" },
    authority: { kind: "prefix", value: "x" },
  });
  const headers = routes(ruleTo("a", { match: [match] }))[0]?.match?.headers ?? [];
  assert.deepEqual(
    headers.map((header) => [header.name, header.headerMatchSpecifier.case, header.invertMatch, header.treatMissingHeaderAsEmpty]),
    [
      ["a", "presentMatch", false, false],
      ["aa", "stringMatch", true, true],
      ["ab", "presentMatch", true, false],
      ["b", "presentMatch", false, false],
      [":method", "stringMatch", false, false],
      [":authority", "stringMatch", false, false],
      [":scheme", "stringMatch", false, false],
    ],
  );
});

test("claims of the token are matched as metadata", () => {
  const match = httpMatch({ headers: { "@request.auth.claims[group][id]": { kind: "exact", value: "1" } } });
  const [metadata] = routes(ruleTo("a", { match: [match] }))[0]?.match?.dynamicMetadata ?? [];
  assert.deepEqual(
    metadata?.path.map(({ segment }) => segment.value),
    ["payload", "group", "id"],
  );
});

test("a lone destination is a cluster whatever its weight; of several, weight 0 falls out", () => {
  assert.equal(action(httpRule({ route: [TO("a")] })).clusterSpecifier.case, "cluster");
  const weighted = action(httpRule({ route: [TO("a", 1), TO("b", 0), TO("c", 9)] })).clusterSpecifier;
  assert.ok(weighted.case === "weightedClusters");
  assert.deepEqual(
    weighted.value.clusters.map(({ name, weight }) => [name, weight]),
    [
      ["outbound|80||a", 1],
      ["outbound|80||c", 9],
    ],
  );
});

test("the host is rewritten as the rewrite says, else the route's headers, else a lone destination's", () => {
  const route = { request: { set: { Host: "route" }, add: {}, remove: [] } };
  const lone = { ...TO("a"), headers: { request: { set: { ":authority": "destination" }, add: {}, remove: [] } } };
  const rewrite = { uri: "", authority: "rewrite" };
  assert.equal(action(httpRule({ route: [lone], headers: route, rewrite })).hostRewriteSpecifier.value, "rewrite");
  assert.equal(action(httpRule({ route: [lone], headers: route })).hostRewriteSpecifier.value, "route");
  assert.equal(action(httpRule({ route: [lone] })).hostRewriteSpecifier.value, "destination");
});

test("set comes before add, each sorted, without host and pseudo headers", () => {
  const headers = { request: { set: { b: "1", a: "2", ":path": "x" }, add: { c: "3", host: "y" }, remove: ["host", "d"] } };
  const [route] = routes(ruleTo("a", { headers }));
  assert.deepEqual(
    route?.requestHeadersToAdd.map(({ header }) => header?.key),
    ["a", "b", "c"],
  );
  assert.deepEqual(route?.requestHeadersToRemove, ["d"]);
});

test("percentages are cut after multiplication in floating point", () => {
  const mirrors = [0.57, 1.13, 2.01, 0].map((value) => ({ destination: TO("m").destination, percentage: { value } }));
  const policies = action(ruleTo("a", { mirrors })).requestMirrorPolicies;
  assert.deepEqual(
    policies.map(({ runtimeFraction }) => runtimeFraction?.defaultValue?.numerator),
    [5699, 11299, 20099],
  );
});

test("a redirect writes no port that its scheme implies, and an unknown status leaves no action", () => {
  const redirect = { uri: "/x", authority: "", scheme: "", redirectCode: 0, prefixRewrite: "" };
  const portOf = (rule: HttpRoute) => {
    const [route] = routes(rule);
    return route?.action.case === "redirect" ? route.action.value.portRedirect : undefined;
  };
  assert.equal(portOf(httpRule({ redirect: { ...redirect, port: { kind: "derived", value: "FROM_REQUEST_PORT" } } })), 0);
  assert.equal(portOf(httpRule({ redirect: { ...redirect, scheme: "https", port: { kind: "derived", value: "FROM_REQUEST_PORT" } } })), 80);
  assert.equal(routes(httpRule({ redirect: { ...redirect, redirectCode: 304 } }))[0]?.action.case, undefined);
});

test("status codes in retryOn become a list, named by a condition; zero attempts switch retries off", () => {
  const retry = action(ruleTo("a", { retries: { attempts: 3, retryOn: "503" } })).retryPolicy;
  assert.equal(retry?.retryOn, ",retriable-status-codes");
  assert.deepEqual(retry?.retriableStatusCodes, [503]);
  assert.equal(action(ruleTo("a", { retries: { attempts: 0, retryOn: "" } })).retryPolicy, undefined);
  assert.equal(action(ruleTo("a")).retryPolicy?.numRetries, 2);
});

test("a hash keeps retries of a lone destination on the host it names, but not those of a default route", () => {
  const hash = { key: { kind: "source-ip" }, algorithm: { kind: "default" }, minimumRingSize: 0 } as const;
  const rule = destinationRule(API, { policy: { portLevelSettings: [], loadBalancer: { consistentHash: hash } } });
  const [host] = routesFor("80", scopeOf([scoped(service(API), rule)], [virtualService([API], [ruleTo(API)])])).virtualHosts;
  const ruled = host?.routes[0]?.action.value as RouteAction;
  assert.equal(ruled.hashPolicy.length, 1);
  assert.equal(ruled.retryPolicy?.retryHostPredicate.length, 0);
  const [plain] = routesFor("80", scopeOf([scoped(service(API), rule)])).virtualHosts;
  const fallback = plain?.routes[0]?.action.value as RouteAction;
  assert.equal(fallback.hashPolicy.length, 1);
  assert.equal(fallback.retryPolicy?.retryHostPredicate.length, 1);
});

test("a trace names the one cluster's host, else the VirtualService", () => {
  assert.equal(routes(ruleTo("a"))[0]?.decorator?.operation, "a:80/*");
  const two = httpRule({ route: [TO("a", 1), TO("b", 1)], match: [httpMatch({ uri: { kind: "exact", value: "/x" } })] });
  assert.equal(routes(two)[0]?.decorator?.operation, "rules:80/x");
});
