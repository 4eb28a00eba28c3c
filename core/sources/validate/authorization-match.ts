import type { Operation, Source } from "#proto/security/v1beta1/authorization_policy_pb.js";
import {
  addressesProblem,
  emptyValueProblem,
  pathTemplateProblem,
  portsProblem,
  serviceAccountProblem,
  trustDomainProblem,
} from "./authorization-values.ts";
import type { Findings } from "./findings.ts";

type ValuesProblem = (values: readonly string[]) => string | undefined;

const SOURCE_VALUES = {
  principals: emptyValueProblem,
  requestPrincipals: emptyValueProblem,
  namespaces: emptyValueProblem,
  serviceAccounts: serviceAccountProblem,
  trustDomains: trustDomainProblem,
  ipBlocks: addressesProblem,
  remoteIpBlocks: addressesProblem,
  notPrincipals: emptyValueProblem,
  notRequestPrincipals: emptyValueProblem,
  notNamespaces: emptyValueProblem,
  notServiceAccounts: serviceAccountProblem,
  notTrustDomains: trustDomainProblem,
  notIpBlocks: addressesProblem,
  notRemoteIpBlocks: addressesProblem,
} satisfies Partial<Record<keyof Source, ValuesProblem>>;

const OPERATION_VALUES = {
  ports: portsProblem,
  methods: emptyValueProblem,
  hosts: emptyValueProblem,
  paths: pathTemplateProblem,
  notPorts: portsProblem,
  notMethods: emptyValueProblem,
  notHosts: emptyValueProblem,
  notPaths: pathTemplateProblem,
} satisfies Partial<Record<keyof Operation, ValuesProblem>>;

/** Who sends a request. */
export function checkSource(source: Source, path: string, findings: Findings): void {
  const { principals, notPrincipals, namespaces, notNamespaces, serviceAccounts, notServiceAccounts } = source;
  const broad = [principals, notPrincipals, namespaces, notNamespaces].some((list) => list.length > 0);
  if (broad && serviceAccounts.length + notServiceAccounts.length > 0) {
    findings.error(`${path}.serviceAccounts`, "can't be combined with namespaces or principals");
  }
  checkValues(source, SOURCE_VALUES, path, findings);
}

/** What a request wants. */
export function checkOperation(operation: Operation, path: string, findings: Findings): void {
  checkValues(operation, OPERATION_VALUES, path, findings);
}

/** Does the source say something that is known of a TCP connection? */
export function isTcpSource(source: Source): boolean {
  const http: ReadonlySet<string> = new Set(["requestPrincipals", "notRequestPrincipals", "trustDomains", "notTrustDomains"]);
  return Object.keys(SOURCE_VALUES).some((field) => !http.has(field) && source[field as keyof typeof SOURCE_VALUES].length > 0);
}

/** Does the operation name what TCP has? Then it can be for a TCP port. */
export function isTcpOperation({ ports, notPorts }: Operation): boolean {
  return ports.length + notPorts.length > 0;
}

function checkValues<T extends Source | Operation>(
  lists: T,
  checks: Readonly<Record<string, ValuesProblem>>,
  path: string,
  findings: Findings,
): void {
  const given = Object.entries(checks).map(([field, check]) => ({ field, check, values: lists[field as keyof T] as readonly string[] }));
  if (given.every(({ values }) => values.length === 0)) findings.error(path, "must not be empty");
  for (const { field, check, values } of given) findings.error(`${path}.${field}`, check(values));
}
