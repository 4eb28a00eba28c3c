import type { Resource, ResourceType } from "#core/edition/resource.ts";

/** What one node would be sent, by type and name; types that it would not ask for are absent. */
export type Answer = Readonly<Partial<Record<ResourceType, ReadonlyMap<string, Resource>>>>;

/**
 * Walks the resources of a node as Envoy asks for them: all clusters and listeners, then what these name (endpoints, routes, extension configs), then the
 * secrets that anything names. A name that nothing answers is left out.
 */
export function ask(served: ReadonlyMap<string, Resource>): Answer {
  const ofType = (type: ResourceType): Map<string, Resource> => {
    const found = new Map<string, Resource>();
    for (const resource of served.values()) if (resource.type === type) found.set(resource.name, resource);
    return found;
  };
  const named = (type: ResourceType, names: Iterable<string>): Map<string, Resource> => {
    const found = new Map<string, Resource>();
    for (const name of [...new Set(names)].sort()) {
      const resource = served.get(`${type}/${name}`);
      if (resource !== undefined) found.set(name, resource);
    }
    return found;
  };
  const clusters = ofType("clusters");
  const listeners = ofType("listeners");
  const endpoints = named("endpoints", needed(clusters, "endpoints"));
  const routes = named("routes", needed(listeners, "routes"));
  const extensions = named("extensions", needed(listeners, "extensions"));
  const all = [clusters, listeners, routes, extensions];
  const secrets = named(
    "secrets",
    all.flatMap((resources) => needed(resources, "secrets")),
  );
  return dropEmpty({ clusters, endpoints, listeners, routes, extensions, secrets });
}

function needed(resources: ReadonlyMap<string, Resource>, type: keyof Resource["needs"]): string[] {
  return [...resources.values()].flatMap((resource) => resource.needs[type]);
}

function dropEmpty(answer: Record<string, ReadonlyMap<string, Resource>>): Answer {
  return Object.fromEntries(Object.entries(answer).filter(([, resources]) => resources.size > 0));
}
