import assert from "node:assert/strict";
import { test } from "node:test";
import { storedDiagnostics } from "#core/edition/diagnostics.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { type Build, build } from "#core/pipeline/build.ts";
import { admit } from "#core/sources/admit.ts";
import { emptyInventory, replaceAll } from "#core/sources/inventory.ts";
import { parseYaml } from "#functions/io/yaml.ts";

const OPTIONS = { domainSuffix: "cluster.local", configCluster: "Kubernetes" };

function built(yaml: string, previous?: Build): Build {
  const documents = parseYaml(yaml).documents.map(({ value }) => ({ value }));
  const admitted = admit(documents, { cluster: "Kubernetes" });
  const inventory = replaceAll(previous?.input.inventory ?? emptyInventory(), "Kubernetes", admitted);
  const input = { inventory, options: OPTIONS, allocate: false, census: [], admission: admitted.diagnostics, builder: "test" };
  return build(input, previous?.edition, previous);
}

const codes = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ code, key }) => `${code} ${key.name}`).sort();

const ROUTE = `
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: front, namespace: shop}
spec: {hosts: [front.example.com], http: [{route: [{destination: {host: web}}]}]}
`;
const REFUSED = ROUTE.replace("front.example.com", '"*"').replace("name: front", "name: refused");
const SERVICE = "\napiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {ports: [{name: http, port: 80}]}\n";

test("an edition says what is wrong with its objects, each alone and together", () => {
  const { edition } = built(`${ROUTE}---${REFUSED}`);
  assert.deepEqual(codes(storedDiagnostics(edition.diagnostics)), ["IST0101 front", "IST0106 refused"]);
});

test("what is put right is not said again", () => {
  const first = built(`${ROUTE}---${REFUSED}`);
  const second = built(`${ROUTE}---${SERVICE}`, first);
  assert.deepEqual(storedDiagnostics(second.edition.diagnostics), []);
  assert.equal(second.edition.generation, 2);
});

test("the same objects give the same edition, built at once or step by step", () => {
  const whole = built(`${ROUTE}---${REFUSED}`);
  const steps = built(`${ROUTE}---${REFUSED}`, built(`${ROUTE}---${SERVICE}`));
  assert.deepEqual(new Set(storedDiagnostics(steps.edition.diagnostics)), new Set(storedDiagnostics(whole.edition.diagnostics)));
  assert.equal(built(`${ROUTE}---${REFUSED}`, whole).edition, whole.edition);
});
