import { compareText } from "#core/lib/compare.ts";
import { groupBy } from "#core/lib/group.ts";
import { isSubset, type Labels } from "#core/lib/labels.ts";
import { movements } from "#core/lib/list-diff.ts";
import { change, emptyTrie, lookUp, type TrieNode, visit } from "#core/lib/trie.ts";
import type { SourceObject } from "#core/sources/object.ts";

/** Workloads that no selector can tell apart: alike in their namespace and in all labels that any selector asks for. */
export interface KnownWorkload {
  readonly cluster: string;
  readonly namespace: string;
  /** Those that any selector asks for, no others. */
  readonly labels: Labels;
  /** Served by ztunnel: sidecars' settings mean nothing to it. */
  readonly ambient: boolean;
}

/** The workloads that the sources know. The same value as long as no selector could tell the difference. */
export interface Workloads {
  /** No source lists any: whether a selector fits something can't be told. */
  readonly unknown: boolean;
  /** Those that have all labels of the selector, in one namespace if it is given. */
  readonly find: (selector: Labels, namespace?: string) => readonly KnownWorkload[];
  /** Is there any in any namespace? */
  readonly has: (selector: Labels) => boolean;
}

/** What workloads are known by: running ones, ones outside Kubernetes, and templates of such that will run. */
export interface WorkloadSources {
  readonly pods: readonly SourceObject<"Pod">[];
  readonly entries: readonly SourceObject<"WorkloadEntry">[];
  readonly deployments: readonly SourceObject<"Deployment">[];
  /** Labels that selectors ask for; the same array for the same ones. */
  readonly keys: readonly string[];
}

/** Workloads, and how many objects stand behind each: what the next state is made from. */
export interface WorkloadState {
  readonly sources: WorkloadSources;
  readonly counts: TrieNode<Counted>;
  readonly workloads: Workloads;
}

interface Counted {
  readonly workload: KnownWorkload;
  readonly count: number;
}

type WorkloadObject = SourceObject<"Pod"> | SourceObject<"WorkloadEntry"> | SourceObject<"Deployment">;

/** The workloads after a change. Pods that come and go are only looked at themselves, not their neighbours. */
export function updateWorkloads(sources: WorkloadSources, previous?: WorkloadState): WorkloadState {
  const before = previous?.sources.keys === sources.keys ? previous : undefined;
  const deltas = new Map<string, Delta>();
  for (const kind of ["pods", "entries", "deployments"] as const) {
    const { left, arrived } =
      before === undefined ? { left: [], arrived: sources[kind] } : movements<WorkloadObject>(before.sources[kind], sources[kind]);
    for (const object of left) note(deltas, object, sources.keys, -1);
    for (const object of arrived) note(deltas, object, sources.keys, 1);
  }
  const counts = recount(before?.counts ?? emptyTrie<Counted>(), deltas);
  const same = before !== undefined && [...deltas.keys()].every((id) => has(before.counts, id) === has(counts, id));
  return { sources, counts, workloads: same ? before.workloads : indexed(counts) };
}

interface Delta {
  readonly workload: KnownWorkload;
  delta: number;
}

function note(deltas: Map<string, Delta>, object: WorkloadObject, keys: readonly string[], delta: number): void {
  const id = identityOf(object, keys);
  const known = deltas.get(id);
  if (known === undefined) deltas.set(id, { workload: workloadOf(object, keys), delta });
  else known.delta += delta;
}

/** Equal texts for workloads that are alike. */
function identityOf(object: WorkloadObject, keys: readonly string[]): string {
  const { cluster, namespace } = object.key;
  const labels = labelsOf(object);
  let id = isAmbient(object) ? `${cluster}/${namespace} ambient` : `${cluster}/${namespace}`;
  for (const key of keys) if (labels[key] !== undefined) id += ` ${key}=${labels[key]}`;
  return id;
}

function has(counts: TrieNode<Counted>, id: string): boolean {
  return lookUp(counts, id) !== undefined;
}

function recount(counts: TrieNode<Counted>, deltas: ReadonlyMap<string, Delta>): TrieNode<Counted> {
  const changes = new Map<string, Counted | undefined>();
  for (const [id, { workload, delta }] of deltas) {
    if (delta === 0) continue;
    const count = (lookUp(counts, id)?.count ?? 0) + delta;
    changes.set(id, count > 0 ? { workload, count } : undefined);
  }
  return change(counts, changes);
}

const AMBIENT = "ambient.istio.io/redirection";

function workloadOf(object: WorkloadObject, keys: readonly string[]): KnownWorkload {
  const { cluster, namespace } = object.key;
  const all = labelsOf(object);
  const labels: Record<string, string> = {};
  for (const key of keys) {
    const value = all[key];
    if (value !== undefined) labels[key] = value;
  }
  return { cluster, namespace, labels, ambient: isAmbient(object) };
}

function isAmbient({ annotations }: WorkloadObject): boolean {
  return annotations[AMBIENT] === "enabled";
}

/** A WorkloadEntry's labels stand in its spec or in its metadata, a Deployment's Pods have those of its template. */
function labelsOf(object: WorkloadObject): Labels {
  if ("entry" in object.spec) return { ...object.labels, ...object.spec.entry.labels };
  return "template" in object.spec ? object.spec.template.labels : object.labels;
}

function indexed(counts: TrieNode<Counted>): Workloads {
  const found: (readonly [id: string, workload: KnownWorkload])[] = [];
  visit(counts, (id, { workload }) => found.push([id, workload]));
  const all = found.sort(([a], [b]) => compareText(a, b)).map(([, workload]) => workload);
  const byNamespace = groupBy(all, ({ namespace }) => namespace);
  const byLabel = new Map<string, KnownWorkload[]>();
  for (const workload of all) {
    for (const key in workload.labels) {
      const label = `${key}=${workload.labels[key]}`;
      const known = byLabel.get(label);
      if (known === undefined) byLabel.set(label, [workload]);
      else known.push(workload);
    }
  }
  /** Of the lists that hold all that is asked for, the shortest. */
  const candidates = (selector: Labels, namespace?: string): readonly KnownWorkload[] => {
    let fewest: readonly KnownWorkload[] = namespace === undefined ? all : (byNamespace.get(namespace) ?? []);
    for (const key in selector) {
      const known = byLabel.get(`${key}=${selector[key]}`) ?? [];
      if (known.length < fewest.length) fewest = known;
    }
    return fewest;
  };
  return {
    unknown: all.length === 0,
    find: (selector, namespace) =>
      candidates(selector, namespace).filter(
        (workload) => isSubset(selector, workload.labels) && (namespace === undefined || workload.namespace === namespace),
      ),
    has: (selector) => candidates(selector).some((workload) => isSubset(selector, workload.labels)),
  };
}
