import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { gathered } from "#core/lib/gathered.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { diagnose } from "./diagnose.ts";

/**
 * Routes that hand over to a VirtualService which is not there, or which is none to hand over to: they are dropped (istio `model/virtualservice.go`).
 * Istio has no analysis of this.
 */
export const checkDelegates = memoize((objects: readonly SourceObject<"VirtualService">[]): readonly Diagnostic[] => {
  if (delegating(objects).length === 0) return [];
  const hosts = new Map(objects.map(({ key, spec }) => [`${key.namespace}/${key.name}`, spec.hosts.length]));
  return objects.flatMap((object) =>
    object.spec.http.flatMap(({ delegate }, index) => {
      if (delegate === undefined) return [];
      const name = `${delegate.namespace || object.key.namespace}/${delegate.name}`;
      const found = hosts.get(name);
      if (found === 0) return [];
      const problem = found === undefined ? "there is no VirtualService of that name" : "it has hosts of its own, which a delegate must not have";
      const message = `hands over to ${name}, but ${problem}: the route is dropped; name one that has none`;
      return diagnose(object, { severity: "warning", code: "IST0101", field: `spec.http[${index}].delegate.name`, message });
    }),
  );
});

const delegating = gathered((object: SourceObject<"VirtualService">) =>
  object.spec.http.some(({ delegate }) => delegate !== undefined) ? [object] : [],
);
