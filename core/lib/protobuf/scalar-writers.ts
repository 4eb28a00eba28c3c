import { ScalarType } from "@bufbuild/protobuf";
import type { Writer } from "./writer.ts";

/** Writes one bare value, without its tag. */
export type ValueWriter = (writer: Writer, value: unknown) => void;

/** The wire types of protobuf ("Encoding", Message Structure). */
export const WIRE_VARINT = 0;
const WIRE_64 = 1;
export const WIRE_BYTES = 2;
export const WIRE_GROUP_START = 3;
export const WIRE_GROUP_END = 4;
const WIRE_32 = 5;

export interface Scalar {
  readonly wireType: number;
  readonly write: ValueWriter;
  /** Whether a field without presence leaves the value out. */
  readonly isZero: (value: unknown) => boolean;
}

const isFalsy = (value: unknown): boolean => !value;
// A 64-bit number may be text ("0").
const isZero64 = (value: unknown): boolean => !value || value === "0";
// Minus zero is a value of its own, and so is NaN.
const isZeroFloat = (value: unknown): boolean => Object.is(value, 0);

const bigint = (value: unknown): bigint => (typeof value === "bigint" ? value : BigInt(value as number | string));

const varint: ValueWriter = (writer, value) => writer.varint((value as number) >>> 0);
const signedVarint: ValueWriter = (writer, value) => {
  if ((value as number) >= 0) writer.varint(value as number);
  else writer.varint64(BigInt(value as number));
};
const varint64: ValueWriter = (writer, value) => writer.varint64(bigint(value));
const fixed32: ValueWriter = (writer, value) => writer.fixed32(value as number);
const fixed64: ValueWriter = (writer, value) => writer.fixed64(BigInt.asUintN(64, bigint(value)));
const zigzag32: ValueWriter = (writer, value) => writer.varint((((value as number) << 1) ^ ((value as number) >> 31)) >>> 0);
const zigzag64: ValueWriter = (writer, value) => {
  const number = bigint(value);
  writer.varint64(number < 0n ? (-number << 1n) - 1n : number << 1n);
};

const SCALARS: Readonly<Record<ScalarType, Scalar>> = {
  [ScalarType.DOUBLE]: { wireType: WIRE_64, write: (writer, value) => writer.double(value as number), isZero: isZeroFloat },
  [ScalarType.FLOAT]: { wireType: WIRE_32, write: (writer, value) => writer.float(value as number), isZero: isZeroFloat },
  [ScalarType.INT64]: { wireType: WIRE_VARINT, write: varint64, isZero: isZero64 },
  [ScalarType.UINT64]: { wireType: WIRE_VARINT, write: varint64, isZero: isZero64 },
  [ScalarType.INT32]: { wireType: WIRE_VARINT, write: signedVarint, isZero: isFalsy },
  [ScalarType.FIXED64]: { wireType: WIRE_64, write: fixed64, isZero: isZero64 },
  [ScalarType.FIXED32]: { wireType: WIRE_32, write: fixed32, isZero: isFalsy },
  [ScalarType.BOOL]: { wireType: WIRE_VARINT, write: (writer, value) => writer.byte(value ? 1 : 0), isZero: isFalsy },
  [ScalarType.STRING]: { wireType: WIRE_BYTES, write: (writer, value) => writer.string(value as string), isZero: isFalsy },
  [ScalarType.BYTES]: { wireType: WIRE_BYTES, write: writeBytes, isZero: (value) => (value as Uint8Array).length === 0 },
  [ScalarType.UINT32]: { wireType: WIRE_VARINT, write: varint, isZero: isFalsy },
  [ScalarType.SFIXED32]: { wireType: WIRE_32, write: fixed32, isZero: isFalsy },
  [ScalarType.SFIXED64]: { wireType: WIRE_64, write: fixed64, isZero: isZero64 },
  [ScalarType.SINT32]: { wireType: WIRE_VARINT, write: zigzag32, isZero: isFalsy },
  [ScalarType.SINT64]: { wireType: WIRE_VARINT, write: zigzag64, isZero: isZero64 },
};

function writeBytes(writer: Writer, value: unknown): void {
  // A literal may give bytes as a list of numbers.
  const bytes = value instanceof Uint8Array ? value : Uint8Array.from(value as readonly number[]);
  writer.raw(bytes);
  writer.varint(bytes.length);
}

/** How values of a scalar type are written, and which of them is the zero value. */
export function scalarOf(type: ScalarType): Scalar {
  return SCALARS[type];
}

/** Enums are open: any number of 32 bits. */
export const ENUM: Scalar = SCALARS[ScalarType.INT32];
