import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { gathered } from "#core/lib/gathered.ts";
import type { Service } from "#core/model/service.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { destinationsOf, type NamedDestination } from "./destinations.ts";
import { diagnose, type Remark } from "./diagnose.ts";
import type { KnownServices } from "./known-services.ts";

/** Hosts and ports of destinations that no service has, and ports that have to be given (istio `analyzers/virtualservice/destinationhosts.go`). */
export const checkDestinationHosts = gathered((object: SourceObject<"VirtualService">, services: KnownServices): readonly Diagnostic[] => {
  const reference = { namespace: object.key.namespace, exportTo: object.spec.exportTo };
  return destinationsOf(object).flatMap((named) => {
    const remark = remarkOn(named, services.find(named.destination.host, reference));
    return remark === undefined ? [] : diagnose(object, remark);
  });
});

function remarkOn({ destination, path, mirror }: NamedDestination, found: readonly Service[]): Remark | undefined {
  const { host } = destination;
  const number = destination.port?.number;
  const field = `${path}.host`;
  const [service] = found;
  if (service === undefined) {
    const what = mirror ? "mirrors to" : "sends to";
    const message = `${what} "${host}", which no Service or ServiceEntry that it can see has: requests end with 503; write the host of one`;
    return { severity: "error", code: "IST0101", field, message };
  }
  if (number !== undefined && number !== 0) {
    if (found.some(({ ports }) => ports.some((port) => port.number === number))) return undefined;
    const message = `"${host}" has no port ${number}, only ${portsText(service)}: requests end with 503; name one of its ports`;
    return { severity: "error", code: "IST0101", field, message };
  }
  if (service.ports.length < 2) return undefined;
  const message = `"${host}" has the ports ${portsText(service)}: say with port.number which one is meant`;
  return { severity: "error", code: "IST0112", field, message };
}

function portsText({ ports }: Service): string {
  return ports.length === 0 ? "none" : ports.map(({ number }) => number).join(", ");
}
