import assert from "node:assert/strict";
import { test } from "node:test";
import { podWorkloadName } from "#core/model/resolve/registry/pod-name.ts";
import type { SourceObject } from "#core/sources/object.ts";

function nameOf(kind: string, owner: string, labels: Record<string, string> = {}, generateName = "x-"): string {
  const key = { cluster: "", kind: "Pod", namespace: "shop", name: "pod" };
  return podWorkloadName({ key, labels, generateName, owners: [{ kind, name: owner, controller: true }] } as unknown as SourceObject<"Pod">);
}

test("a ReplicaSet that ends in its Pods' template hash names a Deployment or a Rollout", () => {
  assert.equal(nameOf("ReplicaSet", "web-abc", { "pod-template-hash": "abc" }), "web");
  assert.equal(nameOf("ReplicaSet", "web-abc", { "rollouts-pod-template-hash": "abc" }), "web");
  assert.equal(nameOf("ReplicaSet", "web-xyz", { "pod-template-hash": "abc" }), "web-xyz");
});

test("a Job that ends in a time belongs to a CronJob", () => {
  assert.equal(nameOf("Job", "nightly-28123456"), "nightly");
  assert.equal(nameOf("Job", "once-123"), "once-123");
});

test("a Pod whose name nobody generated is its own workload, and a label beats everything", () => {
  assert.equal(nameOf("StatefulSet", "db", {}, ""), "pod");
  assert.equal(nameOf("StatefulSet", "db"), "db");
  assert.equal(nameOf("StatefulSet", "db", { "service.istio.io/workload-name": "other" }), "other");
});
