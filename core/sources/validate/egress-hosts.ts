import type { Findings } from "./findings.ts";
import { isDnsLabel, partialWildcardProblem, wildcardDomainProblem } from "./names.ts";

/** What a Sidecar's egress listener imports: `namespace/host`, with `*`, `.` and `~` for namespaces, and wildcard hosts. */
export function checkEgressHosts(hosts: readonly string[], path: string, own: string, findings: Findings): void {
  if (hosts.length === 0) findings.error(path, "at least one host is required");
  const seen = new Map<string, Set<string>>();
  for (const [index, entry] of hosts.entries()) {
    const at = `${path}[${index}]`;
    checkRepetition(entry, at, { own, seen }, findings);
    checkHost(entry, at, findings);
  }
  if (seen.get("*")?.has("*") === true && seen.size !== 1) findings.warning(path, "*/* imports everything, other hosts add nothing");
}

interface Seen {
  readonly own: string;
  /** Hosts by namespace. */
  readonly seen: Map<string, Set<string>>;
}

function checkRepetition(entry: string, path: string, { own, seen }: Seen, findings: Findings): void {
  const slash = entry.indexOf("/");
  if (slash < 0 || entry.startsWith("~")) return;
  const namespace = slash === 1 && entry.startsWith(".") ? own : entry.slice(0, slash);
  const host = entry.slice(slash + 1);
  const hosts = seen.get(namespace) ?? new Set();
  const repeated = host === "*" ? hosts.size > 0 : hosts.has(host) || hosts.has("*");
  if (repeated) findings.warning(path, `"${entry}" overlaps with an earlier host`);
  seen.set(namespace, hosts.add(host));
}

function checkHost(entry: string, path: string, findings: Findings): void {
  const slash = entry.indexOf("/");
  if (slash < 0) {
    findings.error(path, "must have the form NAMESPACE/HOST");
    return;
  }
  const namespace = entry.slice(0, slash).replace(/^~/, "");
  const host = entry.slice(slash + 1);
  if (slash === 0 || host === "") findings.error(path, "namespace and host must not be empty");
  if (!["", "*", "."].includes(namespace) && !isDnsLabel(namespace)) findings.error(path, `"${namespace}" is not a namespace`);
  if (host !== "*" && !host.includes(".")) findings.error(path, `"${host}" is not a name in full`);
  findings.error(path, wildcardDomainProblem(host));
  findings.error(path, partialWildcardProblem(host));
}
