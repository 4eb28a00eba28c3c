import { GO_SCALARS } from "./yaml-scalars.ts";

/** What a stated tag makes of a scalar's text, in the form that the YAML library takes. */
export interface ScalarOfTag {
  readonly tag: string;
  readonly resolve: (text: string, onError: (message: string) => void) => unknown;
}

/** Likewise of a map or list. */
export interface CollectionOfTag {
  readonly tag: string;
  readonly collection: "map" | "seq";
  readonly resolve: (collection: unknown) => unknown;
}

/** Base64 of text, as JSON has no bytes; lines may be broken in it, and nothing else (Go `base64.StdEncoding`). */
const BINARY: ScalarOfTag = {
  tag: "tag:yaml.org,2002:binary",
  resolve: (text, onError) => {
    const digits = text.replace(/[\r\n]/g, "");
    if (digits.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(digits)) onError("the value of !!binary is no base64");
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(digits, "base64"));
  },
};

/** A scalar of a stated type must look like one, in quotes too; a whole number may be a fraction (go-yaml v2 `resolve.go` resolve). */
const STATED: readonly ScalarOfTag[] = ["null", "bool", "int", "float"].map((type) => {
  const tag = `tag:yaml.org,2002:${type}`;
  return {
    tag,
    resolve: (text, onError) => {
      const found = GO_SCALARS.find(({ test }) => test.test(text));
      if (found?.tag === tag || (type === "float" && found?.tag.endsWith(":int"))) return found.resolve(text, onError);
      onError(`the value of !!${type} is none`);
      return text;
    },
  };
});

/** What tags mean to a scalar for Kubernetes and Istio (`sigs.k8s.io/yaml` over go-yaml v2). A time is the text that it is. */
export const SCALAR_TAGS: readonly ScalarOfTag[] = [BINARY, ...STATED, { tag: "tag:yaml.org,2002:timestamp", resolve: (text) => text }];

/** What the library would make sets and ordered maps of is what it looks like. */
export const COLLECTION_TAGS: readonly CollectionOfTag[] = [
  { tag: "tag:yaml.org,2002:set", collection: "map", resolve: (map) => map },
  { tag: "tag:yaml.org,2002:omap", collection: "seq", resolve: (list) => list },
  { tag: "tag:yaml.org,2002:pairs", collection: "seq", resolve: (list) => list },
];
