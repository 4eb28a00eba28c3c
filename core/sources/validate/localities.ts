/** What is wrong with a list of localities (`region/zone/subzone`, `*` at the end): one is malformed, or overlaps with an earlier one (istio validateLocalities). */
export function overlapProblem(localities: readonly string[]): string | undefined {
  const seen: (readonly string[])[] = [];
  for (const locality of localities) {
    const star = locality.indexOf("*");
    if (star >= 0 && star !== locality.length - 1) return `"${locality}" may have one wildcard, at its end`;
    const parts = splitThree(locality);
    if (seen.some((earlier) => overlap(earlier, parts))) return `"${locality}" overlaps with an earlier one`;
    if (parts.includes("")) return `"${locality}" has an empty part`;
    seen.push(parts);
  }
  return undefined;
}

/** At most three parts; a subzone may hold slashes. */
function splitThree(locality: string): readonly string[] {
  const [region = "", zone, ...rest] = locality.split("/");
  if (zone === undefined) return [region];
  return rest.length === 0 ? [region, zone] : [region, zone, rest.join("/")];
}

/**
 * Does the earlier locality cover the later one, or the later one the earlier? A region covers its zones, `*` covers all that is on its level; a later
 * `*` covers nothing that came before, except that a bare region is refused after any of its zones.
 */
function overlap(earlier: readonly string[], later: readonly string[]): boolean {
  const [region, zone = "*", subzone = "*"] = earlier;
  if (region === "*") return true;
  if (region !== later[0]) return false;
  if (later.length === 1 || zone === "*") return true;
  if (zone !== later[1]) return false;
  return later.length === 2 || subzone === "*" || subzone === later[2];
}
