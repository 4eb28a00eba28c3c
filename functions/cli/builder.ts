/** Who builds an edition: the program and its version (package.json), set when it is bundled. */
export const BUILDER = "almanac/0.1.0";
