import assert from "node:assert/strict";
import { test } from "node:test";
import { statName } from "#core/translate/stat-name.ts";

const PATTERN = "%SERVICE%|%SERVICE_NAME%|%SERVICE_FQDN%|%SUBSET_NAME%|%SERVICE_PORT%|%SERVICE_PORT_NAME%|%TARGET_PORT%";
const subject = { host: "api.shop.svc.cluster.local", subset: "v1", port: 80, portName: "http" };

test("Kubernetes Services go by their name, everything else by its host", () => {
  const service = { registry: "Kubernetes", name: "api", namespace: "shop" } as const;
  assert.equal(statName(PATTERN, { ...subject, service, targetPort: 0 }), "api.shop|api|api.shop.svc.cluster.local|v1|80|http|0");
  assert.equal(statName("%SERVICE% %SERVICE_NAME%", subject), "api.shop.svc.cluster.local api.shop.svc.cluster.local");
});

test("a target port that is not known stays as it is written", () => {
  assert.equal(statName("%TARGET_PORT%", subject), "%TARGET_PORT%");
});
