import type { SecretContent } from "#core/model/secret.ts";

const CERTIFICATE = "file-cert:";
const ROOTS = "file-root:";

/** Where most systems keep the authorities that everybody trusts; a proxy that keeps them elsewhere names the file. */
const SYSTEM_ROOTS = "/etc/ssl/certs/ca-certificates.crt";

/**
 * What a name stands for that is made of paths in the proxy's file system: `file-cert:CHAIN~KEY`, `file-root:ROOTS`, and `file-root:system`
 * (istio `security/pkg/nodeagent/cache` and `security/model`). Undefined for any other.
 */
export function fileSecret(name: string): SecretContent | undefined {
  if (name.startsWith(ROOTS)) {
    const path = name.slice(ROOTS.length);
    return { kind: "roots-file", roots: path === "system" ? SYSTEM_ROOTS : path };
  }
  const [chain = "", key, ...rest] = name.startsWith(CERTIFICATE) ? name.slice(CERTIFICATE.length).split("~") : [];
  return key === undefined || rest.length > 0 ? undefined : { kind: "certificate-files", chain, key };
}
