import { isAddress } from "#core/lib/address.ts";
import { bracketed, hostAndPort } from "#core/lib/host-port.ts";
import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";
import type { Service, ServicePort } from "#core/model/service.ts";
import { type AddressView, serviceAddress, serviceAddresses, UNSPECIFIED } from "../service-address.ts";

/** What decides under which names a client reaches a service. */
export interface Naming extends AddressView {
  /** The client's DNS domain, `<namespace>.svc.<suffix>` in Kubernetes. */
  readonly dnsDomain: string;
  /** Ports in `Host` headers don't matter where the listener has one port; where it serves all, names carry theirs. */
  readonly portInNames: boolean;
}

/** Equal values are one. */
export const internNaming = interner<Naming>();

/** A virtual host's name and domains. */
export interface Label {
  readonly name: string;
  readonly domains: readonly string[];
}

/** Equal labels are one value: an encoded virtual host hangs on it. */
export const internLabel = interner<Label>();

/** The domains that a virtual host would have if no other had one of them. */
export interface HostLabel extends Label {
  /** The domains in lower case, by which they are compared. */
  readonly keys: readonly string[];
  /** Names that are only a way of spelling another one: a registered host of that name goes before. */
  readonly expanded: ReadonlySet<string>;
}

/** Of a host that no service has. */
export function labelOfHost(host: string, port: number): HostLabel {
  return labelOf(internHost({ host, port }));
}

const internHost = interner<{ readonly host: string; readonly port: number }>();
const labelOf = memoize(({ host, port }: { readonly host: string; readonly port: number }): HostLabel => {
  const domain = bracketed(host);
  return { name: hostAndPort(host, port), domains: [domain], keys: [domain.toLowerCase()], expanded: NOTHING };
});
const NOTHING: ReadonlySet<string> = new Set();

/**
 * Of a service: its host and the ways of writing it, likewise for each alias; with `*.` before them for a headless one; then its addresses
 * (istio `httproute.go` generateVirtualHostDomains).
 */
export function labelOfService(service: Service, port: ServicePort, naming: Naming): HostLabel {
  return makeLabel(port, service, isNear(service, naming) ? naming : fromElsewhere(naming));
}

/**
 * Of a client in Kubernetes only that part of its domain counts that a service has in common with it: its namespace is one of all others, unless it is the
 * service's own. Clients of all other namespaces so share the label, and the encoded virtual host that hangs on it.
 */
function isNear({ host, aliases }: Service, { dnsDomain }: Naming): boolean {
  const at = dnsDomain.indexOf(SVC);
  if (at <= 0) return true;
  const namespace = dnsDomain.slice(0, at);
  return isIn(host, namespace) || aliases.some((alias) => isIn(alias.host, namespace));
}

/** Does the namespace stand where Kubernetes names have it? */
function isIn(host: string, namespace: string): boolean {
  const svc = host.indexOf(SVC);
  return svc >= 0 && host.slice(host.indexOf(".") + 1, svc) === namespace;
}

const fromElsewhere = memoize((naming: Naming): Naming => internNaming({ ...naming, dnsDomain: `${NO_NAMESPACE}${fromSvc(naming.dnsDomain)}` }));

/** Not to be found in a host's name. */
const NO_NAMESPACE = "/";

const makeLabel = memoize((port: ServicePort, service: Service, naming: Naming): HostLabel => {
  const { domains, keys, expanded } = naming.portInNames ? spellDomains(service, port.number, naming) : domainsWithoutPort(service, naming);
  return { name: hostAndPort(hostIn(service, naming), port.number), domains, keys, expanded };
});

/** The same for all ports of a service. */
const domainsWithoutPort = memoize((service: Service, naming: Naming) => spellDomains(service, NO_PORT, naming));

/** Names are in lower case, but not where a listener serves every port. */
function hostIn({ host }: Service, { portInNames }: Naming): string {
  return portInNames ? host : host.toLowerCase();
}

