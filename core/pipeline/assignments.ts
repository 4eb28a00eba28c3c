import { memoize } from "#core/lib/memo.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import { resolveScope } from "#core/model/resolve/scope/scope.ts";
import type { ScopedService } from "#core/model/scope.ts";
import type { Service } from "#core/model/service.ts";
import type { AssignmentSpec } from "#core/translate/endpoints/assignment-spec.ts";
import { type EndpointSettings, endpointSettings, serviceSpecs } from "#core/translate/endpoints/specs.ts";

/** A load assignment to be made: what decides it, and whose endpoints it takes. */
export interface Assignment {
  readonly kind: "assignment";
  readonly spec: AssignmentSpec;
  readonly service: Service;
}

/** Assignments by the name of the cluster that asks for them. */
export type Assignments = ReadonlyMap<string, Assignment>;

/** Nobody's namespace: it has no rules of its own and is exported nothing by name. */
const STRANGER = { namespace: "", labels: {} };

/** What a client without rules of its own is assigned: the layers that all scopes share hold these. */
export function generalAssignments(mesh: ResolvedMesh): Assignments {
  return assignmentsOf(resolveScope(mesh, STRANGER).services, endpointSettings(mesh.config, false));
}

/** Every assignment that clusters of these services may ask for. */
export const assignmentsOf = memoize((services: readonly ScopedService[], settings: EndpointSettings): Assignments => {
  const found = new Map<string, Assignment>();
  for (const scoped of services) for (const assignment of serviceAssignments(scoped, settings)) found.set(assignment.spec.cluster, assignment);
  return found;
});

/** Those of a scope that differ from the general ones: another owner of the host, other subsets, another policy. */
export const ownAssignments = memoize((services: readonly ScopedService[], settings: EndpointSettings, general: Assignments): readonly Assignment[] =>
  services.flatMap((scoped) => serviceAssignments(scoped, settings).filter((assignment) => !isGeneral(assignment, general))),
);

function isGeneral({ spec, service }: Assignment, general: Assignments): boolean {
  const shared = general.get(spec.cluster);
  return shared !== undefined && shared.spec === spec && shared.service.namespace === service.namespace;
}

const serviceAssignments = memoize((scoped: ScopedService, settings: EndpointSettings): readonly Assignment[] =>
  serviceSpecs(scoped, settings).map((spec) => ({ kind: "assignment", spec, service: scoped.service })),
);
