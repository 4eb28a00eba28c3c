import type { EntryVisibility, ServiceEntryVisibility } from "#core/model/mesh-config.ts";
import { type ServiceEntryVisibility as Message, ServiceEntryVisibility_Visibility as Value } from "#proto/mesh/v1alpha1/config_pb.js";
import { labelSelectorOf } from "../config/label-selector.ts";

const VISIBILITY: Readonly<Record<number, EntryVisibility>> = { [Value.NONE]: "NONE", [Value.NAMESPACE]: "NAMESPACE", [Value.PUBLIC]: "PUBLIC" };

/** Sidecars are only capped where `applyToSidecars` says so (istio `push_context.go` serviceExportTo). */
export function serviceEntryVisibilityOf(message: Message | undefined): ServiceEntryVisibility | undefined {
  if (message === undefined || !message.applyToSidecars) return undefined;
  return {
    defaultVisibility: VISIBILITY[message.defaultVisibility] ?? "PUBLIC",
    policies: message.policies.map((policy) => ({
      visibility: VISIBILITY[policy.visibility] ?? "PUBLIC",
      namespaceSelectors: policy.matchingRules.map(({ matcher }) => {
        if (matcher.case !== "namespaceSelector") return undefined;
        return labelSelectorOf(matcher.value);
      }),
    })),
  };
}
