import type { AddressRange, ChainMatch } from "#core/envoy/filter-chain.ts";
import type { TcpTargets } from "#core/envoy/tcp-proxy.ts";
import { formatAddress } from "#core/lib/address.ts";
import { maskedRange, parseRange } from "#core/lib/address-range.ts";
import { compareText } from "#core/lib/compare.ts";
import type { Duration } from "#core/lib/duration.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Protocol } from "#core/model/protocol.ts";
import type { VirtualService } from "#core/model/virtual-service.ts";
import { UNSPECIFIED } from "../../service-address.ts";

/** A filter chain before it is spelled: what it takes, and what it does with it. */
export interface ChainPlan {
  readonly match: PlannedMatch;
  readonly body: HttpBody | TcpBody;
  /** The VirtualService whose route this is. */
  readonly virtualService?: Pick<VirtualService, "namespace" | "name">;
  /** The objects read beside the service itself. */
  readonly from: readonly ObjectKey[];
}

/** A connection manager whose routes come by RDS. */
export interface HttpBody {
  readonly kind: "http";
  /** Name of the route configuration. */
  readonly routes: string;
  readonly protocol: Protocol;
  /** A wildcard host whose names are resolved when requests come. */
  readonly forwardHost?: string;
  /** Applications know that they talk to a proxy. */
  readonly proxy?: true;
}

/** A TCP proxy, and what stands before it. */
export interface TcpBody {
  readonly kind: "tcp";
  readonly statPrefix: string;
  readonly targets: TcpTargets;
  readonly idleTimeout?: Duration;
  readonly maxConnectionDuration?: Duration;
  readonly hashSourceIp: boolean;
  readonly tunnel?: { readonly authority: string; readonly post: boolean };
  /** Mongo has a filter of its own that counts its operations. */
  readonly mongo: boolean;
  /** A wildcard host: the name in the ClientHello is resolved. */
  readonly forwardHost?: string;
}

/** Empty lists and texts take everything. */
export interface PlannedMatch {
  /** `*` among them takes every name. */
  readonly serverNames: readonly string[];
  /** Addresses and CIDRs as they are written. */
  readonly ranges: readonly string[];
  readonly applicationProtocols: readonly string[];
  readonly transport: "" | "raw_buffer";
}

const ANY_NAME = "*";

/** The clusters that a proxy sends to, as often as it names them. */
export function targetClusters(targets: TcpTargets): readonly string[] {
  return targets.kind === "cluster" ? [targets.cluster] : targets.clusters.map(({ cluster }) => cluster);
}

/** Takes whatever no other chain takes: Envoy wants such a chain apart (istio `listener.go` isMatchAll). */
export function isMatchAll({ serverNames, ranges, applicationProtocols, transport }: PlannedMatch): boolean {
  const anyName = serverNames.length === 0 || serverNames.includes(ANY_NAME);
  return anyName && applicationProtocols.length === 0 && transport === "" && ranges.length === 0;
}

/** Two chains of one listener may not take the same (istio `listener.go` conflictsWith). */
export function sameMatch(a: PlannedMatch, b: PlannedMatch): boolean {
  return a === b || matchKey(a) === matchKey(b);
}

function matchKey(match: PlannedMatch): string {
  const names = [...new Set(match.serverNames)].filter((name) => name !== ANY_NAME).sort();
  const ranges = new Set<string>();
  for (const text of match.ranges) {
    const range = parseRange(text);
    if (range !== undefined && formatAddress(range.address) !== UNSPECIFIED) ranges.add(maskedRange(range));
  }
  return JSON.stringify([match.transport, match.applicationProtocols, names, [...ranges].sort()]);
}

/** How Envoy is told (istio `listener.go` toFilterChainMatch). Undefined for a chain that takes everything. */
export function chainMatch(match: PlannedMatch): ChainMatch | undefined {
  if (isMatchAll(match)) return undefined;
  return {
    ranges: [...match.ranges].sort(compareText).flatMap(addressRange),
    serverNames: match.serverNames.includes(ANY_NAME) ? [] : [...match.serverNames].sort(compareText),
    transport: match.transport,
    applicationProtocols: match.applicationProtocols,
  };
}

function addressRange(text: string): readonly AddressRange[] {
  const range = parseRange(text);
  if (range === undefined) return [];
  const prefix = formatAddress(range.address);
  return prefix === UNSPECIFIED ? [] : [{ prefix, length: range.bits }];
}
