import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { encodeRouteConfiguration } from "#core/envoy/route-configuration.ts";
import { encodeVirtualHost, type VirtualHostFragment } from "#core/envoy/virtual-host.ts";
import { concatBytes } from "#core/lib/protobuf/splice.ts";
import { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";

/** Some 200 bytes: large configurations need hundreds. */
function host(name: string, domain = `${name}.example.com`): VirtualHostFragment {
  const domains = [domain, ...Array.from({ length: 8 }, (_, index) => `${index}.${name}.example.com`)];
  return encodeVirtualHost({ name, domains, routes: [], requireTls: false, includeRequestAttemptCount: true });
}

const NAMES = Array.from({ length: 1000 }, (_, index) => `host-${String(index).padStart(4, "0")}`);
const HOSTS = NAMES.map((name) => host(name));

function encoded(virtualHosts: readonly VirtualHostFragment[]): Uint8Array | readonly Uint8Array[] {
  return encodeRouteConfiguration({ name: "80", virtualHosts, ignorePortInHostMatching: true, maxDirectResponseBodyBytes: 1 });
}

function pieces(virtualHosts: readonly VirtualHostFragment[]): readonly Uint8Array[] {
  const result = encoded(virtualHosts);
  assert.ok(!(result instanceof Uint8Array));
  return result;
}

/** Pieces that are in one list and not in the other. */
function apart(some: readonly Uint8Array[], others: readonly Uint8Array[]): number {
  return some.filter((piece) => !others.includes(piece)).length;
}

describe("route configuration", () => {
  test("is one message, whether in pieces or not", () => {
    for (const virtualHosts of [HOSTS, HOSTS.slice(0, 10), []]) {
      const result = encoded(virtualHosts);
      const any = fromBinary(AnySchema, result instanceof Uint8Array ? result : concatBytes(result));
      const read = fromBinary(RouteConfigurationSchema, any.value);
      assert.deepEqual(
        [read.name, read.ignorePortInHostMatching, read.validateClusters, read.maxDirectResponseBodySizeBytes],
        ["80", true, false, 1],
      );
      assert.deepEqual(
        read.virtualHosts.map(({ name }) => name),
        NAMES.slice(0, virtualHosts.length),
      );
    }
  });

  test("is in pieces only where it is large", () => {
    assert.ok(encoded(HOSTS.slice(0, 100)) instanceof Uint8Array);
    const count = pieces(HOSTS).length;
    assert.ok(count > 15 && count < 70, `${count} pieces`);
  });

  test("keeps all pieces but one where a host changes, comes or goes", () => {
    const before = pieces(HOSTS);
    const changed = HOSTS.with(500, host(NAMES[500] ?? "", "other.example.com"));
    // Its head says how long it is.
    assert.equal(apart(pieces(changed), before) <= 3, true);
    const name = HOSTS.findIndex(({ isLast }) => !isLast);
    assert.ok(apart(pieces(HOSTS.toSpliced(name, 1)), before) <= 3);
    assert.ok(apart(pieces(HOSTS.toSpliced(300, 0, host("host-0299a"))), before) <= 4);
  });
});
