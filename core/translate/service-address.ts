import { familyOf } from "#core/lib/address.ts";
import { own } from "#core/lib/own.ts";
import type { Service } from "#core/model/service.ts";

/** What of a client decides at which addresses it sees a service. */
export interface AddressView {
  readonly cluster: string;
  readonly families: "v4" | "v6" | "dual";
  /** The client resolves names itself (`DNS_CAPTURE`), so that allocated addresses mean something to it. */
  readonly usesAllocated: boolean;
}

/** The address that stands for a service without one. */
export const UNSPECIFIED = "0.0.0.0";

type Addressed = Pick<Service, "clusterAddresses" | "autoAddresses" | "defaultAddress">;

/** The one address of a service for this client (istio `model.Service.GetAddressForProxy`); may be of a family that the client lacks. */
export function serviceAddress(service: Addressed, view: AddressView): string {
  const [first] = ofFamilies(own(service.clusterAddresses, view.cluster) ?? [], view.families);
  if (first !== undefined) return first;
  if (view.usesAllocated && service.defaultAddress === UNSPECIFIED) {
    const { v4, v6 } = service.autoAddresses;
    if (view.families !== "v6" && v4 !== undefined) return v4;
    if (view.families !== "v4" && v6 !== undefined) return v6;
  }
  return service.defaultAddress;
}

/** All addresses of a service for this client (istio `model.Service.getAllAddressesForProxy`, without dual-stack mode). */
export function serviceAddresses(service: Addressed, view: AddressView): readonly string[] {
  let addresses = own(service.clusterAddresses, view.cluster) ?? [];
  if (addresses.length === 0 && view.usesAllocated) {
    addresses = [service.autoAddresses.v4, service.autoAddresses.v6].filter((address) => address !== undefined);
  }
  addresses = ofFamilies(addresses, view.families);
  if (addresses.length > 0) return addresses;
  if (service.defaultAddress === "") return [];
  // The default address of a service that lives in other clusters only is one of theirs: of no use to a client of another family.
  const elsewhere = Object.keys(service.clusterAddresses).length > 0;
  return elsewhere ? ofFamilies([service.defaultAddress], view.families) : [service.defaultAddress];
}

/** Addresses that a client of these families can use; one of both only uses the family that comes first (istio `FilterAddressesByIPFamily`). */
function ofFamilies(addresses: readonly string[], families: AddressView["families"]): readonly string[] {
  const [first] = addresses;
  if (first === undefined) return addresses;
  const v4 = families === "v6" ? [] : addresses.filter((address) => familyOfRange(address) === "v4");
  const v6 = families === "v4" ? [] : addresses.filter((address) => familyOfRange(address) === "v6");
  if (families === "dual" && familyOfRange(first) === "v6") return v6;
  return v4.length > 0 ? v4 : v6;
}

function familyOfRange(address: string): "v4" | "v6" | undefined {
  const slash = address.indexOf("/");
  return familyOf(slash < 0 ? address : address.slice(0, slash));
}
