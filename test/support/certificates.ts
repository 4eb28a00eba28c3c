import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "certificates");

export type CertificateName = "ca" | "shop" | "shop-renewed" | "client" | "reviews";

/** Path of a certificate in PEM. */
export function certificateFile(name: CertificateName): string {
  return join(FOLDER, `${name}.pem`);
}

export function keyFile(name: Exclude<CertificateName, "ca">): string {
  return join(FOLDER, `${name}.key`);
}

/** A Secret of type kubernetes.io/tls. */
export function tlsSecret(secret: string, namespace: string, name: Exclude<CertificateName, "ca">): Readonly<Record<string, unknown>> {
  const base64 = (path: string) => readFileSync(path).toString("base64");
  return {
    apiVersion: "v1",
    kind: "Secret",
    type: "kubernetes.io/tls",
    metadata: { name: secret, namespace },
    data: { "tls.crt": base64(certificateFile(name)), "tls.key": base64(keyFile(name)), "ca.crt": base64(certificateFile("ca")) },
  };
}
