/** How plain text is told to be a value, in the form that the YAML library takes. */
export interface PlainScalar {
  readonly tag: string;
  readonly default: true;
  readonly test: RegExp;
  readonly resolve: (text: string, onError: (message: string) => void) => unknown;
  readonly identify?: (value: unknown) => boolean;
}

const TRUE = /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const FALSE = /^(?:n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/;

/** What plain scalars are, by their text alone, as go-yaml v2 decides it (`resolve.go`): YAML 1.1 without base 60, times and binary. */
export const GO_SCALARS: readonly PlainScalar[] = [
  { identify: (value) => value === null, tag: "tag:yaml.org,2002:null", default: true, test: /^(?:~|null|Null|NULL)?$/, resolve: () => null },
  {
    identify: (value) => typeof value === "boolean",
    tag: "tag:yaml.org,2002:bool",
    default: true,
    test: TRUE,
    resolve: (text: string) => TRUE.test(text),
  },
  { tag: "tag:yaml.org,2002:bool", default: true, test: FALSE, resolve: (text: string) => TRUE.test(text) },
  {
    tag: "tag:yaml.org,2002:int",
    default: true,
    test: /^[-+]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]+|[1-9][0-9_]*|0)$/,
    resolve: readInteger,
  },
  {
    tag: "tag:yaml.org,2002:float",
    default: true,
    test: /^[-+]?(?:\.[0-9_]+|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?$/,
    resolve: readFloat,
  },
  {
    tag: "tag:yaml.org,2002:float",
    default: true,
    test: /^[-+]?\.(?:inf|Inf|INF)$/,
    resolve: refuseFloat,
  },
  { tag: "tag:yaml.org,2002:float", default: true, test: /^\.(?:nan|NaN|NAN)$/, resolve: refuseFloat },
];

/** What is too large to be a number is text. */
function readFloat(text: string): number | string {
  const value = Number(text.replaceAll("_", ""));
  return Number.isFinite(value) ? value : text;
}

/** JSON has no such numbers. */
function refuseFloat(text: string, onError: (message: string) => void): string {
  onError(`${text} is no number that an object may have`);
  return text;
}

function readInteger(text: string): number {
  const plain = text.replaceAll("_", "").toLowerCase();
  const digits = plain.replace(/^[-+]/, "");
  const value = /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return plain.startsWith("-") ? -value : value;
}