function spellDomains(service: Service, suffix: number, naming: Naming): Omit<HostLabel, "name"> {
  const domains: string[] = [];
  const expanded = new Set<string>();
  for (const host of [hostIn(service, naming), ...service.aliases.map((alias) => alias.host)]) {
    const others = alternatives(host, suffix, naming.dnsDomain);
    domains.push(...withPort(host, suffix), ...others);
    for (const other of others) expanded.add(other);
  }
  if (service.resolution === "passthrough" && service.registry === "Kubernetes") domains.push(...domains.map((domain) => `*.${domain}`));
  for (const address of addressesOf(service, naming)) domains.push(...withPort(address, suffix));
  return { domains, keys: domains.map((domain) => domain.toLowerCase()), expanded };
}

/** A single-port listener sees a service under its one address for the client; allocated addresses of the other family are lost there. */
function addressesOf(service: Service, naming: Naming): readonly string[] {
  const { clusterAddresses } = service;
  const seen = naming.portInNames ? service : { clusterAddresses, defaultAddress: serviceAddress(service, naming), autoAddresses: {} };
  return serviceAddresses(seen, naming).filter((address) => address !== "" && address !== UNSPECIFIED);
}

const NO_PORT = 0;

/**
 * Other ways of writing a host: with the final dot of an absolute name, and shortened by what client and service have in common. Kubernetes
 * names are only shortened for clients in Kubernetes, and by namespace: `api` within its own, `api.shop` from elsewhere
 * (istio `GenerateAltVirtualHosts`).
 */
export function alternatives(host: string, port: number, dnsDomain: string): readonly string[] {
  const absolute = absoluteNames(host, port);
  if (dnsDomain.includes(SVC)) return host.endsWith(fromSvc(dnsDomain)) ? [...absolute, ...kubernetesNames(host, port, dnsDomain)] : absolute;
  const { unique, shared } = splitShared(host, dnsDomain);
  const [nearest] = shared;
  if (nearest === undefined) return absolute;
  const short = unique.join(".");
  const longer = unique.length === 2 ? withPort(`${short}.${nearest}`, port) : [];
  return [...absolute, ...withPort(short, port), ...longer];
}

const SVC = ".svc.";

function absoluteNames(host: string, port: number): readonly string[] {
  const plain = isAddress(host) ? [] : [`${host}.`];
  return port === NO_PORT ? plain : [...plain, hostAndPort(`${host}.`, port)];
}

function fromSvc(dnsDomain: string): string {
  const at = dnsDomain.indexOf(SVC);
  return at > 0 ? dnsDomain.slice(at) : dnsDomain;
}

function kubernetesNames(host: string, port: number, dnsDomain: string): readonly string[] {
  const svc = host.indexOf(SVC);
  const dot = host.indexOf(".");
  if (svc <= 0 || dot + 1 > svc) return [];
  const qualified = host.slice(0, svc);
  const sameNamespace = host.slice(dot + 1, svc) === dnsDomain.slice(0, dnsDomain.indexOf(SVC));
  const names = sameNamespace ? [host.slice(0, dot), `${qualified}.svc`, qualified] : [qualified, `${qualified}.svc`];
  return names.flatMap((name) => withPort(name, port));
}

/** Splits a host into what is its own and the suffix, label by label, that it shares with the client's domain. */
function splitShared(host: string, dnsDomain: string): { readonly unique: readonly string[]; readonly shared: readonly string[] } {
  const labels = host.split(".");
  const domain = dnsDomain.split(".");
  let count = 0;
  while (count < Math.min(labels.length, domain.length) && labels.at(-1 - count) === domain.at(-1 - count)) count++;
  return { unique: labels.slice(0, labels.length - count), shared: labels.slice(labels.length - count) };
}

function withPort(domain: string, port: number): readonly string[] {
  return port === NO_PORT ? [bracketed(domain)] : [bracketed(domain), hostAndPort(domain, port)];
}
