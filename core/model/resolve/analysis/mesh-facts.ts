import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";
import { messageFromJson } from "#core/lib/protobuf/from-json.ts";
import { MeshConfigSchema } from "#proto/mesh/v1alpha1/config_pb.js";

/** What analysis alone reads of the mesh config. */
export interface MeshFacts {
  /** Proxies give ServiceEntries virtual addresses of their own. */
  readonly allocatesAddresses: boolean;
  /** Names of extension providers of a sort that is on its way out. */
  readonly lightstepProviders: readonly string[];
}

const internFacts = interner<MeshFacts>();

/** Reads the parsed mesh config; what can't be read counts as absent, since resolution tells of it. */
export const meshFacts = memoize((raw: object | undefined): MeshFacts => {
  const { defaultConfig, extensionProviders } = messageFromJson(MeshConfigSchema, raw ?? {}, []);
  const metadata = defaultConfig?.proxyMetadata ?? {};
  const isOn = (name: string) => metadata[name] === "true";
  return internFacts({
    allocatesAddresses: isOn("ISTIO_META_DNS_CAPTURE") && (isOn("ISTIO_META_DNS_AUTO_ALLOCATE") || isOn("PILOT_ENABLE_IP_AUTOALLOCATE")),
    lightstepProviders: extensionProviders.filter(({ provider }) => provider.case === "lightstep").map(({ name }) => name),
  });
});
