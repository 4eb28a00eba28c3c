import type { DescMessage } from "@bufbuild/protobuf";
import type { EncodedBytes } from "#core/lib/protobuf/fragment.ts";
import { concatBytes } from "#core/lib/protobuf/splice.ts";
import { TypeFinder } from "./constraints/type-finder.ts";
import type { Violation } from "./constraints/violation.ts";
import { areSound } from "./constraints/virtual-hosts.ts";
import { walkAny, walkMessage } from "./constraints/walk.ts";
import { knownType } from "./known-types.ts";
import { hostPiecesIn } from "./route-configuration.ts";

/**
 * The rules of Envoy's own that an encoded message breaks: the constraints that its API states (`validate.rules` options) and those that its code adds
 * over several fields. Envoy would reject the whole resource for any of them, so what breaks one is not published. What an Any holds is looked at when
 * its type is one that Almanac spells. Works on bytes, so that fragments and patches are seen, and decodes only what a rule reads.
 */
export function violations(schema: DescMessage, bytes: Uint8Array): readonly Violation[] {
  return walkMessage(schema, bytes, TYPES);
}

/** Likewise, for a resource in its final form: a complete `google.protobuf.Any`, of a large route configuration in parts. */
export function resourceViolations(any: EncodedBytes): readonly Violation[] {
  const pieces = hostPiecesIn(any);
  // A route configuration says nothing beside its virtual hosts that could break a rule.
  if (pieces !== undefined && areSound(pieces, TYPES)) return NOTHING_BROKEN;
  return walkAny(any instanceof Uint8Array ? any : concatBytes(any), TYPES);
}

const NOTHING_BROKEN: readonly Violation[] = [];

const TYPES = new TypeFinder(knownType);
