import { entryKey } from "#core/edition/layer.ts";
import type { Resource } from "#core/edition/resource.ts";
import { canonicalText } from "#core/lib/canonical.ts";
import { formatObjectKey, type ObjectKey } from "#core/lib/object-key.ts";
import { type Analysis, analyzeMesh } from "#core/model/resolve/analyze-mesh.ts";
import { type ResolvedMesh, resolveMesh } from "#core/model/resolve/mesh.ts";
import { resolveDirectory } from "#core/model/resolve/workloads/directory.ts";
import { accepted, isRefused } from "#core/pipeline/accepted.ts";
import { ask } from "#core/pipeline/ask.ts";
import { censusFacts } from "#core/pipeline/census.ts";
import { type CompiledLayer, compile } from "#core/pipeline/compile.ts";
import { served } from "#core/pipeline/translate.ts";
import type { Inventory } from "#core/sources/inventory.ts";
import type { CaseInput } from "./case-input.ts";

/** What the nodes of a case are sent in one state of its objects. */
export interface World {
  readonly mesh: ResolvedMesh;
  readonly analysis: Analysis;
  readonly nodes: readonly NodeView[];
}

export interface NodeView {
  readonly id: string;
  readonly namespace: string;
  /** What placement read, as text: all that is known of the node, and the verdicts of selectors. */
  readonly placement: string;
  /** What it is sent once it has asked for everything that it needs, by `type/name`. */
  readonly sent: ReadonlyMap<string, Resource>;
  /** Objects that decide which names its layers have, beside those that resources name. */
  readonly existence: readonly ObjectKey[];
}

/** Throws whatever anything throws on the way. */
export function worldOf({ options, census }: Pick<CaseInput, "options" | "census">, inventory: Inventory, previous?: World): World {
  const mesh = resolveMesh(inventory, options, previous?.mesh);
  const compilation = compile(mesh, censusFacts(census, resolveDirectory(mesh)));
  for (const { fault } of compilation.failed.values()) throw fault;
  const nodes = [...compilation.placements].map(([facts, { layers }]): NodeView => {
    const own = layers.filter(({ kind }) => kind === "scope" || kind === "workload").map(({ key }) => key);
    const compiled = layers.map(({ key }) => compilation.layers.get(key) as CompiledLayer);
    for (const { contents } of compiled) assertUnlike(contents.resources);
    return {
      id: facts.id,
      namespace: facts.namespace,
      placement: `${canonicalText(facts)} ${own.join(" ")}`,
      sent: sentTo(served(compilation, facts)),
      existence: compiled.flatMap(({ contents }) => contents.existence ?? []),
    };
  });
  return { mesh, nodes, analysis: analyzeMesh(mesh, previous?.analysis) };
}

/** A layer gives each name once, or a change of it would take the wrong one away. */
function assertUnlike(resources: readonly Resource[]): void {
  const names = resources.map(({ type, name }) => entryKey(type, name));
  if (new Set(names).size !== names.length) throw new Error(`a layer gives ${names.find((name, at) => names.indexOf(name) !== at)} twice`);
}

function sentTo(resources: ReadonlyMap<string, Resource>): NodeView["sent"] {
  const answer = Object.values(ask(resources)).flatMap((named) => [...named.values()]);
  // The name table is asked for by proxies that resolve names, which need nothing to be told of it.
  const names = [...resources.values()].filter(({ type }) => type === "names");
  return new Map([...answer, ...names].map((resource) => [entryKey(resource.type, resource.name), resource]));
}

/** A resource that differs between two worlds although nothing that it was made from was touched; or a node that stands elsewhere though nobody placed it. */
export interface Leak {
  readonly node: string;
  /** As `type/name`; "" for the node itself. */
  readonly name: string;
  readonly what: "changed" | "appeared" | "disappeared" | "moved";
  /** What it says that it was made from, before and after. */
  readonly from: readonly string[];
}

/**
 * Resources that came, went or changed between two worlds although neither their form before nor the one after was made from a touched object. Nodes that are
 * placed otherwise are passed over, if placement can have read the object.
 *
 * Whether there is a resource at all may be decided by more than it is made from: by what decides the names of its layers, by the resources that name it
 * (a route table exists because a listener asks for it), and by the other resources of its services (where a rule goes, another takes its place, with other
 * subsets).
 */
export function leaks(before: World, after: World, touched: ReadonlySet<string>): readonly Leak[] {
  return before.nodes.flatMap((node, at) => {
    const next = after.nodes[at];
    if (next === undefined || next.id !== node.id) return [];
    if (next.placement === node.placement) return leaksOf(node, next, touched);
    const root = before.mesh.config.rootNamespace;
    const placed = [...touched].some((id) => mayPlace(id.split("/"), [node.namespace, next.namespace, root]));
    return placed ? [] : [{ node: node.id, name: "", what: "moved" as const, from: [] }];
  });
}

