import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnosticDocuments, storedDiagnostics } from "#core/edition/diagnostics.ts";
import { storedEdition, writeEdition } from "#core/edition/edition-record.ts";
import { ByteWriter } from "#core/lib/byte-writer.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { edition } from "./sample.ts";

const ONE: Diagnostic = {
  severity: "error",
  code: "IST0101",
  check: "analysis",
  refused: false,
  key: { cluster: "c", kind: "VirtualService", namespace: "shop", name: "web" },
  field: "spec.gateways[0]",
  message: "there is no Gateway shop/gone",
};

test("what is stored of a diagnostic is all but where its object was read", () => {
  const documents = diagnosticDocuments([{ ...ONE, file: "a.yaml", line: 3 }]);
  assert.equal(diagnosticDocuments([{ ...ONE, file: "b.yaml", line: 9 }], documents), documents);
});

test("one thing said twice is one, two things said of one field are two", () => {
  const other = { ...ONE, message: "no server takes its hosts" };
  const documents = diagnosticDocuments([ONE, { ...ONE }, other]);
  assert.deepEqual(new Set(storedDiagnostics(documents)), new Set([ONE, other]));
  assert.deepEqual(storedDiagnostics(diagnosticDocuments([other], documents)), [other]);
});

test("an edition is another one where only its diagnostics are", () => {
  const first = edition({});
  const second = edition({}, first, { diagnostics: diagnosticDocuments([ONE]) });
  assert.equal(second.generation, 2);
  assert.notEqual(second.id, first.id);
});

test("an edition from before there were any is read as one without", () => {
  const writer = new ByteWriter();
  writeEdition(edition({}), writer);
  const { diagnostics, ...record } = JSON.parse(new TextDecoder().decode(writer.view())) as Record<string, unknown>;
  const bytes = new TextEncoder().encode(JSON.stringify(record));
  const loaded = storedEdition("id", { read: () => bytes, open: () => bytes });
  assert.notEqual(diagnostics, undefined);
  assert.equal(loaded.diagnostics.size, 0);
});
