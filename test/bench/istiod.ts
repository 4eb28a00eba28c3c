import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MeshSize, meshDocuments, meshNodes } from "./mesh.ts";

const ROUNDS = "10";

/**
 * Milliseconds of CPU that a real istiod needs for one sidecar of a mesh, its cache off: InitPushContext, then clusters, endpoints, listeners and routes.
 * `tool` is a program that measures it for a folder of input (`-bench ROUNDS DIR`) and prints a line `total … ms CPU`.
 */
export function istiodCost(tool: string, size: MeshSize): number {
  const dir = mkdtempSync(join(tmpdir(), "almanac-bench-"));
  try {
    writeMesh(dir, size);
    const { stdout, stderr, status } = spawnSync(tool, ["-bench", ROUNDS, dir], { encoding: "utf8" });
    const total = /^total\s+([\d.]+) ms CPU/m.exec(stdout)?.[1];
    if (status !== 0 || total === undefined) throw new Error(`${tool} measured nothing: ${stderr || stdout}`);
    return Number(total);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function writeMesh(dir: string, size: MeshSize): void {
  mkdirSync(join(dir, "input"));
  const objects = meshDocuments(size).map((document) => JSON.stringify(document));
  writeFileSync(join(dir, "input", "mesh.yaml"), objects.join("\n---\n"));
  const nodes = meshNodes(1, size).map(({ id, metadata }, index) => ({ name: `node-${index}`, node: { id, metadata } }));
  writeFileSync(join(dir, "case.yaml"), JSON.stringify({ about: "A synthetic mesh.", nodes }));
}
