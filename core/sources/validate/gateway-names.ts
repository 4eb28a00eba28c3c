import type { Findings } from "./findings.ts";
import { domainProblem, isDnsLabel } from "./names.ts";

/** Names of gateways, `namespace/name` or the old form with dots; `plainNames` is off for objects made from Gateway API. */
export function checkGatewayNames(names: readonly string[], path: string, plainNames: boolean, findings: Findings): void {
  for (const [index, name] of names.entries()) {
    const at = `${path}[${index}]`;
    const slash = name.indexOf("/");
    if (slash < 0) {
      const [gateway = "", namespace = ""] = name.split(".");
      if (name.includes(".")) findings.warning(at, `"${name}" is the old form, prefer "${namespace}/${gateway}"`);
      findings.error(at, domainProblem(name));
      return; // Istio looks no further after a name without a namespace.
    }
    const namespace = name.slice(0, slash);
    const gateway = name.slice(slash + 1);
    if (namespace === "" || gateway === "") findings.error(at, "namespace and name of a gateway must not be empty");
    if (!isDnsLabel(namespace)) findings.error(at, `"${namespace}" is not the name of a namespace`);
    if (plainNames && !isDnsLabel(gateway)) findings.error(at, `"${gateway}" is not the name of a gateway`);
  }
}
