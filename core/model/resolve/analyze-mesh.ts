import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { joined } from "#core/lib/joined.ts";
import { objectsOf } from "#core/sources/inventory.ts";
import type { Kind } from "#core/sources/kinds.ts";
import { checkAnnotations } from "./analysis/annotations.ts";
import { checkPolicyNamespaces, checkPolicyWorkloads } from "./analysis/authorization-policies.ts";
import { checkClaimRoutes, uncheckedWorkloads } from "./analysis/claim-routes.ts";
import { checkConditions } from "./analysis/conditions.ts";
import { checkDelegates } from "./analysis/delegate-references.ts";
import { checkDeployments } from "./analysis/deployments.ts";
import { checkDeprecatedFaults, checkDeprecatedProviders, checkDeprecatedProxies } from "./analysis/deprecated-fields.ts";
import { checkDestinationHosts } from "./analysis/destination-hosts.ts";
import { checkDestinationSubsets } from "./analysis/destination-subsets.ts";
import { checkEgressHosts } from "./analysis/egress-hosts.ts";
import { checkEnvoyFilters } from "./analysis/envoy-filters.ts";
import { checkGatewayApiSelectors } from "./analysis/gateway-api-selectors.ts";
import { checkGatewayCertificates } from "./analysis/gateway-certificates.ts";
import { checkGatewayConflicts } from "./analysis/gateway-conflicts.ts";
import { checkGatewayReferences } from "./analysis/gateway-references.ts";
import { checkGatewaySecrets } from "./analysis/gateway-secrets.ts";
import { checkGatewayWorkloads } from "./analysis/gateway-workloads.ts";
import { checkIgnoredAuthentications } from "./analysis/ignored-authentications.ts";
import { checkIgnoredRules } from "./analysis/ignored-rules.ts";
import { knownServices } from "./analysis/known-services.ts";
import { meshFacts } from "./analysis/mesh-facts.ts";
import { checkMeshHosts } from "./analysis/mesh-hosts.ts";
import { checkMeshNetworks } from "./analysis/mesh-networks.ts";
import { checkMultiClusterServices } from "./analysis/multi-cluster-services.ts";
import { checkNamespaces, injectedNamespaces } from "./analysis/namespaces.ts";
import { type PodState, podDiagnostics, updatePods } from "./analysis/pods.ts";
import { checkRuleCertificates } from "./analysis/rule-certificates.ts";
import { backendsOf, checkRuleSubsets } from "./analysis/rule-subsets.ts";
import { selectorKeys } from "./analysis/selector-keys.ts";
import { checkEntryAddresses, checkEntryProtocols } from "./analysis/service-entries.ts";
import { checkServicePorts } from "./analysis/service-ports.ts";
import { checkShadowedPorts } from "./analysis/shadowed-ports.ts";
import { checkSidecars } from "./analysis/sidecar-selectors.ts";
import { checkSubsetsBehindGateways } from "./analysis/subset-rivals.ts";
import { checkGeneralTelemetries, checkTelemetryProviders, checkTelemetrySelectors } from "./analysis/telemetry.ts";
import { updateWorkloads, type WorkloadState, type Workloads } from "./analysis/workloads.ts";
import type { ResolvedMesh } from "./mesh.ts";
import { istioObjects } from "./mesh-objects.ts";
import type { Allocations } from "./services/auto-addresses.ts";

/** What the objects of a mesh do to each other, as one reads it who knows how they count: Istio's analysis, and a few things that it lacks. */
export interface Analysis {
  /** The same array as long as nothing that analysis looks at changed. */
  readonly diagnostics: readonly Diagnostic[];
  /** All that was read: while it is the same, so is the analysis. */
  readonly basis: readonly unknown[];
  readonly workloads: WorkloadState;
  readonly pods: PodState;
}

/**
 * Analyses a mesh. Each check hangs on the objects that it reads, so that only those whose objects changed run again; endpoints are not among them. With the
 * analysis of an earlier state, Pods that came and went are looked at alone.
 */
export function analyzeMesh(mesh: ResolvedMesh, previous?: Analysis): Analysis {
  const { inventory } = mesh;
  const basis = basisOf(mesh);
  if (previous !== undefined && basis.every((part, index) => part === previous.basis[index])) return previous;
  const all = <K extends Kind>(kind: K) => objectsOf(inventory, kind);
  const workloads = updateWorkloads(
    { pods: all("Pod"), entries: all("WorkloadEntry"), deployments: all("Deployment"), keys: keysOf(mesh) },
    previous?.workloads,
  );
  const pods = updatePods(all("Pod"), injectedNamespaces(all("Namespace")), previous?.pods);
  const found = [
    ...analyzeRoutes(mesh, workloads.workloads),
    ...analyzeGateways(mesh, workloads.workloads),
    ...analyzePolicies(mesh, workloads.workloads),
    ...analyzeServices(mesh),
    podDiagnostics(pods.findings),
  ];
  return { diagnostics: joined(...found), basis, workloads, pods };
}

const KINDS_READ: readonly Kind[] = [
  "Service",
  "Pod",
  "Namespace",
  "Secret",
  "ConfigMap",
  "Deployment",
  "VirtualService",
  "DestinationRule",
  "Gateway",
  "Sidecar",
  "ServiceEntry",
  "WorkloadEntry",
  "EnvoyFilter",
  "PeerAuthentication",
  "RequestAuthentication",
  "AuthorizationPolicy",
  "Telemetry",
  "WasmPlugin",
  "KubernetesGateway",
  "HTTPRoute",
  "GRPCRoute",
];

