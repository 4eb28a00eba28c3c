import type { Diagnostic } from "#core/lib/diagnostic.ts";
import type { SourceObject } from "#core/sources/object.ts";

/** What analysis has to say of an object; `field` as in {@link Diagnostic}. */
export interface Remark extends Pick<Diagnostic, "severity" | "code" | "field" | "message"> {}

/** Kubernetes' own namespaces: nobody can do anything about what is in there (istio `pkg/kube/inject/initializer.go` IgnoredNamespaces). */
const IGNORED: ReadonlySet<string> = new Set(["kube-system", "kube-public", "kube-node-lease", "local-path-storage"]);
const SUPPRESS = "galley.istio.io/analyze-suppress";

/**
 * A remark with its object and the place where that was read; nothing where the object asks not to hear of it (a list of codes, or `*`, in an annotation).
 * Analysis never refuses: it tells what an admitted object does beside its neighbours.
 */
export function diagnose({ key, annotations, origin }: SourceObject, { severity, code, field, message }: Remark): readonly Diagnostic[] {
  const suppressed = annotations[SUPPRESS]?.split(",") ?? [];
  if (suppressed.includes("*") || suppressed.includes(code)) return [];
  if (IGNORED.has(key.kind === "Namespace" ? key.name : key.namespace)) return [];
  return [{ severity, code, check: "analysis", refused: false, key, field, message, ...origin }];
}

/** An object within its kind, as messages name it: `shop/reviews`. */
export function localName({ key }: Pick<SourceObject, "key">): string {
  return key.namespace === "" ? key.name : `${key.namespace}/${key.name}`;
}

/** Labels as a selector is written on a command line: `app=web,version=v1`. */
export function selectorText(labels: Readonly<Record<string, string>>): string {
  return Object.keys(labels)
    .sort()
    .map((key) => `${key}=${labels[key]}`)
    .join(",");
}

/** Names in a sentence: `a, b and c`. */
export function listText(names: readonly string[]): string {
  const [last = "", ...before] = names.toReversed();
  return before.length === 0 ? last : `${before.reverse().join(", ")} and ${last}`;
}
