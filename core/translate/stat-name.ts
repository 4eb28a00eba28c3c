import type { Service } from "#core/model/service.ts";

/** What the patterns `outboundClusterStatName` and `inboundClusterStatName` of mesh config are filled with. */
export interface StatSubject {
  readonly host: string;
  /** Kubernetes Services go by their own name, everything else by its host. */
  readonly service?: Pick<Service, "registry" | "name" | "namespace">;
  readonly subset: string;
  readonly port: number;
  readonly portName: string;
  /** Absent: `%TARGET_PORT%` stays as it is. */
  readonly targetPort?: number;
}

/** Fills in a pattern (istio `networking/telemetry` BuildStatPrefix, BuildInboundStatPrefix). */
export function statName(pattern: string, subject: StatSubject): string {
  const { host, service } = subject;
  const kubernetes = service?.registry === "Kubernetes" ? service : undefined;
  const fills: readonly (readonly [string, string])[] = [
    ["%SERVICE%", kubernetes === undefined ? host : `${kubernetes.name}.${kubernetes.namespace}`],
    ["%SERVICE_NAME%", kubernetes?.name ?? host],
    ["%SERVICE_FQDN%", host],
    ["%SUBSET_NAME%", subject.subset],
    ...(subject.targetPort === undefined ? [] : [["%TARGET_PORT%", String(subject.targetPort)] as const]),
    ["%SERVICE_PORT%", String(subject.port)],
    ["%SERVICE_PORT_NAME%", subject.portName],
  ];
  return fills.reduce((text, [name, value]) => text.replaceAll(name, () => value), pattern);
}
