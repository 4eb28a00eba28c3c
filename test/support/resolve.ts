import { lookUp } from "#core/lib/trie.ts";
import type { Endpoint } from "#core/model/endpoint.ts";
import { serviceKey } from "#core/model/mesh.ts";
import { type ResolvedMesh, resolveMesh } from "#core/model/resolve/mesh.ts";
import type { ResolveOptions } from "#core/model/resolve/options.ts";
import type { Service } from "#core/model/service.ts";
import { admit } from "#core/sources/admit.ts";
import { emptyInventory, type Inventory, replaceAll } from "#core/sources/inventory.ts";
import { apiRegistry } from "#functions/io/api.ts";
import { parseYaml } from "#functions/io/yaml.ts";

/** Meshes for tests of resolution, from objects as users write them. */

export const CONFIG_CLUSTER = "Kubernetes";
export const OPTIONS: ResolveOptions = { domainSuffix: "cluster.local", configCluster: CONFIG_CLUSTER };

/** An inventory of YAML documents; further clusters by name. Throws if anything is refused, since a test means its objects. */
export function inventoryOf(yaml: string, clusters: Readonly<Record<string, string>> = {}): Inventory {
  let inventory = emptyInventory();
  for (const [cluster, text] of Object.entries({ [CONFIG_CLUSTER]: yaml, ...clusters })) {
    const { documents, problems } = parseYaml(text);
    const admitted = admit(documents, { cluster, types: apiRegistry, istio: cluster === CONFIG_CLUSTER });
    const [refused] = [...problems, ...admitted.diagnostics.filter((one) => one.refused)];
    if (refused !== undefined) throw new Error(refused.message);
    inventory = replaceAll(inventory, cluster, admitted);
  }
  return inventory;
}

export function meshOf(yaml: string, options: Partial<ResolveOptions> = {}, clusters: Readonly<Record<string, string>> = {}): ResolvedMesh {
  return resolveMesh(inventoryOf(yaml, clusters), { ...OPTIONS, ...options });
}

export function findService(mesh: ResolvedMesh, host: string): Service {
  const found = mesh.services.find((service) => service.host === host);
  if (found === undefined) throw new Error(`no service ${host}`);
  return found;
}

/** The endpoints of the first service with this host. */
export function endpointsOf(mesh: ResolvedMesh, host: string): readonly Endpoint[] {
  return lookUp(mesh.endpoints, serviceKey(findService(mesh, host)))?.endpoints ?? [];
}

/** A running, ready Pod with its address, as YAML. */
export function podYaml(name: string, address: string, labels: Readonly<Record<string, string>>, fields = ""): string {
  return `
apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: shop, labels: ${JSON.stringify(labels)}}
spec: {serviceAccountName: ${labels.app ?? "default"}, nodeName: n1, containers: [{name: app, ports: [{name: http, containerPort: 8080, protocol: TCP}]}]${fields}}
status: {phase: Running, podIP: ${address}, podIPs: [{ip: ${address}}], conditions: [{type: Ready, status: "True"}]}
---`;
}

/** A Service and one slice of Pods (\`name address\`), port 80 to 8080. */
export function serviceYaml(name: string, pods: readonly (readonly [pod: string, address: string])[] = [], fields = ""): string {
  const endpoints = pods.map(
    ([pod, address]) => `{addresses: [${address}], conditions: {ready: true}, targetRef: {kind: Pod, name: ${pod}, namespace: shop}}`,
  );
  return `
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop}
spec: {clusterIP: 10.96.0.1, selector: {app: ${name}}, ports: [{name: http, port: 80, targetPort: 8080, protocol: TCP}]${fields}}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: ${name}-1, namespace: shop, labels: {kubernetes.io/service-name: ${name}}}
addressType: IPv4
endpoints: [${endpoints.join(", ")}]
ports: [{name: http, port: 8080, protocol: TCP}]
---`;
}

export const NODE_YAML = `
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {topology.kubernetes.io/region: r1, topology.kubernetes.io/zone: z1}}
---`;
