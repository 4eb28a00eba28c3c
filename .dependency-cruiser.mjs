// The borders of the house (DESIGN 2), one rule each. Type imports count: a type that leaks makes two rooms one.

/** What a room may import, as regular expressions over project paths; everything else of the project is forbidden to it. */
const ROOMS = {
  "core/lib": {
    may: [],
    reason: "Helpers know nothing of what they help.",
  },
  "core/sources": {
    may: ["^core/lib/", "^proto/gen/"],
    reason: "Objects as sources give them: no view of the mesh yet, so that a new source touches nothing else.",
  },
  "core/model": {
    except: "^core/model/resolve/",
    may: ["^core/lib/"],
    reason: "The model's types are what translation sees: they know no source, no Kubernetes, no Envoy.",
  },
  "core/model/resolve": {
    may: ["^core/lib/", "^core/sources/", "^core/model/", "^core/node/", "^proto/gen/"],
    reason: "The one place where source objects become the model (and the node directory).",
  },
  "core/node": {
    may: ["^core/lib/"],
    reason: "Placement is used by both halves, so it must not pull in either.",
  },
  "core/envoy": {
    may: ["^core/lib/", "^proto/gen/"],
    reason: "Spelling: plain arguments in, message out. It cannot decide what exists, because it cannot see the model.",
  },
  "core/translate": {
    except: "^core/translate/patch/",
    may: ["^core/lib/", "^core/node/", "^core/envoy/", "^core/model/(?!resolve/)", "^core/edition/resource\\.ts$"],
    reason: "What exists, from the model's views only; Envoy's messages are spelled in core/envoy.",
  },
  "core/translate/patch": {
    may: ["^core/lib/", "^core/node/", "^core/envoy/", "^core/model/(?!resolve/)", "^core/edition/resource\\.ts$", "^core/translate/", "^proto/gen/"],
    reason: "EnvoyFilter patches edit any message, so they need the generated types.",
  },
  "core/edition": {
    may: ["^core/lib/", "^core/node/"],
    reason: "The stored form is shared by both halves and knows neither.",
  },
  "core/store": {
    may: ["^core/lib/", "^core/edition/"],
    reason: "A store keeps editions; what is in them is none of its business.",
  },
  "core/xds": {
    may: ["^core/lib/", "^core/node/", "^core/edition/"],
    reason: "The protocol moves names, digests and nonces: it must run without any translator.",
  },
  "core/pipeline": {
    may: ["^core/(?!xds/)"],
    reason: "The write half put together: it publishes, and never serves.",
  },
  "functions/(rest|ads)": {
    may: ["^core/(lib|node|edition|store|xds)/", "^proto/gen/", "^functions/io/"],
    reason: "Front-ends serve editions: they hold no translator, model or source.",
  },
  "functions/front": {
    may: ["^core/(lib|node|edition|store|xds)/", "^proto/gen/", "^functions/(io|ads|rest)/"],
    reason: "The root of the read half: ads and rest in one process, still without a translator.",
  },
  "functions/(hook|build|watch)": {
    may: ["^core/", "^functions/io/"],
    reason: "Functions are deployed alone and do not know each other.",
  },
  "functions/io": {
    may: ["^core/"],
    reason: "Doors to the world; what goes through them is decided elsewhere.",
  },
  "functions/cli": {
    may: ["^core/", "^functions/", "^proto/gen/"],
    reason: "The root of everything; but not of tests.",
  },
};

/** npm packages with one door each: replacing one touches one file. */
const DOORS = {
  "@grpc/grpc-js": "^functions/ads/grpc[^/]*\\.ts$",
  "@hono/node-server": "^functions/front/http[^/]*\\.ts$",
  yaml: "^functions/io/yaml\\.ts$",
  commander: "^functions/cli/",
  hono: "^functions/(rest|front|hook)/",
  "@aws-sdk/": "^functions/io/s3\\.ts$",
  "@kubernetes/client-node": "^functions/io/kube\\.ts$",
};

const rooms = Object.entries(ROOMS).map(([room, { may, except, reason }]) => ({
  name: `border-${room.replaceAll(/[^a-z]+/g, "-")}`,
  comment: reason,
  severity: "error",
  from: except ? { path: `^${room}/`, pathNot: except } : { path: `^${room}/` },
  to: { path: "^(core|functions|proto|test|scripts|examples)/", pathNot: [`^${room}/`, ...may] },
}));

const doors = Object.entries(DOORS).map(([name, door]) => ({
  name: `door-${name.replaceAll(/[^a-z]+/g, "-")}`,
  comment: `${name} is imported in one place, so that it can be replaced there.`,
  severity: "error",
  from: { path: "^(core|functions)/", pathNot: door },
  to: { path: `^node_modules/${name}${name.endsWith("/") ? "" : "/"}` },
}));

export default {
  forbidden: [
    ...rooms,
    ...doors,
    {
      name: "core-npm",
      comment: "The core runs anywhere: of npm it uses the protobuf runtime only.",
      severity: "error",
      from: { path: "^core/" },
      to: { path: "^node_modules/", pathNot: "^node_modules/@bufbuild/protobuf/" },
    },
    {
      name: "core-is-pure",
      comment: "No I/O in the core. Digests are computed by Node's own hash, in one file.",
      severity: "error",
      from: { path: "^core/", pathNot: "^core/lib/digest\\.ts$" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "no-test-in-product",
      comment: "Tests import anything; nothing imports tests.",
      severity: "error",
      from: { pathNot: "^test/" },
      to: { path: "^test/" },
    },
    {
      name: "no-scripts-in-product",
      comment: "Scripts build the product and are no part of it.",
      severity: "error",
      from: { path: "^(core|functions)/" },
      to: { path: "^scripts/" },
    },
    {
      name: "no-cycles",
      comment: "Two files that need each other are one file, or miss a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-orphans",
      comment: "What nothing imports and nobody starts is dead.",
      severity: "error",
      from: { orphan: true, path: "^(core|functions)/", pathNot: "^functions/[a-z]+/main\\.ts$" },
      to: {},
    },
    {
      name: "no-unresolvable",
      comment: "An import that leads nowhere fails here, not at a user's.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "no-dev-packages-in-product",
      comment: "A package that is only installed for development is missing where the product runs.",
      severity: "error",
      from: { path: "^(core|functions)/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    },
  ],
  options: {
    // Type imports are imports.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: ["^node_modules/", "^proto/gen/"] },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".mjs", ".js"],
    },
  },
};
