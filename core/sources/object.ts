import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Kind, Spec } from "./kinds.ts";

/** One object of a source, projected to what translation reads. Readonly, and compared by digest of everything but `origin`. */
export interface SourceObject<K extends Kind = Kind> {
  readonly key: ObjectKey & { readonly kind: K };
  /** Kubernetes' uid; "" where a source has none. */
  readonly uid: string;
  /** Kubernetes' resourceVersion; "" where a source has none. */
  readonly revision: string;
  /**
   * Age in milliseconds since the epoch, for ordering alone. Without a timestamp of its own, a Kubernetes or Gateway API object has 0 (oldest),
   * an Istio object one second after the admitted one before it (DESIGN 5).
   */
  readonly created: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly owners: readonly { readonly kind: string; readonly name: string; readonly controller: boolean }[];
  /** Kubernetes' `generateName`, which decides a Pod's workload name. */
  readonly generateName: string;
  readonly spec: Spec<K>;
  readonly origin?: Origin;
}

/** Where an object was read; never part of a digest. */
export interface Origin {
  readonly file: string;
  readonly line: number;
}
