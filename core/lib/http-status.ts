/** First and last code of each run of registered HTTP status codes (Go `net/http` StatusText). */
const RUNS = [
  [100, 103],
  [200, 208],
  [226, 226],
  [300, 305],
  [307, 308],
  [400, 418],
  [421, 426],
  [428, 429],
  [431, 431],
  [451, 451],
  [500, 508],
  [510, 511],
] as const;

/** Is it the number of a registered HTTP status, as Go reads numbers (a sign is allowed)? Istio takes such a condition of a retry for a status code. */
export function isHttpStatus(text: string): boolean {
  if (!/^[+-]?\d+$/.test(text)) return false;
  const code = Number(text);
  return RUNS.some(([first, last]) => code >= first && code <= last);
}
