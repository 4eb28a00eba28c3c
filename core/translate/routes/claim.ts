const CLAIMS = "@request.auth.claims";

/**
 * Reads a header name that means a claim of the verified JWT: `@request.auth.claims.group.id` or `@request.auth.claims[group][id]` give
 * `["group", "id"]`. Undefined for any other header (istio `pkg/jwt/routing.go`).
 */
export function claimPath(header: string): readonly string[] | undefined {
  if (!header.toLowerCase().startsWith(CLAIMS)) return undefined;
  const rest = header.slice(CLAIMS.length);
  if (rest.startsWith(".") && rest.length > 1) return rest.slice(1).split(".");
  if (rest.startsWith("[") && rest.endsWith("]") && rest.length > 2) return rest.slice(1, -1).split("][");
  return undefined;
}
