import type { HeaderEdits, HeaderWrite } from "#core/envoy/header-edits.ts";
import { compareText } from "#core/lib/compare.ts";
import type { HeaderOperations, Headers } from "#core/model/virtual-service.ts";

export interface HeaderChanges {
  readonly request: HeaderEdits;
  readonly response: HeaderEdits;
  /** The host that request headers ask for: it is rewritten, as `:authority` can't be set like a header. "" if none. */
  readonly authority: string;
}

const NONE: HeaderEdits = { write: [], remove: [] };
const NO_CHANGES: HeaderChanges = { request: NONE, response: NONE, authority: "" };

/** Header operations: `set` before `add`, each sorted by name; pseudo headers and `host` are left out (istio `TranslateHeadersOperations`). */
export function headerChanges(headers: Headers | undefined): HeaderChanges {
  if (headers === undefined) return NO_CHANGES;
  const { request, response } = headers;
  return { request: edits(request), response: edits(response), authority: authorityIn(request?.set) || authorityIn(request?.add) };
}

/** What is done to the headers of one destination comes after what is done to those of its route. */
export function thenHeaders(first: HeaderEdits, second: HeaderEdits): HeaderEdits {
  return { write: [...first.write, ...second.write], remove: [...first.remove, ...second.remove] };
}

function edits(operations: HeaderOperations | undefined): HeaderEdits {
  if (operations === undefined) return NONE;
  return {
    write: [...writes(operations.set, "overwrite"), ...writes(operations.add, "append")],
    remove: operations.remove.filter((name) => !isInternal(name)),
  };
}

function writes(values: Readonly<Record<string, string>>, mode: HeaderWrite["mode"]): HeaderWrite[] {
  return sortedEntries(values)
    .filter(([name]) => !isInternal(name))
    .map(([name, value]) => ({ name, value, mode }));
}

function authorityIn(values: Readonly<Record<string, string>> = {}): string {
  let authority = "";
  for (const [name, value] of sortedEntries(values)) if (isAuthority(name)) authority = value;
  return authority;
}

function sortedEntries(values: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(values).sort(([a], [b]) => compareText(a, b));
}

function isInternal(name: string): boolean {
  return name.startsWith(":") || name.toLowerCase() === "host";
}

function isAuthority(name: string): boolean {
  const lower = name.toLowerCase();
  return lower === ":authority" || lower === "host";
}
