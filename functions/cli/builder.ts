/** That of package.json: a test compares. */
export const VERSION = "0.1.0";

/** Who builds an edition: the program and its version. */
export const BUILDER = `almanac/${VERSION}`;
