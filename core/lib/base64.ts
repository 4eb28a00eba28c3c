import { base64Decode } from "@bufbuild/protobuf/wire";

/** The bytes of a base64 text; undefined for what is none. */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    return base64Decode(text);
  } catch {
    return undefined;
  }
}
