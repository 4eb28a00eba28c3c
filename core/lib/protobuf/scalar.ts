import { ScalarType } from "@bufbuild/protobuf";
import type { Writer } from "./writer.ts";

/** The wire types of protobuf ("Encoding", Message Structure). */
const WIRE_VARINT = 0;
const WIRE_64 = 1;
export const WIRE_BYTES = 2;
export const WIRE_GROUP_START = 3;
export const WIRE_GROUP_END = 4;
const WIRE_32 = 5;

/** How one bare value of a scalar type is written, and which values a field without presence leaves out. */
export interface Scalar {
  readonly wireType: number;
  readonly write: (writer: Writer, value: unknown) => void;
  readonly isZero: (value: unknown) => boolean;
}

const isFalsy = (value: unknown): boolean => !value;
// A number of 64 bits may be text ("0").
const isZero64 = (value: unknown): boolean => !value || value === "0";
// Minus zero is a value of its own, and so is NaN.
const isZeroFloat = (value: unknown): boolean => Object.is(value, 0);

const bigint = (value: unknown): bigint => (typeof value === "bigint" ? value : BigInt(value as number | string));

const unsigned = (writer: Writer, value: unknown): void => writer.varint((value as number) >>> 0);
const signed = (writer: Writer, value: unknown): void => {
  if ((value as number) >= 0) writer.varint(value as number);
  else writer.varint64(BigInt(value as number));
};
const varint64 = (writer: Writer, value: unknown): void => writer.varint64(bigint(value));
const fixed32 = (writer: Writer, value: unknown): void => writer.fixed32(value as number);
const fixed64 = (writer: Writer, value: unknown): void => writer.fixed64(BigInt.asUintN(64, bigint(value)));
const zigzag32 = (writer: Writer, value: unknown): void => writer.varint((((value as number) << 1) ^ ((value as number) >> 31)) >>> 0);
const zigzag64 = (writer: Writer, value: unknown): void => {
  const number = bigint(value);
  writer.varint64(number < 0n ? (-number << 1n) - 1n : number << 1n);
};
const bytes = (writer: Writer, value: unknown): void => {
  // A literal may give bytes as a list of numbers.
  const array = value instanceof Uint8Array ? value : Uint8Array.from(value as readonly number[]);
  writer.raw(array);
  writer.varint(array.length);
};

const SCALARS: Readonly<Record<ScalarType, Scalar>> = {
  [ScalarType.DOUBLE]: { wireType: WIRE_64, write: (writer, value) => writer.double(value as number), isZero: isZeroFloat },
  [ScalarType.FLOAT]: { wireType: WIRE_32, write: (writer, value) => writer.float(value as number), isZero: isZeroFloat },
  [ScalarType.INT64]: { wireType: WIRE_VARINT, write: varint64, isZero: isZero64 },
  [ScalarType.UINT64]: { wireType: WIRE_VARINT, write: varint64, isZero: isZero64 },
  [ScalarType.INT32]: { wireType: WIRE_VARINT, write: signed, isZero: isFalsy },
  [ScalarType.FIXED64]: { wireType: WIRE_64, write: fixed64, isZero: isZero64 },
  [ScalarType.FIXED32]: { wireType: WIRE_32, write: fixed32, isZero: isFalsy },
  [ScalarType.BOOL]: { wireType: WIRE_VARINT, write: (writer, value) => writer.byte(value ? 1 : 0), isZero: isFalsy },
  [ScalarType.STRING]: { wireType: WIRE_BYTES, write: (writer, value) => writer.string(value as string), isZero: isFalsy },
  [ScalarType.BYTES]: { wireType: WIRE_BYTES, write: bytes, isZero: (value) => (value as Uint8Array).length === 0 },
  [ScalarType.UINT32]: { wireType: WIRE_VARINT, write: unsigned, isZero: isFalsy },
  [ScalarType.SFIXED32]: { wireType: WIRE_32, write: fixed32, isZero: isFalsy },
  [ScalarType.SFIXED64]: { wireType: WIRE_64, write: fixed64, isZero: isZero64 },
  [ScalarType.SINT32]: { wireType: WIRE_VARINT, write: zigzag32, isZero: isFalsy },
  [ScalarType.SINT64]: { wireType: WIRE_VARINT, write: zigzag64, isZero: isZero64 },
};

export function scalarOf(type: ScalarType): Scalar {
  return SCALARS[type];
}

/** Enums are open: any number of 32 bits. */
export const ENUM: Scalar = SCALARS[ScalarType.INT32];
