import type { DescMessage } from "@bufbuild/protobuf";
import type { Scalar } from "./scalar.ts";

/** A message literal, or a message. */
export type Literal = Readonly<Record<string, unknown>>;

/** How one value is written, with its tag. */
export interface ValuePlan {
  readonly form: "scalar" | "message" | "wrapper" | "struct" | "group";
  readonly tag: number;
  /** Of scalars and wrappers. */
  readonly scalar: Scalar;
  /** Of messages and groups. */
  readonly schema: DescMessage | undefined;
  /** Of messages and groups: the plan of their type, once it was needed. */
  plan: StepPlan | undefined;
}

/** How a member of a message is written: a field, or the fields of a oneof that are neighbours by number, of which at most one is set. */
export interface Step {
  /** The property of a literal that holds it. */
  readonly name: string;
  /** "own": a scalar with presence, whose absence may show a default that a message inherits. */
  readonly mode: "implicit" | "own" | "present" | "list" | "packed list" | "map" | "oneof" | "unknown" | "encoded" | "packed";
  readonly value: ValuePlan;
  /** Of maps: the key, and the tag of an entry. */
  readonly key: MapKey | undefined;
  readonly entryTag: number;
  /** Of oneofs: the cases by name. */
  readonly cases: ReadonlyMap<string | undefined, ValuePlan>;
}

/** The key of a map; in a literal it is the name of a property. */
export interface MapKey {
  readonly isText: boolean;
  readonly tag: number;
  readonly scalar: Scalar;
  readonly parse: (name: string) => unknown;
}

/**
 * Which steps of a message type a literal needs, in order. Most messages of Envoy have dozens of fields and most literals name a few, always the same few
 * in the same order, because they are made in one place. So the sequences of names seen are remembered as a tree, and a literal costs one comparison
 * a name, not one look-up for each field of the type.
 */
export class StepPlan {
  private readonly all: readonly Step[];
  private readonly root: Place = { name: undefined, next: undefined, others: undefined, steps: [] };
  private size = 1;

  constructor(all: readonly Step[]) {
    this.all = all;
  }

  stepsFor(message: Literal): readonly Step[] {
    let place = this.root;
    for (const name in message) {
      const next = place.name === name ? place.next : this.turn(place, name);
      if (next === undefined) return this.all;
      place = next;
    }
    return place.steps;
  }

  /** Follows a name other than the first one seen here; undefined when no more is remembered. */
  private turn(place: Place, name: string): Place | undefined {
    const known = place.others?.get(name);
    if (known !== undefined || this.size === MOST_PLACES) return known;
    this.size++;
    const wanted = new Set<Step>(place.steps);
    const next: Place = {
      name: undefined,
      next: undefined,
      others: undefined,
      steps: this.all.filter((step) => wanted.has(step) || step.name === name),
    };
    if (place.name === undefined) {
      place.name = name;
      place.next = next;
    } else {
      place.others ??= new Map();
      place.others.set(name, next);
    }
    return next;
  }
}

/** Far more than the code has places that make a message; a bound all the same, for literals that are data. */
const MOST_PLACES = 1000;

interface Place {
  /** The name that came first after the names up to here, and where it leads. */
  name: string | undefined;
  next: Place | undefined;
  others: Map<string, Place> | undefined;
  /** Needed by the names up to here. */
  readonly steps: readonly Step[];
}
