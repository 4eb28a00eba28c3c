/** A rule of Envoy's that a message breaks: Envoy would reject the resource (NACK). */
export interface Violation {
  /** Dotted JSON names with list indices and map keys, for example `virtualHosts[2].routes[0].match`; empty: the message itself. */
  readonly path: string;
  /** In words, for example `must not be empty`. */
  readonly rule: string;
}
