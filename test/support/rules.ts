import type { Rules } from "#core/node/rules.ts";

/** Of a mesh without any selector, for which nothing was compiled. */
export const NO_RULES: Rules = {
  rootNamespace: "istio-system",
  sidecars: {},
  clientSelectors: {},
  sourceSelectors: [],
  serviceSelectors: {},
  policySelectors: {},
  gatewaySelectors: [],
  generalReads: [],
  scopeReads: {},
};
