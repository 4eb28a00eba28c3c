import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { diagnose, listText } from "./diagnose.ts";

type NamespaceObject = SourceObject<"Namespace">;

const INJECTION = "istio-injection";
const REVISION = "istio.io/rev";
const MODE = "istio.io/dataplane-mode";

/** Namespaces that say too little, or too much, of sidecar injection (istio `analyzers/injection/injection.go`). */
export const checkNamespaces = memoize(
  (namespaces: readonly NamespaceObject[], configMaps: readonly SourceObject<"ConfigMap">[]): readonly Diagnostic[] =>
    namespaces.flatMap((namespace) => {
      if (namespace.key.name === "istio-system") return [];
      const { labels } = namespace;
      const found: Diagnostic[] = [];
      const given = asked(labels);
      if (given.length > 1) {
        const message = `has the labels ${listText(given)}, which contradict each other: keep one`;
        found.push(...diagnose(namespace, { severity: "warning", code: "IST0123", field: "metadata.labels", message }));
      }
      if (labels[MODE] === "ambient" || labels[INJECTION] || labels[REVISION] !== undefined) return found;
      found.push(
        ...diagnose(
          namespace,
          injectsByDefault(configMaps) ? { ...BY_DEFAULT, field: "metadata.labels" } : { ...NOT_INJECTED, field: "metadata.labels" },
        ),
      );
      return found;
    }),
);

/** Labels that ask for a data plane; beside a plain refusal the others don't count. */
function asked(labels: Readonly<Record<string, string>>): readonly string[] {
  const injection = labels[INJECTION];
  const others = injection === undefined || injection === "enabled" ? [REVISION, MODE] : [];
  return [INJECTION, ...others].filter((key) => labels[key] !== undefined).map((key) => `${key}=${labels[key]}`);
}

const NOT_INJECTED = {
  severity: "info",
  code: "IST0102",
  message: `is not labelled for injection: Istio puts no sidecar into its Pods; label it ${INJECTION}=enabled, or ${INJECTION}=disabled if none is wanted`,
} as const;

const BY_DEFAULT = {
  severity: "info",
  code: "IST0148",
  message: `is injected without a label, since Istio was installed with enableNamespacesByDefault; label it ${INJECTION}=disabled if no sidecar is wanted`,
} as const;

/** Does the injector's ConfigMap turn the default round? Whatever can't be read does not. */
function injectsByDefault(configMaps: readonly SourceObject<"ConfigMap">[]): boolean {
  const values = configMaps.find(({ key }) => key.name === "istio-sidecar-injector")?.spec.data.values;
  if (values === undefined) return false;
  try {
    const { sidecarInjectorWebhook } = JSON.parse(values) as { readonly sidecarInjectorWebhook?: { readonly enableNamespacesByDefault?: unknown } };
    return sidecarInjectorWebhook?.enableNamespacesByDefault === true;
  } catch {
    return false;
  }
}

/** Namespaces whose Pods get a sidecar because of their label, by `cluster/name`. */
export const injectedNamespaces = memoize(
  (namespaces: readonly NamespaceObject[]): ReadonlySet<string> =>
    new Set(namespaces.filter(({ labels }) => labels[INJECTION] === "enabled").map(({ key }) => `${key.cluster}/${key.name}`)),
);
