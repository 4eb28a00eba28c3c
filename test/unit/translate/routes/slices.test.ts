import assert from "node:assert/strict";
import { test } from "node:test";
import { internFrame } from "#core/translate/routes/frame.ts";
import { routesOfVirtualService } from "#core/translate/routes/virtual-service-routes.ts";
import { routeConfiguration } from "#core/translate/routes.ts";
import { destinationRule, httpPort, ruleTo, scoped, scopeOf, service, virtualService } from "#test/support/scope.ts";
import { SETTINGS } from "./support.ts";

const FRAME = internFrame({ port: 80, tls: false, http3: false, appendXForwardedHost: false, includeAttemptCount: true });

test("routes are encoded again only when the object, a destination or a rule changes", () => {
  const rules = virtualService(["api"], [ruleTo("api")]);
  const api = service("api");
  const rule = destinationRule("api");
  const first = routesOfVirtualService(rules, () => ({ service: api, rule }), FRAME);
  assert.equal(
    routesOfVirtualService(rules, () => ({ service: api, rule }), FRAME),
    first,
  );
  assert.notEqual(
    routesOfVirtualService(rules, () => ({ service: api, rule: destinationRule("api") }), FRAME),
    first,
  );
  assert.notEqual(
    routesOfVirtualService(virtualService(["api"], [ruleTo("api")]), () => ({ service: api, rule }), FRAME),
    first,
  );
});

test("a rule that counts for a service that the listener has not is read through that service", () => {
  const api = service("api", { ports: [httpPort(443)] });
  const scope = scopeOf([scoped(api, destinationRule("api")), scoped(service("web"))], [virtualService(["web"], [ruleTo("api")])]);
  const names = routeConfiguration("80", scope, SETTINGS).from.map(({ kind, name }) => `${kind} ${name}`);
  assert.ok(names.includes("Service api"), names.join());
});

test("routes of a port are made of services that hide others which have it: without them, those come up", () => {
  const scope = scopeOf([scoped(service("web")), scoped(service("api", { ports: [httpPort(443)], hiddenPorts: [80] }))]);
  const names = routeConfiguration("80", scope, SETTINGS).from.map(({ kind, name }) => `${kind} ${name}`);
  assert.deepEqual(names, ["Service web", "Service api"]);
});
