import { isHttp, isTcp, type Protocol } from "#core/model/protocol.ts";
import type { MtlsMode } from "#core/model/workload.ts";
import { PLAIN_HTTP_PROTOCOLS } from "../outbound/http-chain.ts";

/** One of the chains by which a port's traffic is told apart: by encryption, and where the protocol isn't declared by ALPN and detection. */
export interface ChainKind {
  readonly protocol: "http" | "tcp";
  readonly transport: "tls" | "raw_buffer";
  /** Empty: any. */
  readonly applicationProtocols: readonly string[];
  /** Ends mutual TLS here; otherwise bytes go on as they are. */
  readonly terminates: boolean;
}

/** What Istio's clients offer, by what they found their application to speak. */
const MESH_HTTP = ["istio-http/1.0", "istio-http/1.1", "istio-h2"];
const MESH_TCP = ["istio-peer-exchange", "istio"];
const MESH_ANY = ["istio", "istio-peer-exchange", ...MESH_HTTP];

const chain = (
  protocol: ChainKind["protocol"],
  transport: ChainKind["transport"],
  applicationProtocols: readonly string[] = [],
  terminates = false,
): ChainKind => ({ protocol, transport, applicationProtocols, terminates });

type Shape = "http" | "tcp" | "auto";

/** Istio `core/filterchain_options.go`, in the order in which the chains are sent. */
const KINDS: Readonly<Record<MtlsMode, Readonly<Record<Shape, readonly ChainKind[]>>>> = {
  PERMISSIVE: {
    http: [chain("http", "tls", MESH_ANY, true), chain("http", "raw_buffer")],
    tcp: [chain("tcp", "tls", MESH_ANY, true), chain("tcp", "tls"), chain("tcp", "raw_buffer")],
    auto: [
      chain("http", "tls", MESH_HTTP, true),
      chain("http", "raw_buffer", PLAIN_HTTP_PROTOCOLS),
      chain("tcp", "tls", MESH_TCP, true),
      chain("tcp", "raw_buffer"),
      chain("tcp", "tls"),
    ],
  },
  STRICT: {
    http: [chain("http", "tls", [], true)],
    tcp: [chain("tcp", "tls", [], true)],
    auto: [chain("http", "tls", MESH_HTTP, true), chain("tcp", "tls", [], true)],
  },
  DISABLE: {
    http: [chain("http", "raw_buffer")],
    tcp: [chain("tcp", "raw_buffer")],
    auto: [chain("http", "raw_buffer", PLAIN_HTTP_PROTOCOLS), chain("tcp", "raw_buffer")],
  },
};

/** The chains of a port of this protocol under this mode. A UDP service port gets those of TCP. */
export function chainKinds(protocol: Protocol, mode: MtlsMode): readonly ChainKind[] {
  return KINDS[mode][shapeOf(protocol)];
}

function shapeOf(protocol: Protocol): Shape {
  if (isHttp(protocol)) return "http";
  return isTcp(protocol) || protocol === "UDP" ? "tcp" : "auto";
}
