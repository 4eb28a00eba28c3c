import { compileNode } from "./compile-node.ts";
import { compileScope, prepareScope } from "./compile-scope.ts";
import { compileVantage } from "./compile-vantage.ts";
import { compileWorkload } from "./compile-workload.ts";

/** Who makes what of a compilation: a parameter, so that a test can see what a fault of one does to the others. */
export interface Renderers {
  readonly prepareScope: typeof prepareScope;
  readonly scope: typeof compileScope;
  readonly vantage: typeof compileVantage;
  readonly workload: typeof compileWorkload;
  readonly node: typeof compileNode;
}

/** Those of the product. */
export const RENDERERS: Renderers = {
  prepareScope,
  scope: compileScope,
  vantage: compileVantage,
  workload: compileWorkload,
  node: compileNode,
};
