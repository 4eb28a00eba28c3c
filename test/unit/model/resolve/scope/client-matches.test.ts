import assert from "node:assert/strict";
import { test } from "node:test";
import { allForClient, clientVerdicts, forClient, type RouteClient } from "#core/model/resolve/scope/client-matches.ts";
import { httpMatch, ruleTo, virtualService } from "#test/support/scope.ts";

const CART: RouteClient = { namespace: "shop", labels: { app: "cart" }, gateways: new Set(["mesh"]) };
const L4 = { destinationSubnets: [], port: 0, sourceLabels: {}, gateways: [], sourceNamespace: "" };

test("a rule that looks at nothing of the client keeps its identity", () => {
  const rule = virtualService(["web"], [ruleTo("api", { match: [httpMatch({ port: 80 })] })]);
  assert.equal(forClient(rule, CART), rule);
  const fitting = virtualService(["web"], [ruleTo("api", { match: [httpMatch({ sourceLabels: { app: "cart" }, sourceNamespace: "shop" })] })]);
  assert.equal(forClient(fitting, CART), fitting);
});

test("an HTTP match with gateways does not look at the source", () => {
  const match = httpMatch({ gateways: ["mesh"], sourceLabels: { app: "other" } });
  const rule = virtualService(["web"], [ruleTo("api", { match: [match] })]);
  assert.equal(forClient(rule, CART), rule);
});

test("TCP and TLS matches look at gateways and source", () => {
  const match = { ...L4, gateways: ["mesh"], sourceLabels: { app: "other" } };
  const rule = virtualService(["web"], [], { tcp: [{ match: [match], route: [] }], tls: [{ match: [{ ...match, sniHosts: ["web"] }], route: [] }] });
  const reduced = forClient(rule, CART);
  assert.deepEqual([reduced.tcp, reduced.tls], [[], []]);
});

test("a route goes with its last match, and one without matches stays", () => {
  const foreign = httpMatch({ sourceNamespace: "books" });
  const rule = virtualService(["web"], [ruleTo("a", { match: [foreign] }), ruleTo("b", { match: [foreign, httpMatch()] }), ruleTo("c")]);
  const reduced = forClient(rule, CART);
  assert.deepEqual(
    reduced.http.map(({ match }) => match.length),
    [1, 0],
  );
});

test("clients with equal verdicts get the same value", () => {
  const rule = virtualService(["web"], [ruleTo("a", { match: [httpMatch({ sourceLabels: { app: "x" } })] })]);
  const other: RouteClient = { ...CART, labels: { app: "other" } };
  assert.equal(clientVerdicts([rule], CART), clientVerdicts([rule], other));
  assert.equal(forClient(rule, CART), forClient(rule, other));
  assert.equal(allForClient([rule], CART)[0], forClient(rule, other));
});
