import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { gathered } from "#core/lib/gathered.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { diagnose } from "./diagnose.ts";
import type { MeshFacts } from "./mesh-facts.ts";

/** Fields that still work, but not for long (istio `analyzers/deprecation/deprecation.go`, `analyzers/telemetry/lightstep.go`). */
const CODE = { severity: "warning", code: "IST0002" } as const;

export const checkDeprecatedFaults = gathered((object: SourceObject<"VirtualService">): readonly Diagnostic[] =>
  object.spec.http.flatMap(({ fault }, index) => {
    if (fault?.delay === undefined || fault.delay.percent <= 0) return [];
    const message = "percent is deprecated: write percentage.value";
    return diagnose(object, { ...CODE, field: `spec.http[${index}].fault.delay.percent`, message });
  }),
);

export const checkDeprecatedProxies = memoize((sidecars: readonly SourceObject<"Sidecar">[]): readonly Diagnostic[] =>
  sidecars.flatMap((sidecar) => {
    if (sidecar.spec.outboundTrafficPolicy?.egressProxy === undefined) return [];
    const message = "egressProxy is deprecated: send to the proxy with a VirtualService";
    return diagnose(sidecar, { ...CODE, field: "spec.outboundTrafficPolicy.egressProxy", message });
  }),
);

export const checkDeprecatedProviders = memoize(
  (telemetries: readonly SourceObject<"Telemetry">[], { lightstepProviders }: MeshFacts): readonly Diagnostic[] =>
    telemetries.flatMap((telemetry) =>
      telemetry.spec.tracing.flatMap(({ providers }, index) =>
        providers.flatMap(({ name }, place) => {
          if (!lightstepProviders.includes(name)) return [];
          const message = `provider "${name}" is of the deprecated sort lightstep: use one of sort opentelemetry`;
          return diagnose(telemetry, { ...CODE, field: `spec.tracing[${index}].providers[${place}].name`, message });
        }),
      ),
    ),
);
