import { isAddress } from "#core/lib/address.ts";
import { compareText } from "#core/lib/compare.ts";
import { equalLists } from "#core/lib/equality.ts";
import { groupBy } from "#core/lib/group.ts";
import { equalKeyLists, type ObjectKey } from "#core/lib/object-key.ts";
import type { Endpoint } from "../../endpoint.ts";
import type { EndpointAddress, PortFacts, ServiceFacts } from "../../scope.ts";
import type { Service } from "../../service.ts";

/**
 * What clusters and listeners read of a service's endpoints (istio `push_context.go` initServiceRegistry, ServiceEndpointsByPort). `services` are all
 * with one host and namespace, in order: each regroups the endpoints of its ports, and the identities of the last one count.
 */
export function serviceFacts(services: readonly Service[], endpoints: readonly Endpoint[]): ServiceFacts {
  const identities = new Set(services.at(-1)?.serviceAccounts);
  const bearers = firstBearers(endpoints);
  for (const identity of bearers.keys()) identities.add(identity);
  const ports: Record<number, PortFacts> = {};
  // Endpoints belong to a host: those that one of its services brings are another one's, too.
  const headless = services.some(({ resolution }) => resolution === "passthrough");
  for (const service of services) {
    for (const [port, members] of endpointsByPort(service, endpoints)) ports[port] = portFacts(members, headless);
  }
  const taken = hostPorts(endpoints);
  return {
    identities: [...identities].sort(compareText),
    sources: [...new Set([...bearers].sort(([a], [b]) => compareText(a, b)).flatMap(([, endpoint]) => sourcesOf(endpoint)))],
    ports,
    ...(taken.length > 0 && { hostPorts: taken }),
  };
}

/** The first endpoint of each identity. */
function firstBearers(endpoints: readonly Endpoint[]): ReadonlyMap<string, Endpoint> {
  const bearers = new Map<string, Endpoint>();
  let last = "";
  for (const endpoint of endpoints) {
    const { serviceAccount } = endpoint.workload;
    if (serviceAccount !== last && !bearers.has(serviceAccount)) bearers.set(serviceAccount, endpoint);
    last = serviceAccount;
  }
  bearers.delete("");
  return bearers;
}

/** That there is anybody. */
function witness([first]: readonly Endpoint[]): readonly ObjectKey[] {
  return first === undefined ? [] : sourcesOf(first);
}

/** What makes an endpoint one, and says what it speaks: where it runs decides nothing here. */
function sourcesOf({ port: { listedBy }, workload }: Endpoint): readonly ObjectKey[] {
  const [own] = workload.sources;
  return own === undefined ? [listedBy] : [listedBy, own];
}

const NO_PORTS: readonly number[] = [];

/** Addresses that a client means by its own host, or may not tell from it. */
const HOST: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "0.0.0.0", "::"]);

function hostPorts(endpoints: readonly Endpoint[]): readonly number[] {
  const own = endpoints.filter(({ address }) => HOST.has(address));
  return own.length === 0 ? NO_PORTS : [...new Set(own.map(({ port }) => port.number))].sort((a, b) => a - b);
}

/** Endpoints join a port by the number that their ServiceEntry says, else by name, where the last port of a name counts. */
function endpointsByPort(service: Service, endpoints: readonly Endpoint[]): ReadonlyMap<number, readonly Endpoint[]> {
  const numbers = new Map(service.ports.map(({ name, number }) => [name, number]));
  const known = new Set(service.ports.map(({ number }) => number));
  const groups = groupBy(endpoints, ({ port: { servicePort, servicePortName } }) => (servicePort === 0 ? numbers.get(servicePortName) : servicePort));
  for (const port of groups.keys()) if (port === undefined || !known.has(port)) groups.delete(port);
  return groups as ReadonlyMap<number, readonly Endpoint[]>;
}

function portFacts(endpoints: readonly Endpoint[], headless: boolean): PortFacts {
  const plaintext = endpoints.find(({ workload }) => workload.tlsMode === "disabled");
  return {
    allSpeakMtls: plaintext === undefined,
    sources: plaintext === undefined ? witness(endpoints) : sourcesOf(plaintext),
    ...tunnelFacts(endpoints),
    addresses: headless ? endpoints.filter(({ address }) => isAddress(address)).map(addressOf) : [],
  };
}

function tunnelFacts(endpoints: readonly Endpoint[]): Pick<PortFacts, "allTakeTunnels" | "tunnelSources"> {
  const other = endpoints.find(({ workload }) => !workload.traits.tunnels);
  if (other === undefined) return { allTakeTunnels: true, tunnelSources: witness(endpoints) };
  return endpoints.some(({ workload }) => workload.traits.tunnels) ? { tunnelSources: sourcesOf(other) } : NO_TUNNELS;
}

const NO_TUNNELS = {};

function addressOf({ address, workload, port: { listedBy } }: Endpoint): EndpointAddress {
  return { address, sources: [...workload.sources, listedBy] };
}

/** The old value where the new one is equal: what clusters are made of then stays the same. */
export function keepFacts(found: ServiceFacts, known: ServiceFacts | undefined): ServiceFacts {
  if (
    known === undefined ||
    !equalLists(known.identities, found.identities) ||
    !equalKeyLists(known.sources, found.sources) ||
    !equalPorts(known.ports, found.ports)
  )
    return found;
  return equalLists(known.hostPorts ?? [], found.hostPorts ?? []) ? known : found;
}

function equalPorts(a: ServiceFacts["ports"], b: ServiceFacts["ports"]): boolean {
  const numbers = Object.keys(a).map(Number);
  if (numbers.length !== Object.keys(b).length) return false;
  return numbers.every((number) => {
    const one = a[number];
    const other = b[number];
    return one !== undefined && other !== undefined && equalPort(one, other);
  });
}

function equalPort(a: PortFacts, b: PortFacts): boolean {
  const sameFacts = a.allSpeakMtls === b.allSpeakMtls && a.allTakeTunnels === b.allTakeTunnels;
  const sameSources = equalKeyLists(a.sources, b.sources) && equalKeyLists(a.tunnelSources ?? [], b.tunnelSources ?? []);
  return sameFacts && sameSources && equalAddresses(a.addresses, b.addresses);
}

function equalAddresses(a: PortFacts["addresses"], b: PortFacts["addresses"]): boolean {
  return equalLists(a, b, (one, other) => one.address === other.address && equalKeyLists(one.sources, other.sources));
}
