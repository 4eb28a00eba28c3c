import { isSubset, type Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import { present } from "#core/lib/present.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { Sidecar, SidecarPort } from "#core/model/sidecar.ts";
import type { SourceObject } from "#core/sources/object.ts";
import {
  CaptureMode,
  type IstioEgressListener,
  type IstioIngressListener,
  OutboundTrafficPolicy_Mode as OutboundMode,
  type OutboundTrafficPolicy,
  type SidecarPort as PortMessage,
} from "#proto/networking/v1alpha3/sidecar_pb.js";
import { compareAge } from "../age.ts";
import { parseProtocol } from "../services/port-protocol.ts";
import { destinationOf } from "./http-route.ts";
import { connectionPoolOf } from "./traffic-policy.ts";

/** All Sidecars in order of precedence: those with a workload selector first, then by age (istio `push_context.go` initSidecarScopes). */
export function resolveSidecars(objects: readonly SourceObject<"Sidecar">[], _config: MeshConfig): readonly Sidecar[] {
  return [...objects]
    .sort((a, b) => Number(a.spec.workloadSelector === undefined) - Number(b.spec.workloadSelector === undefined) || compareAge(a, b))
    .map((object) => sidecarOf(object));
}

/**
 * The Sidecar in force for a workload: the first of its namespace that selects it or everybody, else the root namespace's first one without selector
 * (istio `push_context.go` doGetSidecarScope).
 */
export function chooseSidecar(
  sidecars: readonly Sidecar[],
  rootNamespace: string,
  workload: { readonly namespace: string; readonly labels: Labels },
): Sidecar | undefined {
  for (const sidecar of sidecars) {
    if (sidecar.namespace === workload.namespace && (sidecar.workloadSelector === undefined || isSubset(sidecar.workloadSelector, workload.labels)))
      return sidecar;
  }
  return sidecars.find((sidecar) => sidecar.namespace === rootNamespace && sidecar.workloadSelector === undefined);
}

const sidecarOf = memoize(({ key, spec }: SourceObject<"Sidecar">): Sidecar => {
  return present({
    name: key.name,
    namespace: key.namespace,
    workloadSelector: spec.workloadSelector?.labels,
    egress: spec.egress.map(egressOf),
    ingress: spec.ingress.flatMap(ingressOf),
    inboundConnectionPool: connectionPoolOf(spec.inboundConnectionPool),
    outboundTrafficPolicy: outboundPolicyOf(spec.outboundTrafficPolicy),
    sources: [key],
  });
});

const CAPTURE = { [CaptureMode.DEFAULT]: "DEFAULT", [CaptureMode.IPTABLES]: "IPTABLES", [CaptureMode.NONE]: "NONE" } as const;

function egressOf(message: IstioEgressListener): Sidecar["egress"][number] {
  return present({ port: portOf(message.port), bind: message.bind, captureMode: CAPTURE[message.captureMode] ?? "DEFAULT", hosts: message.hosts });
}

/** Validation wants a port; without one there is nothing to listen on. */
function ingressOf(message: IstioIngressListener): readonly Sidecar["ingress"][number][] {
  const port = portOf(message.port);
  if (port === undefined) return [];
  const { bind, defaultEndpoint } = message;
  return [
    present({
      port,
      bind,
      captureMode: CAPTURE[message.captureMode] ?? "DEFAULT",
      defaultEndpoint,
      connectionPool: connectionPoolOf(message.connectionPool),
    }),
  ];
}

function portOf(message: PortMessage | undefined): SidecarPort | undefined {
  return message === undefined ? undefined : { number: message.number, protocol: parseProtocol(message.protocol), name: message.name };
}

function outboundPolicyOf(message: OutboundTrafficPolicy | undefined): Sidecar["outboundTrafficPolicy"] {
  if (message === undefined) return undefined;
  return present({
    mode: message.mode === OutboundMode.REGISTRY_ONLY ? ("REGISTRY_ONLY" as const) : ("ALLOW_ANY" as const),
    egressProxy: destinationOf(message.egressProxy),
  });
}
