import { interner } from "#core/lib/intern.ts";
import type { AddressView } from "../service-address.ts";

/** What of a proxyless client decides its names. */
export interface GrpcClient {
  readonly namespace: string;
  /** For example `shop.svc.cluster.local`. */
  readonly dnsDomain: string;
  readonly addresses: AddressView;
}

/** Equal clients are one value. */
export const grpcClient = interner<GrpcClient>();
