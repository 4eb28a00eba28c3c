import type { Layer } from "#core/edition/layer.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import type { PlacedLayer, ScopePlacement } from "#core/node/placement.ts";
import { faultText } from "./attempt.ts";
import type { FailedLayer } from "./compile.ts";

/** What becomes of layers that could not be rendered. */
export interface KeptLayers {
  /** Those that there were before, as they were. */
  readonly layers: ReadonlyMap<string, Layer>;
  readonly diagnostics: readonly Diagnostic[];
}

const CODE = "ALM0602";

/** Keeps the layers of before for those that can't be rendered now, and says so, once a fault. Nodes whose layer there never was wait. */
export function keepLayers(failed: ReadonlyMap<string, FailedLayer>, before: (key: string) => Layer | undefined): KeptLayers {
  const layers = new Map<string, Layer>();
  const said = new Set<unknown>();
  const diagnostics: Diagnostic[] = [];
  for (const [key, failure] of failed) {
    const layer = before(key);
    if (layer !== undefined) layers.set(key, layer);
    if (!said.has(failure.fault)) diagnostics.push(unrendered(failure, layer !== undefined));
    said.add(failure.fault);
  }
  return { layers, diagnostics };
}

function unrendered(failure: FailedLayer, kept: boolean): Diagnostic {
  const { cluster, namespace, what } = describe(failure.placed);
  const outcome = kept ? "its nodes keep what they have" : "its nodes wait";
  const message = `a fault of Almanac's own: ${what} (layer ${failure.placed.key}) can't be rendered, ${outcome}: ${faultText(failure)}`;
  return { severity: "error", code: CODE, check: "analysis", refused: false, key: { cluster, kind: "", namespace, name: "" }, field: "", message };
}

interface Described {
  readonly cluster: string;
  readonly namespace: string;
  /** For people. */
  readonly what: string;
}

function describe(placed: PlacedLayer): Described {
  switch (placed.kind) {
    case "scope":
      return ofScope(placed.placement, `what ${proxies(placed.placement)} see`);
    case "vantage": {
      const { scope, vantage } = placed.placement;
      const place = `as seen from cluster ${vantage.cluster}${vantage.network === "" ? "" : `, network ${vantage.network}`}`;
      if (scope === undefined) return { cluster: vantage.cluster, namespace: "", what: `the endpoints of all services ${place}` };
      return ofScope(scope, `the endpoints that are special to ${proxies(scope)} ${place}`);
    }
    case "workload": {
      const { scope, literals } = placed.placement;
      const name = literals.canonicalName || literals.workloadName;
      return ofScope(scope, `what ${proxies(scope)}${name === "" ? "" : ` of workload ${name}`} take in`);
    }
    case "node": {
      const { workload, addresses } = placed.placement;
      return ofScope(workload.scope, `what the proxy at ${addresses[0] ?? "no address"} has of its own`);
    }
  }
}

function ofScope({ cluster, namespace }: ScopePlacement, what: string): Described {
  return { cluster, namespace, what };
}

function proxies({ type, namespace }: ScopePlacement): string {
  return `${type}s of namespace ${namespace}`;
}
