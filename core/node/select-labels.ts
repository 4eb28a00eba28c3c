import type { LabelSet } from "./rules.ts";

/** Does a node with `labels` have everything that `selector` asks for? An empty selector asks for nothing. */
export function selects(selector: LabelSet, labels: LabelSet): boolean {
  for (const key in selector) if (labels[key] !== selector[key]) return false;
  return true;
}

/**
 * The union of the selectors that match: a smallest label set that matches exactly the same selectors as `labels` does, since a selector inside the
 * union is inside `labels` too. So it stands for all verdicts at once, and whoever resolves for it gets what the node itself would get.
 */
export function matchedLabels(selectors: readonly LabelSet[], labels: LabelSet): LabelSet {
  const union: Record<string, string> = {};
  for (const selector of selectors) if (selects(selector, labels)) Object.assign(union, selector);
  return union;
}
