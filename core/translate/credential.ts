import { adsSecret, agentSecret, ROOT_SECRET, type SecretReference, socketSecret, WORKLOAD_SECRET } from "#core/envoy/sds.ts";

/** Where a credential comes from. */
export interface Credential {
  readonly reference: SecretReference;
  /** Its name, if the proxy asks its control plane for it. */
  readonly resource?: string;
}

/** What a credential of that name means; `socket`: the proxy has a server for others' credentials beside it (istio ConstructSdsSecretConfigForCredential). */
export function credential(name: string, socket: boolean): Credential {
  if (name === "builtin://") return { reference: agentSecret(WORKLOAD_SECRET) };
  if (name === "builtin://-cacert") return { reference: agentSecret(ROOT_SECRET) };
  const external = name.startsWith(EXTERNAL);
  if (external && socket) return { reference: socketSecret(name) };
  const resource = secretName(external ? name.slice(EXTERNAL.length) : name);
  return { reference: adsSecret(resource), resource };
}

const EXTERNAL = "sds://";

/** The resource name of a credential (istio `model/credentials` ToResourceName). */
function secretName(name: string): string {
  if (name.startsWith("builtin://")) return "default";
  if (name.startsWith("invalid://")) return "invalid://";
  return /^(configmap|kubernetes|kubernetes-gateway):\/\//.test(name) ? name : `kubernetes://${name}`;
}
