import type { WireView } from "#core/lib/protobuf/wire-view.ts";
import { CidrRangeSchema } from "#proto/envoy/config/core/v3/address_pb.js";
import { FilterChainMatchSchema, FilterChainSchema } from "#proto/envoy/config/listener/v3/listener_components_pb.js";
import { ListenerSchema } from "#proto/envoy/config/listener/v3/listener_pb.js";
import type { MessageRule } from "./message-rule.ts";
import type { Violation } from "./violation.ts";

/** Rules of Envoy's listeners (`source/common/listener_manager/filter_chain_manager_impl.cc`, `listener_impl.cc`). */
export const LISTENER_RULES: readonly MessageRule[] = [
  [ListenerSchema, (message) => [...someChain(message), ...differentMatches(message)]],
  [FilterChainMatchSchema, wholeLabelWildcards],
];

const FIELD = ListenerSchema.field;
const MATCH = FilterChainMatchSchema.field;

function someChain(message: WireView): readonly Violation[] {
  const enough = [FIELD.filterChains, FIELD.defaultFilterChain, FIELD.apiListener, FIELD.udpListenerConfig, FIELD.internalListener];
  return enough.some((field) => message.has(field.number)) ? [] : [{ path: "filterChains", rule: "must not be empty" }];
}

/** No connection may match two chains equally: chains are indexed by every combination of what they match. */
function differentMatches(message: WireView): readonly Violation[] {
  const chains = message.messages(FIELD.filterChains.number);
  // A matcher tree chooses by itself.
  if (chains.length < 2 || message.has(FIELD.filterChainMatcher.number)) return [];
  const found: Violation[] = [];
  const owners = new Map<string, number>();
  chains.forEach((chain, index) => {
    const match = chain.message(FilterChainSchema.field.filterChainMatch.number);
    for (const key of combinations(criteria(match))) {
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, index);
      else if (owner !== index) {
        found.push({ path: `filterChains[${index}].filterChainMatch`, rule: `must differ from what filterChains[${owner}] matches` });
        break;
      }
    }
  });
  return found;
}

/** What a chain matches, dimension by dimension; "" where it does not look. */
function criteria(match: WireView | undefined): readonly (readonly string[])[] {
  if (match === undefined) return Array.from({ length: 9 }, () => [""]);
  const orAny = (values: readonly string[]) => (values.length === 0 ? [""] : values);
  const ranges = (number: number) => orAny(match.messages(number).map(range));
  return [
    [String(match.wrapped(MATCH.destinationPort.number) ?? "")],
    ranges(MATCH.prefixRanges.number),
    orAny(match.texts(MATCH.serverNames.number)),
    [match.text(MATCH.transportProtocol.number) ?? ""],
    orAny(match.texts(MATCH.applicationProtocols.number)),
    ranges(MATCH.directSourcePrefixRanges.number),
    [String(match.number(MATCH.sourceType.number) ?? 0)],
    ranges(MATCH.sourcePrefixRanges.number),
    orAny(match.numbers(MATCH.sourcePorts.number).map(String)),
  ];
}

function range(message: WireView): string {
  return `${message.text(CidrRangeSchema.field.addressPrefix.number) ?? ""}/${message.wrapped(CidrRangeSchema.field.prefixLen.number) ?? 0}`;
}

function combinations(dimensions: readonly (readonly string[])[]): readonly string[] {
  return dimensions.reduce<readonly string[]>((keys, values) => keys.flatMap((key) => values.map((value) => `${key}|${value}`)), [""]);
}

function wholeLabelWildcards(message: WireView): readonly Violation[] {
  const bad = message.texts(MATCH.serverNames.number).findIndex((name) => name.includes("*") && !/^\*(\.[^*]*)?$/.test(name));
  return bad < 0 ? [] : [{ path: `serverNames[${bad}]`, rule: "must have a wildcard only as its whole first label" }];
}
