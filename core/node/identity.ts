import { isAddress } from "#core/lib/address.ts";

/** The four parts of an Istio node id, `type~ip~pod.namespace~dns.domain`. */
export interface NodeIdentity {
  readonly type: "sidecar" | "router";
  /** "" if the id holds no valid address. */
  readonly address: string;
  readonly podId: string;
  readonly dnsDomain: string;
}

/** Istio `pilot/pkg/model/context.go` ParseServiceNodeWithMetadata. Returns the reason, as a sentence, when the id is not understood. */
export function parseNodeId(id: string): NodeIdentity | { readonly error: string } {
  const parts = id.split("~");
  if (parts.length !== 4) return { error: `node id "${id}" has ${parts.length} parts between "~" where 4 are wanted: type~ip~pod.namespace~domain` };
  const [type = "", address = "", podId = "", dnsDomain = ""] = parts;
  if (type !== "sidecar" && type !== "router") return { error: `node id "${id}" names the type "${type}"; sidecar and router are served` };
  return { type, address: isAddress(address) ? address : "", podId, dnsDomain };
}

/** Splits `pod.namespace` at the first dot (istio `kube/controller/util.go` podKeyByProxy). */
export function splitPodId(podId: string): { readonly name: string; readonly namespace: string } {
  const dot = podId.indexOf(".");
  return dot < 0 ? { name: podId, namespace: "" } : { name: podId.slice(0, dot), namespace: podId.slice(dot + 1) };
}
