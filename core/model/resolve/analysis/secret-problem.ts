import { decodeBase64 } from "#core/lib/base64.ts";
import type { KubeSecret } from "#core/sources/kubernetes.ts";

/** Keys of generic secrets come first (istio `credentials/kube/secrets.go` ExtractCertInfo). */
const PAIRS = [
  ["cert", "key"],
  ["tls.crt", "tls.key"],
] as const;

/**
 * Why a secret gives no certificate, as the end of a sentence; undefined if it does. Whether one has expired is for those to say who have a clock
 * (istio `pilot/pkg/xds/sds.go` ValidateCertificate).
 */
export function secretProblem({ data }: KubeSecret): string | undefined {
  const given = (key: string) => data[key] !== undefined && data[key] !== "";
  const pair = PAIRS.find((keys) => keys.every(given));
  if (pair === undefined) return 'has neither "tls.crt" and "tls.key" nor "cert" and "key"';
  const [name] = pair;
  const text = new TextDecoder().decode(decodeBase64(data[name] ?? ""));
  const block = /-----BEGIN [^-]+-----([A-Za-z0-9+/=\s]+)-----END [^-]+-----/.exec(text)?.[1];
  if (block === undefined) return `has no PEM block in "${name}"`;
  return isSequence(decodeBase64(block.replaceAll(/\s/g, ""))) ? undefined : `has no certificate in "${name}"`;
}

/** Is it a DER sequence as long as the bytes, as every certificate is? */
function isSequence(bytes: Uint8Array | undefined): boolean {
  if (bytes === undefined || bytes[0] !== 0x30) return false;
  const first = bytes[1] ?? 0;
  if (first < 0x80) return bytes.length === first + 2;
  const digits = bytes.subarray(2, 2 + (first & 0x7f));
  const length = digits.reduce((sum, digit) => sum * 256 + digit, 0);
  return digits.length > 0 && bytes.length === 2 + digits.length + length;
}
