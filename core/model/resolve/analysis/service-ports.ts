import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { kubePortProtocol } from "../services/port-protocol.ts";
import { diagnose } from "./diagnose.ts";

/** Ports of Services whose protocol has to be guessed (istio `analyzers/service/portname.go`). */
export const checkServicePorts = memoize((services: readonly SourceObject<"Service">[]): readonly Diagnostic[] =>
  services.flatMap((service) => checkService(service)),
);

const MANAGED = "gateway.istio.io/managed";
const CONTROLLERS: ReadonlySet<string> = new Set(["istio.io-gateway-controller", "istio.io-mesh-controller", "istio.io-eastwest-controller"]);

const checkService = memoize((service: SourceObject<"Service">): readonly Diagnostic[] => {
  if (isControlPlane(service) || CONTROLLERS.has(service.labels[MANAGED] ?? "")) return [];
  const external = service.spec.type === "ExternalName";
  return service.spec.ports.flatMap((port, index) => {
    const { name, port: number } = port;
    if (kubePortProtocol(port) !== "Unsupported" && !(external && name === "tcp")) return [];
    const field = `spec.ports[${index}].name`;
    return diagnose(service, external ? { ...EXTERNAL, field } : { ...undeclared(name, number), field });
  });
});

const EXTERNAL = {
  severity: "warning",
  code: "IST0150",
  message:
    "an ExternalName Service whose port is TCP, or of no declared protocol, takes the port from all other hosts: " +
    "begin the port's name with the protocol that it has, such as http or tls",
} as const;

function undeclared(name: string, number: number) {
  const message =
    `port ${number} declares no protocol by ${name === "" ? "having no name" : `its name "${name}"`}, so that proxies have to detect it: ` +
    "set appProtocol, or name it <protocol>[-<suffix>], for example http-web";
  return { severity: "info", code: "IST0118", message } as const;
}

/** Istio's own parts (istio `analyzers/util/config.go` IsIstioControlPlane). */
export function isControlPlane({ labels }: Pick<SourceObject, "labels">): boolean {
  return labels.istio !== undefined || labels.release === "istio";
}
