import assert from "node:assert/strict";
import { test } from "node:test";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import { chooseRule, rulesFor } from "#core/model/resolve/rules/find-rule.ts";
import { meshOf } from "#test/support/resolve.ts";

const HOST = "web.shop.svc.cluster.local";

/** `shop/a host=web {spec}` */
function rule(name: string, spec: string): string {
  const [namespace = "", own = ""] = name.split("/");
  return `{apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: {name: ${own}, namespace: ${namespace}}, spec: {${spec}}}\n---\n`;
}

interface Asking {
  readonly client?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly meshConfig?: unknown;
}

function found(yaml: string, { client = "shop", labels = {}, meshConfig }: Asking = {}): DestinationRule | undefined {
  const mesh = meshOf(yaml, meshConfig === undefined ? {} : { meshConfig });
  const { rules } = rulesFor(mesh.destinationRules, { client, service: { host: HOST, namespace: "shop" }, root: "istio-system" });
  return chooseRule(rules, client, labels);
}

function path(rule: DestinationRule | undefined): string {
  return rule === undefined ? "none" : `${rule.namespace}/${rule.name}`;
}

const DIRECT = "host: web.shop.svc.cluster.local";

test("the client's namespace comes before the service's, and that before the root namespace", () => {
  const own = rule("books/own", DIRECT);
  const atService = rule("shop/service", DIRECT);
  const root = rule("istio-system/root", DIRECT);
  assert.equal(path(found(own + atService + root, { client: "books" })), "books/own");
  assert.equal(path(found(atService + root, { client: "books" })), "shop/service");
  assert.equal(path(found(root, { client: "books" })), "istio-system/root");
  assert.equal(path(found(rule("infra/other", DIRECT), { client: "books" })), "none");
});

test("a wildcard in an earlier place beats an exact host in a later one", () => {
  const yaml = rule("books/wide", 'host: "*.local"') + rule("shop/exact", DIRECT);
  assert.equal(path(found(yaml, { client: "books" })), "books/wide");
});

test("within a place the most specific host wins", () => {
  const yaml = rule("shop/wide", 'host: "*.local"') + rule("shop/narrow", 'host: "*.shop.svc.cluster.local"') + rule("shop/exact", "host: web");
  assert.equal(path(found(yaml)), "shop/exact");
  assert.equal(path(found(rule("shop/wide", 'host: "*.local"') + rule("shop/narrow", 'host: "*.shop.svc.cluster.local"'))), "shop/narrow");
});

test("a client in the root namespace looks at its private rules, then at the service's namespace", () => {
  const yaml = rule("istio-system/public", DIRECT) + rule("shop/service", DIRECT);
  assert.equal(path(found(yaml, { client: "istio-system" })), "shop/service");
  const withPrivate = yaml + rule("istio-system/private", `${DIRECT}, exportTo: ["."]`);
  assert.equal(path(found(withPrivate, { client: "istio-system" })), "istio-system/private");
});

test("rules of one host join by age: subsets of new names, a policy where there is none", () => {
  const yaml =
    rule("shop/first", "host: web, subsets: [{name: v1, labels: {version: v1}}]") +
    rule("shop/second", `${DIRECT}, trafficPolicy: {loadBalancer: {simple: RANDOM}}, subsets: [{name: v1, labels: {version: other}}, {name: v2}]`) +
    rule("shop/third", "host: web, trafficPolicy: {loadBalancer: {simple: ROUND_ROBIN}}");
  const merged = found(yaml);
  assert.equal(path(merged), "shop/first");
  assert.equal(merged?.policy?.loadBalancer?.simple, "RANDOM");
  assert.deepEqual(merged?.subsets, [
    { name: "v1", labels: { version: "v1" } },
    { name: "v2", labels: {} },
  ]);
  assert.deepEqual(
    merged?.sources.map((key) => key.name),
    ["first", "second", "third"],
  );
});

test("rules exported differently stand side by side, and the last one counts", () => {
  const yaml = rule("shop/public", DIRECT) + rule("shop/some", `${DIRECT}, exportTo: [shop, books]`);
  assert.equal(path(found(yaml)), "shop/some");
  assert.equal(path(found(yaml, { client: "books" })), "shop/some");
  assert.equal(path(found(yaml, { client: "infra" })), "shop/public");
});

test("a rule exported to more namespaces than an older one joins it and is lost for the others", () => {
  const yaml =
    rule("shop/few", `${DIRECT}, exportTo: [books], subsets: [{name: v1}]`) +
    rule("shop/more", `${DIRECT}, exportTo: [books, infra], subsets: [{name: v2}]`);
  assert.deepEqual(
    found(yaml, { client: "books" })?.subsets.map((subset) => subset.name),
    ["v1", "v2"],
  );
  assert.equal(path(found(yaml, { client: "infra" })), "none");
});

test("a rule for selected workloads replaces the general one for them, in its own namespace only", () => {
  const yaml = rule("shop/selected", `${DIRECT}, workloadSelector: {matchLabels: {app: cart}}`) + rule("shop/general", DIRECT);
  assert.equal(path(found(yaml, { labels: { app: "cart" } })), "shop/selected");
  assert.equal(path(found(yaml, { labels: { app: "other" } })), "shop/general");
  assert.equal(path(found(yaml, { client: "books", labels: { app: "cart" } })), "shop/general");
});

test("a general rule that is private is not swallowed by a selected one (Istio issue 58322)", () => {
  const yaml =
    rule("shop/selected", `${DIRECT}, workloadSelector: {matchLabels: {app: cart}}`) +
    rule("shop/general", `${DIRECT}, exportTo: ["."], subsets: [{name: v1}]`);
  assert.equal(path(found(yaml, { labels: { app: "other" } })), "shop/general");
  assert.deepEqual(found(yaml, { labels: { app: "cart" } })?.subsets, []);
});

test("selected rules join only if they select alike, and the oldest that fits wins", () => {
  const yaml =
    rule("shop/a", `${DIRECT}, workloadSelector: {matchLabels: {app: cart}}, subsets: [{name: v1}]`) +
    rule("shop/b", `${DIRECT}, workloadSelector: {matchLabels: {app: cart}}, subsets: [{name: v2}]`) +
    rule("shop/c", `${DIRECT}, workloadSelector: {matchLabels: {tier: front}}, subsets: [{name: v3}]`);
  const both = found(yaml, { labels: { app: "cart", tier: "front" } });
  assert.deepEqual(
    both?.subsets.map((subset) => subset.name),
    ["v1", "v2"],
  );
  assert.deepEqual(
    found(yaml, { labels: { tier: "front" } })?.subsets.map((subset) => subset.name),
    ["v3"],
  );
});

test("the mesh's default only knows whether rules are private", () => {
  const meshConfig = { defaultDestinationRuleExportTo: ["."] };
  assert.equal(path(found(rule("shop/a", DIRECT), { client: "books", meshConfig })), "none");
  assert.equal(path(found(rule("shop/a", `${DIRECT}, exportTo: ["*"]`), { client: "books", meshConfig })), "shop/a");
});

test("a rule without a host that fits is nobody's", () => {
  assert.equal(path(found(rule("shop/other", "host: db"))), "none");
});
