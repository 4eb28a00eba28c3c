import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { CommandFailure } from "#functions/cli/failure.ts";
import { checkSettings, sourcesOf } from "#functions/cli/sources.ts";
import { openLog } from "#functions/io/log.ts";
import { sourceState } from "#functions/watch/source-state.ts";

const ANY = "outboundTrafficPolicy: {mode: ALLOW_ANY}\n";
const NONE_KNOWN = "outboundTrafficPolicy: {mode: REGISTRY_ONLY}\n";

describe("mesh config from a file", () => {
  let folder = "";
  let mesh = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "almanac-sources-"));
    mesh = join(folder, "mesh.yaml");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const options = () => ({ mesh, clusterId: "Kubernetes", domain: "cluster.local", allocateAddresses: true });

  it("stays in force as it last was good, whatever is wrong with the present one", () => {
    const lines: string[] = [];
    writeFileSync(mesh, NONE_KNOWN);
    const sources = sourcesOf(sourceState("Kubernetes"), options(), openLog({ write: (line) => lines.push(line) }));
    const good = sources();
    assert.deepEqual(good.options.meshConfig, { outboundTrafficPolicy: { mode: "REGISTRY_ONLY" } });

    writeFileSync(mesh, "outboundTrafficPolicy: {mode: NOPE}\n");
    const refused = sources();
    assert.equal(refused.options, good.options);
    assert.deepEqual(
      refused.admission?.map(({ key, field }) => [key.kind, field]),
      [["MeshConfig", "outboundTrafficPolicy.mode"]],
    );
    assert.equal(sources().admission, refused.admission);

    writeFileSync(mesh, "outboundTrafficPolicy: [\n");
    assert.equal(sources().options, good.options);
    assert.equal(lines.length, 2);

    writeFileSync(mesh, ANY);
    assert.deepEqual(sources().options.meshConfig, { outboundTrafficPolicy: { mode: "ALLOW_ANY" } });
    assert.deepEqual(sources().admission, []);
  });

  it("must be good at the start", () => {
    const state = sourceState("Kubernetes");
    const isUnreadable = (error: unknown) => error instanceof CommandFailure && error.exitCode === 2;
    assert.throws(() => checkSettings(state, options()), isUnreadable);
    writeFileSync(mesh, "outboundTrafficPolicy: {mode: NOPE}\n");
    assert.throws(() => checkSettings(state, options()), isUnreadable);
    writeFileSync(mesh, ANY);
    checkSettings(state, options());
  });
});
