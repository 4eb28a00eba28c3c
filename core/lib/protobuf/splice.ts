/**
 * Puts pre-encoded pieces together: a message is the concatenation of its fields, so parts that were encoded apart (in order of field numbers)
 * form the same bytes as the whole encoded at once (protobuf.dev, "Encoding").
 */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const out = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    out.set(part, offset);
    offset += part.length;
  }
  return out;
}

/** Frames an encoded message as field `number` of the message around it: tag, length, bytes. */
export function messageField(number: number, bytes: Uint8Array): Uint8Array {
  const head = [...varint(number * 8 + 2), ...varint(bytes.length)];
  const out = new Uint8Array(head.length + bytes.length);
  out.set(head);
  out.set(bytes, head.length);
  return out;
}

function varint(value: number): number[] {
  const out: number[] = [];
  let rest = value;
  while (rest > 127) {
    out.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  out.push(rest);
  return out;
}
