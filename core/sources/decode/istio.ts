import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { type JsonProblem, messageFromJson } from "#core/lib/protobuf/from-json.ts";
import { ServiceEntrySchema, ServiceEntryStatusSchema } from "#proto/networking/v1alpha3/service_entry_pb.js";
import { WorkloadEntrySchema } from "#proto/networking/v1alpha3/workload_entry_pb.js";
import { PeerAuthenticationSchema } from "#proto/security/v1beta1/peer_authentication_pb.js";
import type { Spec } from "../kinds.ts";
import type { Document } from "./kubernetes.ts";

/** The decoder of an Istio kind: its spec by the generated type. */
export function decodeSpec<D extends DescMessage>(schema: D): (document: Document, problems: JsonProblem[]) => MessageShape<D> {
  return (document, problems) => {
    const found: JsonProblem[] = [];
    const spec = messageFromJson(schema, document.spec, found);
    for (const { path, message } of found) problems.push({ path: path === "" ? "spec" : `spec.${path}`, message });
    return spec;
  };
}

const serviceEntry = decodeSpec(ServiceEntrySchema);
const workloadEntry = decodeSpec(WorkloadEntrySchema);

/** A status that can't be read counts as none (`pilot/pkg/config/kube/crd/conversion.go`). */
export function decodeServiceEntry(document: Document, problems: JsonProblem[]): Spec<"ServiceEntry"> {
  const entry = serviceEntry(document, problems);
  if (document.status === undefined || document.status === null) return { entry };
  const ignored: JsonProblem[] = [];
  const status = messageFromJson(ServiceEntryStatusSchema, document.status, ignored);
  return ignored.length === 0 ? { entry, status } : { entry };
}

const peerAuthentication = decodeSpec(PeerAuthenticationSchema);

/** Only here can an empty `portLevelMtls` be told from an absent one. */
export function decodePeerAuthentication(document: Document, problems: JsonProblem[]): Spec<"PeerAuthentication"> {
  const policy = peerAuthentication(document, problems);
  const { portLevelMtls, port_level_mtls: snake } = (document.spec ?? {}) as { portLevelMtls?: unknown; port_level_mtls?: unknown };
  const ports = portLevelMtls === undefined ? snake : portLevelMtls;
  const noPorts = typeof ports === "object" && ports !== null && Object.keys(ports).length === 0;
  return noPorts ? { ...policy, noPorts } : policy;
}

/** The `Healthy` condition, which Istio's own health checks write (`pilot/pkg/status` GetBoolConditionFromSpec). */
export function decodeWorkloadEntry(document: Document, problems: JsonProblem[]): Spec<"WorkloadEntry"> {
  const entry = workloadEntry(document, problems);
  const conditions = (document.status as { conditions?: unknown } | null | undefined)?.conditions;
  if (!Array.isArray(conditions)) return { entry };
  const healthy = conditions.find((one: unknown) => typeof one === "object" && one !== null && (one as { type?: unknown }).type === "Healthy");
  return healthy === undefined ? { entry } : { entry, healthy: isTrue((healthy as { status?: unknown }).status) };
}

/** Go's strconv.ParseBool. */
function isTrue(status: unknown): boolean {
  return typeof status === "string" && ["1", "t", "T", "TRUE", "true", "True"].includes(status);
}