function basisOf(mesh: ResolvedMesh): readonly unknown[] {
  const { inventory, options, config, services, gateways, registries } = mesh;
  const shelves = KINDS_READ.map((kind) => objectsOf(inventory, kind));
  return [options, config, services, gateways, registries.basis.namespaces, isSliced(mesh), ...shelves];
}

/** Does any source list endpoints? */
function isSliced({ inventory }: ResolvedMesh): boolean {
  return objectsOf(inventory, "EndpointSlice").length > 0;
}

type Findings = readonly (readonly Diagnostic[])[];

function keysOf({ inventory, options }: ResolvedMesh): readonly string[] {
  const istio = <K extends Kind>(kind: K) => istioObjects(inventory, kind, options);
  return selectorKeys([
    objectsOf(inventory, "Service"),
    istio("Gateway"),
    istio("Sidecar"),
    istio("DestinationRule"),
    istio("ServiceEntry"),
    istio("Telemetry"),
    istio("AuthorizationPolicy"),
    istio("RequestAuthentication"),
    istio("WasmPlugin"),
  ]);
}

const SLICED = { sliced: true };
const NOT_SLICED = { sliced: false };

/** VirtualServices, and the rules for where they send. */
function analyzeRoutes(mesh: ResolvedMesh, workloads: Workloads): Findings {
  const { inventory, options, config, services, gateways } = mesh;
  const istio = <K extends Kind>(kind: K) => istioObjects(inventory, kind, options);
  const routes = istio("VirtualService");
  const rules = istio("DestinationRule");
  const known = knownServices(services, config);
  return [
    checkDestinationHosts(routes, known),
    checkDestinationSubsets(routes, rules, config),
    checkDelegates(routes),
    checkGatewayReferences(routes, gateways, config),
    checkMeshHosts(routes, config),
    checkSubsetsBehindGateways(routes, config),
    checkClaimRoutes(routes, istio("Gateway"), uncheckedWorkloads(istio("RequestAuthentication"), config, workloads)),
    checkDeprecatedFaults(routes),
    checkRuleCertificates(rules),
    checkRuleSubsets(rules, known, backendsOf(workloads, istio("ServiceEntry"), isSliced(mesh) ? SLICED : NOT_SLICED)),
    checkIgnoredRules(rules, config),
  ];
}

function analyzeGateways({ inventory, options }: ResolvedMesh, workloads: Workloads): Findings {
  const gateways = istioObjects(inventory, "Gateway", options);
  return [
    checkGatewayWorkloads(gateways, objectsOf(inventory, "Service"), workloads),
    checkGatewaySecrets(gateways, objectsOf(inventory, "Secret"), workloads),
    checkGatewayConflicts(gateways, workloads),
    checkGatewayCertificates(gateways),
    checkConditions(objectsOf(inventory, "KubernetesGateway")),
    checkConditions(objectsOf(inventory, "HTTPRoute")),
    checkConditions(objectsOf(inventory, "GRPCRoute")),
  ];
}

/** What selects workloads. */
function analyzePolicies({ inventory, options, config, services }: ResolvedMesh, workloads: Workloads): Findings {
  const istio = <K extends Kind>(kind: K) => istioObjects(inventory, kind, options);
  const namespaces = objectsOf(inventory, "Namespace");
  const sidecars = istio("Sidecar");
  const telemetries = istio("Telemetry");
  const authorizations = istio("AuthorizationPolicy");
  return [
    checkSidecars(sidecars, namespaces, workloads),
    checkEgressHosts(sidecars, services, istio("VirtualService"), config),
    checkDeprecatedProxies(sidecars),
    checkTelemetrySelectors(telemetries, workloads),
    checkGeneralTelemetries(telemetries),
    checkTelemetryProviders(telemetries, config),
    checkDeprecatedProviders(telemetries, meshFacts(options.meshConfig as object | undefined)),
    checkPolicyWorkloads(authorizations, config, workloads),
    checkPolicyNamespaces(authorizations, namespaces),
    checkIgnoredAuthentications(istio("PeerAuthentication")),
    checkEnvoyFilters(istio("EnvoyFilter")),
    ...[authorizations, istio("RequestAuthentication"), telemetries, istio("WasmPlugin")].map((policies) =>
      checkGatewayApiSelectors(policies, workloads),
    ),
  ];
}

const NO_ALLOCATIONS: Allocations = {};

/** Services, and what stands behind them. */
function analyzeServices({ inventory, options, services, registries }: ResolvedMesh): Findings {
  const kube = objectsOf(inventory, "Service");
  const entries = istioObjects(inventory, "ServiceEntry", options);
  const namespaces = objectsOf(inventory, "Namespace");
  const deployments = objectsOf(inventory, "Deployment");
  return [
    checkServicePorts(kube),
    checkMultiClusterServices(kube),
    checkEntryAddresses(entries, meshFacts(options.meshConfig as object | undefined), options.allocations ?? NO_ALLOCATIONS),
    checkEntryProtocols(entries),
    checkShadowedPorts(services, entries),
    checkConditions(entries),
    checkMeshNetworks(options.networks as object | undefined, registries.basis.namespaces, objectsOf(inventory, "Secret")),
    checkNamespaces(namespaces, objectsOf(inventory, "ConfigMap")),
    checkDeployments(deployments, kube, injectedNamespaces(namespaces)),
    checkAnnotations(namespaces),
    checkAnnotations(kube),
    checkAnnotations(deployments),
  ];
}
