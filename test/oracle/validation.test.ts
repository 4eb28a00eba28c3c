import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { formatObjectKey } from "#core/lib/object-key.ts";
import { readOracleCase } from "#test/support/oracle-case.ts";
import { CASES, caseNames } from "./cases.ts";

/** What istiod's admission says of one object; objects that are fine are not listed. */
interface Verdict {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly error?: string;
  readonly warning?: string;
}

const MORE = join(import.meta.dirname, "validation");
const folders = [...caseNames().map((name) => join(CASES, name)), ...readdirSync(MORE).map((name) => join(MORE, name))];

for (const folder of folders.filter((one) => existsSync(join(one, "expected/validation.json")))) {
  test(`${folder.slice(import.meta.dirname.length + 1)}: the same objects are refused and warned of`, () => {
    const verdicts = JSON.parse(readFileSync(join(folder, "expected/validation.json"), "utf8")) as readonly Verdict[];
    const { inventory, diagnostics } = readOracleCase(folder);
    const ours = diagnostics.filter(({ check, key }) => check === "validation" && key.cluster === inventory.configCluster);
    const keys = (refused: boolean): readonly string[] => [
      ...new Set(ours.filter((one) => one.refused === refused).map((one) => formatObjectKey(one.key))),
    ];
    const theirs = (part: "error" | "warning"): readonly string[] =>
      verdicts.filter((one) => one[part] !== undefined).map((one) => formatObjectKey({ cluster: inventory.configCluster, ...one }));
    assert.deepEqual([...keys(true)].sort(), [...theirs("error")].sort());
    assert.deepEqual([...keys(false)].sort(), [...theirs("warning")].sort());
    for (const one of ours)
      assert.ok(one.message !== "" && one.file !== undefined && one.line !== undefined && one.field !== "", JSON.stringify(one));
  });
}
