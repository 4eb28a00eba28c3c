import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { analyzeMesh } from "#core/model/resolve/analyze-mesh.ts";
import { resolveMesh } from "#core/model/resolve/mesh.ts";
import { readOracleCase } from "#test/support/oracle-case.ts";
import { CASES } from "./cases.ts";

/**
 * What Istio's own analysis (`pkg/config/analysis`, all analyzers, Kubernetes objects included) finds in the cases, as `CODE severity Kind namespace/name`;
 * validation and hints on namespaces apart.
 */
const ISTIO = JSON.parse(readFileSync(join(import.meta.dirname, "analysis.json"), "utf8")) as Readonly<Record<string, readonly string[]>>;

/** Codes that Istio gives more often, and why Almanac does not. */
const MORE_IN_ISTIO: Readonly<Record<string, string>> = {
  IST0126: "Istio's analysis only knows clusters by their secrets, not by what it is given of them",
  IST0127: "Istio only counts Pods that it injected; Almanac serves others too",
  IST0160: "Istio counts Telemetries that are for a Gateway or a Service among those for the namespace",
  IST0162: "Istio's analysis does not know that a port without protocol is TCP",
  IST0173: "Istio does not count WorkloadEntries, endpoints of ServiceEntries, and labels of clusters",
  IST0174: "Istio takes a rule's wildcard for the name of a ServiceEntry",
};

/** Single findings of Istio's that are not Almanac's. */
const ISTIO_ALONE: Readonly<Record<string, string>> = {
  "IST0101 error Gateway shop/edge": "Istio's own router is taken to be there, as istioctl does with files",
  "IST0101 error Gateway istio-system/own": "names with a scheme are no names of Secrets",
  "IST0101 error VirtualService media/gallery": "the old form of a gateway's name counts as well",
  "IST0132 warning VirtualService media/gallery": "likewise",
  "IST0109 error VirtualService ledger/by-default": "the mesh's default visibility keeps the two apart",
  "IST0109 error VirtualService ledger/to-shop": "likewise",
  "IST0109 error VirtualService shop/warns-ip-sni": "the other one is refused",
  "IST0138 warning Gateway shop/warns": "the other one is refused",
  "IST0145 error Gateway shop/warns": "the other one is refused",
};

/** Findings of Almanac's that Istio lacks; none may be an error but these. */
const ERRORS_OF_ALMANAC: Readonly<Record<string, string>> = {
  "IST0145 error Gateway edge/g5": "of two servers of one Gateway on one port Istio's analysis only looks at the last",
};

for (const [name, istio] of Object.entries(ISTIO)) {
  test(`analysis of ${name} finds what Istio's does`, () => {
    const { inventory, meshConfig, networks, diagnostics } = readOracleCase(join(CASES, name));
    const options = { domainSuffix: "cluster.local", configCluster: "Kubernetes", ...(networks !== undefined && { networks }) };
    const mesh = resolveMesh(inventory, { ...options, ...(meshConfig !== undefined && { meshConfig }) });
    const refused = new Set(diagnostics.filter((one) => one.refused).map(({ key }) => nameOf(key)));
    const ours = new Set(analyzeMesh(mesh).diagnostics.map(({ code, severity, key }) => `${code} ${severity} ${nameOf(key)}`));
    const theirs = istio.filter((line) => !refused.has(line.split(" ").slice(2).join(" ")));
    const missing = theirs.filter((line) => !ours.has(line) && ISTIO_ALONE[line] === undefined && MORE_IN_ISTIO[line.slice(0, 7)] === undefined);
    assert.deepEqual(missing, []);
    const errors = [...ours].filter((line) => line.includes(" error ") && !theirs.includes(line) && ERRORS_OF_ALMANAC[line] === undefined);
    assert.deepEqual(errors, []);
  });
}

function nameOf({ kind, namespace, name }: ObjectKey): string {
  return `${kind} ${namespace === "" ? name : `${namespace}/${name}`}`;
}
