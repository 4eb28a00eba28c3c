import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Answer } from "#core/pipeline/ask.ts";
import { resourceJson } from "../io/api.ts";

type Resources = Readonly<Record<string, JsonValue>>;

/**
 * An answer as `translate` prints it: each resource by name as canonical protobuf JSON; types that hold none are left out. Of routes, those that filter
 * chains or API listeners name are printed: like Istio's own tools, and so like the oracle, this passes over what only a default filter chain names.
 */
export function answerJson(answer: Answer): Readonly<Record<string, Resources>> {
  const printed: Record<string, Resources> = {};
  for (const [type, resources] of Object.entries(answer)) {
    printed[type] = Object.fromEntries([...resources].map(([name, { bytes }]) => [name, resourceJson(bytes)]));
  }
  const named = namedByChains(Object.values(printed.listeners ?? {}));
  const routes = Object.entries(printed.routes ?? {}).filter(([name]) => named.has(name));
  const { routes: _all, ...others } = printed;
  return routes.length === 0 ? others : { ...others, routes: Object.fromEntries(routes) };
}

function namedByChains(listeners: readonly JsonValue[]): ReadonlySet<string> {
  const filters = listeners.flatMap((listener) => objects(listener, "filterChains").flatMap((chain) => objects(chain, "filters")));
  const managers = [
    ...filters.map(({ typedConfig }) => typedConfig),
    ...listeners.map((listener) => object(object(listener).apiListener).apiListener),
  ];
  const names = managers.map((manager) => object(object(manager).rds).routeConfigName);
  return new Set(names.filter((name) => typeof name === "string"));
}

function objects(value: JsonValue | undefined, field: string): readonly JsonObject[] {
  const list = object(value)[field];
  return Array.isArray(list) ? list.map(object) : [];
}

function object(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
