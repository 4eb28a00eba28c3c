import type { Writer } from "./writer.ts";

// What fields are written with, from the last byte to the first (writer.ts), by plan or by hand. A tag is the number of a field times 8, and its wire type
// (0: a varint, 2: bytes with their length before them).

/** A field of text; empty text is left out. */
export function writeText(writer: Writer, text: string, tag: number): void {
  if (text === "") return;
  writer.string(text);
  writer.byte(tag);
}

/** A field with an unsigned number; 0 is left out. */
export function writeNumber(writer: Writer, value: number, tag: number): void {
  if (value === 0) return;
  writer.varint(value);
  writer.byte(tag);
}

/** Ends a message that was written since `mark`: what stands before it. */
export function closeMessage(writer: Writer, mark: number, tag: number): void {
  writer.varint(writer.size - mark);
  writer.varint(tag);
}
