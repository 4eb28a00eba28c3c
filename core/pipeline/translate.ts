import { entryKey } from "#core/edition/layer.ts";
import type { Resource } from "#core/edition/resource.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import { resolveDirectory } from "#core/model/resolve/workloads/directory.ts";
import type { Dialect, Facts } from "#core/node/facts.ts";
import { findFacts, type Unintelligible } from "#core/node/find-facts.ts";
import type { NodeMessage } from "#core/node/message.ts";
import { overlay } from "#core/node/overlay.ts";
import { accepted } from "./accepted.ts";
import { type Answer, ask } from "./ask.ts";
import { type Compilation, type CompiledLayer, compile } from "./compile.ts";
import { isProxyless } from "./compile-grpc.ts";

/** What istiod would send one node, and what its users should know of that: what Envoy would refuse of it, an edition leaves out. */
export interface Translation {
  readonly answer: Answer;
  readonly diagnostics: readonly Diagnostic[];
}

/** {@link translateNode} without what there is to know. */
export function translate(mesh: ResolvedMesh, node: NodeMessage, dialect?: Dialect): Answer | Unintelligible {
  const translation = translateNode(mesh, node, dialect);
  return "error" in translation ? translation : translation.answer;
}

/** What one node would be sent, or why it can't be understood. Throws what rendering throws: there is no earlier layer to stand in. */
export function translateNode(mesh: ResolvedMesh, node: NodeMessage, dialect?: Dialect): Translation | Unintelligible {
  const facts = findFacts(node, resolveDirectory(mesh), dialect);
  if ("error" in facts) return facts;
  const compilation = compile(mesh, [facts]);
  for (const { fault } of compilation.failed.values()) throw fault;
  const answer = ask(served(compilation, facts));
  const sent = Object.values(answer).flatMap((resources) => [...resources.values()]);
  const refusals = isProxyless(facts) ? [] : accepted(sent).diagnostics;
  return { answer, diagnostics: [...compilation.diagnostics, ...refusals] };
}

/** The resources of a node by `type/name`: its layers laid over each other. */
export function served({ placements, layers }: Compilation, facts: Facts): ReadonlyMap<string, Resource> {
  const keys = placements.get(facts)?.layers.map(({ key }) => key) ?? [];
  return overlay(keys.flatMap((key) => layers.get(key) ?? []).map(byName));
}

function byName({ contents }: CompiledLayer): ReadonlyMap<string, Resource | "absent"> {
  const names = new Map<string, Resource | "absent">();
  for (const resource of contents.resources) names.set(entryKey(resource.type, resource.name), resource);
  for (const { type, name } of contents.absent ?? []) names.set(entryKey(type, name), "absent");
  return names;
}
