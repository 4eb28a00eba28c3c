/** Why a call could not be answered, independent of how it was made. */
export type FailureKind = "invalid" | "not-found" | "wrong-method" | "conflict" | "too-large" | "exhausted" | "not-ready" | "unserved" | "internal";

/** An expected failure with a message that the caller may read. */
export class ServiceFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}

/** What a failure is in each protocol: HTTP status, and code of gRPC and Connect (google/rpc/code.proto). */
export interface Codes {
  readonly http: number;
  readonly grpc: number;
  /** Name of the code, as Connect spells it. */
  readonly name: string;
}

const TABLE: Readonly<Record<FailureKind, Codes>> = {
  invalid: { http: 400, grpc: 3, name: "invalid_argument" },
  "not-found": { http: 404, grpc: 5, name: "not_found" },
  "wrong-method": { http: 405, grpc: 12, name: "unimplemented" },
  conflict: { http: 409, grpc: 10, name: "aborted" },
  "too-large": { http: 413, grpc: 8, name: "resource_exhausted" },
  exhausted: { http: 429, grpc: 8, name: "resource_exhausted" },
  "not-ready": { http: 503, grpc: 14, name: "unavailable" },
  unserved: { http: 501, grpc: 12, name: "unimplemented" },
  internal: { http: 500, grpc: 13, name: "internal" },
};

/** What a kind of failure is in each protocol. */
export function codesOf(kind: FailureKind): Codes {
  return TABLE[kind];
}

/** What the caller is told: of an unexpected failure nothing but that it happened. */
export function describeFailure(failure: unknown): { readonly codes: Codes; readonly message: string; readonly expected: boolean } {
  if (failure instanceof ServiceFailure) return { codes: TABLE[failure.kind], message: failure.message, expected: true };
  return { codes: TABLE.internal, message: "internal error; the log says more", expected: false };
}