/** Kinds that placement reads, wherever they are: addresses and `sourceLabels` and Gateways know no namespaces. */
const PLACING = new Set(["EndpointSlice", "Gateway", "Namespace", "Node", "Pod", "Service", "ServiceEntry", "VirtualService", "WorkloadEntry"]);

/** Kinds that place nodes of their own namespace, or of all in the root namespace. */
const PLACING_NEARBY = new Set(["AuthorizationPolicy", "DestinationRule", "EnvoyFilter", "PeerAuthentication", "RequestAuthentication", "Sidecar"]);

function mayPlace([, kind = "", namespace = ""]: readonly string[], nearby: readonly string[]): boolean {
  return PLACING.has(kind) || (PLACING_NEARBY.has(kind) && nearby.includes(namespace));
}

/** Kinds by which it is known what a node is: its resources are made for such a node, and not from them. */
const DESCRIBING = new Set(["EndpointSlice", "Namespace", "Node", "Pod", "WorkloadEntry"]);

/**
 * Resources that Envoy would refuse though it would not before, of which no Diagnostic names a touched object. Those of a node that is another than before are
 * passed over: without its Pod, a Service's `targetPort` by name is none, and it is the Service that is named.
 */
export function unnamed(before: World, after: World, touched: ReadonlySet<string>): readonly string[] {
  const known = new Set(before.nodes.flatMap(refusedOf).map(({ type, name }) => entryKey(type, name)));
  const describes = [...touched].some((id) => DESCRIBING.has(id.split("/")[1] ?? ""));
  const same = after.nodes.filter((node, at) => !describes || node.placement === before.nodes[at]?.placement);
  const fresh = same.flatMap(refusedOf).filter(({ type, name }) => !known.has(entryKey(type, name)));
  const messages = accepted(fresh).diagnostics.map(({ message }) => message);
  return messages.filter((message) => ![...touched].some((id) => message.includes(id)));
}

function refusedOf({ sent }: NodeView): readonly Resource[] {
  return [...sent.values()].filter(isRefused);
}

function leaksOf(before: NodeView, after: NodeView, touched: ReadonlySet<string>): readonly Leak[] {
  const differing = [...new Set([...before.sent.keys(), ...after.sent.keys()])].filter(
    (name) => before.sent.get(name)?.digest !== after.sent.get(name)?.digest,
  );
  const isTouched = (keys: readonly ObjectKey[]): boolean => keys.some((key) => touched.has(formatObjectKey(key)));
  return differing.flatMap((name): readonly Leak[] => {
    const [old, now] = [before.sent.get(name), after.sent.get(name)];
    const from = [...(old?.from ?? []), ...(now?.from ?? [])];
    if (isTouched(from)) return [];
    const what = old === undefined ? "appeared" : now === undefined ? "disappeared" : "changed";
    if (what !== "changed" && isTouched(decidersOf((old ?? now) as Resource, [before, after]))) return [];
    return [{ node: before.id, name, what, from: [...new Set(from.map(formatObjectKey))] }];
  });
}

/** What decides whether a resource exists, beside what it is made from. */
function decidersOf(resource: Resource, worlds: readonly [NodeView, NodeView]): readonly ObjectKey[] {
  const services = new Set(resource.from.filter(({ kind }) => kind === "Service" || kind === "ServiceEntry").map(formatObjectKey));
  const all = worlds.flatMap(({ sent }) => [...sent]);
  const isRelated = (other: Resource): boolean => names(other, resource) || (other.type === resource.type && shares(other, services));
  const related = new Set(all.filter(([, other]) => isRelated(other)).map(([name]) => name));
  // Who names it may have come or gone itself: an assignment comes with its cluster.
  const [before, after] = worlds;
  const fleeting = all.filter(([name, other]) => names(other, resource) && before.sent.has(name) !== after.sent.has(name));
  return [
    ...worlds.flatMap(({ existence }) => existence),
    ...all.flatMap(([name, { from }]) => (related.has(name) ? from : [])),
    ...fleeting.flatMap(([, other]) => decidersOf(other, worlds)),
  ];
}

function names({ needs }: Resource, { type, name }: Resource): boolean {
  return type in needs && needs[type as keyof typeof needs].includes(name);
}

function shares({ from }: Resource, services: ReadonlySet<string>): boolean {
  return from.some((key) => services.has(formatObjectKey(key)));
}
