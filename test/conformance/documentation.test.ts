import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, it } from "node:test";
import { packageRoot } from "#functions/io/api.ts";

const ROOT = packageRoot();
const RECORDS = join(ROOT, "docs/design");

function texts(): readonly string[] {
  const found = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).map((path) => join("docs", path));
  return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...found].filter((path) => path.endsWith(".md"));
}

describe("documentation", () => {
  it("links lead somewhere", () => {
    const broken = texts().flatMap((path) => {
      const links = [...readFileSync(join(ROOT, path), "utf8").matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = ""]) => link);
      return links.filter((link) => !existsSync(join(ROOT, dirname(path), link))).map((link) => `${path}: ${link}`);
    });
    assert.deepEqual(broken, []);
  });

  it("paths of code are there", () => {
    const gone = texts().flatMap((path) => {
      const named = [...readFileSync(join(ROOT, path), "utf8").matchAll(/`((?:core|functions|test|scripts|examples)\/[\w./-]+)`/g)].map(
        ([, code = ""]) => code,
      );
      // Istio has a folder core, too.
      return named.filter((code) => !code.endsWith(".go") && !existsSync(join(ROOT, code))).map((code) => `${path}: ${code}`);
    });
    assert.deepEqual(gone, []);
  });

  it("files that are named alone are there, too", () => {
    const known = new Set(
      ["core", "functions", "test"].flatMap((folder) =>
        readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => basename(path)),
      ),
    );
    const gone = texts().flatMap((path) => {
      const named = [...readFileSync(join(ROOT, path), "utf8").matchAll(/`([\w-]+\.ts)`/g)].map(([, name = ""]) => name);
      return named.filter((name) => !known.has(name)).map((name) => `${path}: ${name}`);
    });
    assert.deepEqual(gone, []);
  });

  it("design records have a number each, a title with it, a status, and a line in the index", () => {
    const records = readdirSync(RECORDS).filter((name) => name !== "README.md");
    const numbers = records.map((name) => name.slice(0, 4));
    assert.deepEqual([...new Set(numbers)], numbers);
    const index = readFileSync(join(RECORDS, "README.md"), "utf8");
    for (const name of records) {
      const [title = "", , status = ""] = readFileSync(join(RECORDS, name), "utf8").split("\n");
      assert.ok(title.startsWith(`# ${name.slice(0, 4)} `), name);
      const line = index.split("\n").find((one) => one.includes(`](${name})`));
      const says = /^Status: ([^.]+)\./.exec(status)?.[1];
      assert.ok(says !== undefined && line?.endsWith(`| ${says} |`), `${name}: "${status}" and "${line}"`);
    }
  });
});
