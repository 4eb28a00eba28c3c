import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { groupBy } from "#core/lib/group.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { diagnose, listText, type Remark } from "./diagnose.ts";
import { secretProblem } from "./secret-problem.ts";
import type { Workloads } from "./workloads.ts";

type SecretObject = SourceObject<"Secret">;
type SecretsByName = ReadonlyMap<string, readonly SecretObject[]>;

/** Secrets that servers of Gateways name: missing ones, and ones without a certificate (istio `analyzers/gateway/secret.go`). */
export const checkGatewaySecrets = memoize(
  (gateways: readonly SourceObject<"Gateway">[], secrets: readonly SecretObject[], workloads: Workloads): readonly Diagnostic[] => {
    if (gateways.length === 0) return [];
    const byName = groupBy(secrets, ({ key }) => key.name);
    return gateways.flatMap((gateway) => {
      const namespaces = [...new Set(workloads.find(gateway.spec.selector).map(({ namespace }) => namespace))];
      return gateway.spec.servers.flatMap(({ tls }, index) => {
        const names = tls === undefined ? [] : credentials(tls);
        return names.flatMap(({ name, path }) => {
          const remark = remarkOn(name, namespaces, byName);
          return remark === undefined ? [] : diagnose(gateway, { ...remark, field: `spec.servers[${index}].tls.${path}` });
        });
      });
    });
  },
);

interface Credential {
  readonly name: string;
  readonly path: string;
}

/** Names with a scheme of their own stand for something else. */
function credentials(tls: { readonly credentialName: string; readonly credentialNames: readonly string[] }): readonly Credential[] {
  const all = [
    { name: tls.credentialName, path: "credentialName" },
    ...tls.credentialNames.map((name, index) => ({ name, path: `credentialNames[${index}]` })),
  ];
  return all.filter(({ name }) => name !== "" && !name.includes("://"));
}

/** A secret has to be where the Gateway's workloads are. Where these are not known, one of that name anywhere will do. */
function remarkOn(credential: string, namespaces: readonly string[], byName: SecretsByName): Omit<Remark, "field"> | undefined {
  const slash = credential.indexOf("/");
  const name = credential.slice(slash + 1);
  const places = slash < 0 ? namespaces : [credential.slice(0, slash)];
  const found = (byName.get(name) ?? []).filter(({ key }) => places.length === 0 || places.includes(key.namespace));
  if (found.length === 0) {
    const where = places.length === 0 ? "" : ` in namespace ${listText(places)}, where its workloads are`;
    const message = `there is no Secret "${name}"${where}: the server gets no certificate and accepts no connection`;
    return { severity: "error", code: "IST0101", message };
  }
  const problems = found.map(({ spec }) => secretProblem(spec));
  if (problems.includes(undefined)) return undefined;
  return { severity: "error", code: "IST0161", message: `Secret "${name}" ${problems[0]}: the server gets no certificate and accepts no connection` };
}
