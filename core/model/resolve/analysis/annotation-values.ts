import { parseCidr } from "#core/lib/cidr.ts";

/** What is wrong with a value; undefined if nothing is. */
type ValueCheck = (value: string) => string | undefined;

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text.trim()) && Number(text) <= 65535;
const arePorts: ValueCheck = (value) => (value.trim() === "" || value.split(",").every(isPort) ? undefined : "wanted are ports, separated by commas");
const areRanges: ValueCheck = (value) =>
  value === "" || value.split(",").every((range) => parseCidr(range) !== undefined)
    ? undefined
    : "wanted are ranges such as 10.0.0.0/8, separated by commas";
const orAll =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    value === "*" ? undefined : check(value);
const isCount: ValueCheck = (value) => (/^\d+$/.test(value) && Number(value) < 2 ** 32 ? undefined : "wanted is a whole number of 32 bits");
const isFlag: ValueCheck = (value) => (/^(1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/.test(value) ? undefined : "wanted is true or false");
const isMode: ValueCheck = (value) => (["REDIRECT", "TPROXY", "NONE"].includes(value) ? undefined : "wanted is REDIRECT, TPROXY or NONE");
const isQuantity: ValueCheck = (value) =>
  /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+|[KMGTPE]i|[numkMGTPE])?$/.test(value) ? undefined : "wanted is a quantity such as 100m or 128Mi";
const areInterfaces: ValueCheck = (value) =>
  value === "" || value.split(",").every((name) => /^[a-zA-Z][\w.-]{0,14}$/.test(name.trim())) ? undefined : "wanted are names of network interfaces";

/** Values that the injector would refuse (istio `pkg/kube/inject/validate.go` AnnotationValidation), but for `proxy.istio.io/config`, which is YAML. */
const CHECKS: ReadonlyMap<string, ValueCheck> = new Map([
  ["sidecar.istio.io/interceptionMode", isMode],
  ["status.sidecar.istio.io/port", (value) => (isPort(value) ? undefined : "wanted is a port")],
  ["readiness.status.sidecar.istio.io/initialDelaySeconds", isCount],
  ["readiness.status.sidecar.istio.io/periodSeconds", isCount],
  ["readiness.status.sidecar.istio.io/failureThreshold", isCount],
  ["traffic.sidecar.istio.io/includeOutboundIPRanges", orAll(areRanges)],
  ["traffic.sidecar.istio.io/excludeOutboundIPRanges", areRanges],
  ["traffic.sidecar.istio.io/includeInboundPorts", orAll(arePorts)],
  ["traffic.sidecar.istio.io/excludeInboundPorts", arePorts],
  ["traffic.sidecar.istio.io/excludeOutboundPorts", arePorts],
  ["traffic.sidecar.istio.io/excludeInterfaces", areInterfaces],
  ["traffic.sidecar.istio.io/kubevirtInterfaces", areInterfaces],
  ["istio.io/reroute-virtual-interfaces", areInterfaces],
  ["prometheus.istio.io/merge-metrics", isFlag],
  ["sidecar.istio.io/proxyCPU", isQuantity],
  ["sidecar.istio.io/proxyMemory", isQuantity],
  ["sidecar.istio.io/proxyCPULimit", isQuantity],
  ["sidecar.istio.io/proxyMemoryLimit", isQuantity],
]);

/** What is wrong with the value of one of Istio's annotations; undefined for a good one, and for annotations whose values are not looked at. */
export function annotationProblem(name: string, value: string): string | undefined {
  return CHECKS.get(name)?.(value);
}
