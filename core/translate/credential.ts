import { adsSecret, agentSecret, type SecretReference, socketSecret } from "#core/envoy/sds.ts";
import type { OwnSecrets } from "./own-secrets.ts";

/** Where a credential comes from. */
export interface Credential {
  readonly reference: SecretReference;
  /** Its name, if the proxy asks its control plane for it. */
  readonly resource?: string;
}

/** What of a proxy decides where credentials come from. */
export interface CredentialSource {
  /** A server for others' credentials stands on a socket beside the proxy. */
  readonly credentialSocket: boolean;
  /** What `builtin://` stands for. */
  readonly own?: OwnSecrets;
}

/** What a credential of that name means (istio ConstructSdsSecretConfigForCredential). */
export function credential(name: string, { credentialSocket, own }: CredentialSource): Credential {
  if (name === "builtin://") return builtin(own?.certificate, own);
  if (name === "builtin://-cacert") return builtin(own?.roots, own);
  const external = name.startsWith(EXTERNAL);
  if (external && credentialSocket) return { reference: socketSecret(name) };
  const resource = secretName(external ? name.slice(EXTERNAL.length) : name);
  return { reference: adsSecret(resource), resource };
}

/** A proxy without anything of its own waits for what never comes, and ends no connection. */
function builtin(name: string | undefined, own: OwnSecrets | undefined): Credential {
  if (name === undefined || own === undefined) return { reference: adsSecret("default") };
  return { reference: agentSecret(name, own.server), ...(own.server === "ads" && { resource: name }) };
}

const EXTERNAL = "sds://";

/** The resource name of a credential (istio `model/credentials` ToResourceName). */
function secretName(name: string): string {
  if (name.startsWith("builtin://")) return "default";
  if (name.startsWith("invalid://")) return "invalid://";
  return /^(configmap|kubernetes|kubernetes-gateway):\/\//.test(name) ? name : `kubernetes://${name}`;
}
