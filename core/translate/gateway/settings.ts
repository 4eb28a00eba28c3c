import type { SecretServer } from "#core/envoy/sds.ts";
import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { ProxyConfig } from "#core/model/proxy-config.ts";
import { dialectFeatures } from "#core/node/dialect-features.ts";
import { type ListenerClient, type ListenerSettings, listenerSettings } from "../listeners/settings.ts";
import { clientSecrets, fileServer, type OwnSecrets } from "../own-secrets.ts";

/** What a router's listeners read of mesh config and of the router, beside its frame. */
export interface GatewaySettings {
  readonly listeners: ListenerSettings;
  readonly tlsDefaults: MeshConfig["tlsDefaults"];
  /** Who serves certificates that are files of the router's. */
  readonly fileServer: SecretServer;
  /** Servers that ask for no certificate name subjects all the same. */
  readonly subjectsAlone: boolean;
  /** What `builtin://` stands for. */
  readonly own?: OwnSecrets;
  /** A server for others' credentials is on a socket beside the proxy. */
  readonly credentialSocket: boolean;
  /** Connections start with a PROXY header. */
  readonly proxyProtocol: boolean;
}

const intern = interner<Omit<GatewaySettings, "listeners">>();

/** Gathers them; equal settings are one value. */
export function gatewaySettings(config: MeshConfig, client: ListenerClient & { readonly proxyConfig: ProxyConfig }): GatewaySettings {
  const { features, proxyConfig } = client;
  const secrets = clientSecrets(client);
  const own = intern({
    tlsDefaults: config.tlsDefaults,
    fileServer: fileServer(client),
    subjectsAlone: dialectFeatures(client.dialect).verbatim,
    ...(secrets && { own: secrets }),
    credentialSocket: features.rawCredential,
    proxyProtocol: proxyConfig.gatewayTopology.proxyProtocol,
  });
  return combine(listenerSettings(config, client), own);
}

const combine = memoize((listeners: ListenerSettings, own: Omit<GatewaySettings, "listeners">): GatewaySettings => ({ listeners, ...own }));
