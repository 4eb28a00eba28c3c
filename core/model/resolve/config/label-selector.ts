import type { LabelSelector } from "#core/lib/label-selector.ts";
import type { LabelSelector as Message } from "#proto/mesh/v1alpha1/config_pb.js";

/** A selector of Kubernetes' form, out of mesh config. */
export function labelSelectorOf({ matchLabels, matchExpressions }: Message): LabelSelector {
  return { matchLabels, matchExpressions: matchExpressions.map(({ key, operator, values }) => ({ key, operator, values })) };
}
