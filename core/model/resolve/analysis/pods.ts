import { compareText } from "#core/lib/compare.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { movements } from "#core/lib/list-diff.ts";
import { memoize } from "#core/lib/memo.ts";
import { formatObjectKey } from "#core/lib/object-key.ts";
import { change, emptyTrie, type TrieNode, visit } from "#core/lib/trie.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { annotationDiagnostics } from "./annotations.ts";
import { diagnose } from "./diagnose.ts";
import { checkUser } from "./proxy-user.ts";

type PodObject = SourceObject<"Pod">;

/** What is to be said of Pods, each looked at alone: what the next state is made from. */
export interface PodState {
  readonly pods: readonly PodObject[];
  /** See `injectedNamespaces`. */
  readonly injected: ReadonlySet<string>;
  /** By object key; Pods that are fine are not in it. */
  readonly findings: TrieNode<readonly Diagnostic[]>;
}

/** Looks at the Pods that came or changed; at all of them only where namespaces changed. */
export function updatePods(pods: readonly PodObject[], injected: ReadonlySet<string>, previous?: PodState): PodState {
  const before = previous?.injected === injected ? previous : undefined;
  const { left, arrived } = before === undefined ? { left: [], arrived: pods } : movements(before.pods, pods);
  const changes = new Map<string, readonly Diagnostic[] | undefined>();
  for (const { key } of left) changes.set(formatObjectKey(key), undefined);
  for (const pod of arrived) {
    const found = checkPod(pod, injected);
    if (found.length > 0) changes.set(formatObjectKey(pod.key), found);
  }
  return { pods, injected, findings: change(before?.findings ?? emptyTrie<readonly Diagnostic[]>(), changes) };
}

/** All findings, in order of their Pods; the same array for the same ones. */
export const podDiagnostics = memoize((findings: TrieNode<readonly Diagnostic[]>): readonly Diagnostic[] => {
  const all: (readonly [string, readonly Diagnostic[]])[] = [];
  visit(findings, (name, found) => all.push([name, found]));
  return all.sort(([a], [b]) => compareText(a, b)).flatMap(([, found]) => found);
});

function checkPod(pod: PodObject, injected: ReadonlySet<string>): readonly Diagnostic[] {
  const found = [...annotationDiagnostics(pod), ...checkUser(pod)];
  if (!lacksProxy(pod, injected)) return found;
  const message =
    "has no istio-proxy container, though its namespace is labelled for injection: it was there before the label, or injection failed; restart it";
  return [...found, ...diagnose(pod, { severity: "warning", code: "IST0103", field: "spec.containers", message })];
}

const INJECT = "sidecar.istio.io/inject";

/** Istio `analyzers/injection/injection.go`. */
function lacksProxy({ key, spec, labels, annotations }: PodObject, injected: ReadonlySet<string>): boolean {
  if (!injected.has(`${key.cluster}/${key.namespace}`) || spec.hostNetwork) return false;
  if ((labels[INJECT] ?? annotations[INJECT] ?? "").toLowerCase() === "false") return false;
  return !spec.containers.some(({ name }) => name === "istio-proxy");
}
