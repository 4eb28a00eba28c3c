import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { diagnose } from "./diagnose.ts";

/** Objects whose status is kept. */
type Conditioned = SourceObject<"ServiceEntry"> | SourceObject<"KubernetesGateway"> | SourceObject<"HTTPRoute"> | SourceObject<"GRPCRoute">;

/** Conditions that are bad news when they are False. */
const GATEWAY_API = ["Accepted", "Programmed", "ResolvedRefs"];
const AMBIENT = ["istio.io/WaypointBound"];

/** Bad news that a controller wrote into an object's status (istio `analyzers/conditions/conditions.go`). */
export const checkConditions = memoize((objects: readonly Conditioned[]): readonly Diagnostic[] => objects.flatMap((object) => checkObject(object)));

const checkObject = memoize((object: Conditioned): readonly Diagnostic[] => {
  const watched = object.key.kind === "ServiceEntry" ? AMBIENT : GATEWAY_API;
  const status = record(object.spec.status);
  const own = conditionsAt(status, "status");
  const ofParents = list(status.parents).flatMap((parent, index) => conditionsAt(record(parent), `status.parents[${index}]`));
  return [...own, ...ofParents].flatMap(({ condition, field }) => {
    if (condition.status !== "False" || typeof condition.type !== "string" || !watched.includes(condition.type)) return [];
    const message = `its controller says that ${condition.type} is False (${condition.reason}): ${condition.message}`;
    return diagnose(object, { severity: "warning", code: "IST0171", field, message });
  });
});

function conditionsAt(holder: Readonly<Record<string, unknown>>, path: string) {
  return list(holder.conditions).map((condition, index) => ({ condition: record(condition), field: `${path}.conditions[${index}]` }));
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
