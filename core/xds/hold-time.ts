/** The longest that anything waits for a client to acknowledge what comes before it, counted from its first hold. */
export const HOLD_MS = 5_000;
