import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { Destination } from "#proto/networking/v1alpha3/virtual_service_pb.js";

/** A place that a VirtualService sends traffic to. */
export interface NamedDestination {
  readonly destination: Destination;
  /** Of the destination. */
  readonly path: string;
  readonly mirror: boolean;
  /** Of an HTTP route, mirrors apart. */
  readonly http: boolean;
}

/** Everything that a VirtualService sends to, mirrors last. */
export const destinationsOf = memoize(({ spec }: SourceObject<"VirtualService">): readonly NamedDestination[] => [
  ...(["tcp", "tls", "http"] as const).flatMap((protocol) =>
    spec[protocol].flatMap(({ route }, index) =>
      route.flatMap(({ destination }, place) =>
        named(destination, `spec.${protocol}[${index}].route[${place}].destination`, { mirror: false, http: protocol === "http" }),
      ),
    ),
  ),
  ...spec.http.flatMap(({ mirror, mirrors }, index) => [
    ...named(mirror, `spec.http[${index}].mirror`, MIRROR),
    ...mirrors.flatMap(({ destination }, place) => named(destination, `spec.http[${index}].mirrors[${place}].destination`, MIRROR)),
  ]),
]);

const MIRROR = { mirror: true, http: false };

function named(destination: Destination | undefined, path: string, rest: Pick<NamedDestination, "mirror" | "http">): readonly NamedDestination[] {
  return destination === undefined ? [] : [{ destination, path, ...rest }];
}
