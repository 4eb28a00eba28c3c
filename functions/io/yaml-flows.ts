/** How far the lines are moved: further than any block is indented. */
const MARGIN = " ".repeat(200);

/** Where a reader is. */
interface Scan {
  /** Brackets and braces that are open. */
  readonly depth: number;
  /** The quote that is open, "" if none. */
  readonly quote: string;
  /** A value may begin here: only then do quotes, and outside of brackets brackets too, open anything. */
  readonly begins: boolean;
  /** Lines that are indented by more than this belong to a block of text; absent: there is none. */
  readonly block?: number;
}

const START: Scan = { depth: 0, quote: "", begins: true };

/**
 * Indents the lines within brackets, braces and quotes, where indentation has no meaning. YAML wants them to be indented further than the block that they
 * are in; go-yaml, and so Kubernetes and Istio, takes them as they are: `ports: [{` … `}]` with the end under the beginning. Lines keep their numbers.
 */
export function indentFlows(text: string): string {
  let scan = START;
  const lines = text.split("\n").map((line) => {
    const inside = scan.depth > 0 || scan.quote !== "";
    if (!inside && scan.block !== undefined && (line.trim() === "" || indentOf(line) > scan.block)) return line;
    scan = scanLine(line, { ...START, depth: scan.depth, quote: scan.quote });
    return inside && line.trim() !== "" ? MARGIN + line : line;
  });
  return lines.join("\n");
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Where a line's first key or value stands: behind the dashes of lists. */
function contentColumn(line: string): number {
  return /^\s*(?:-\s+)*/.exec(line)?.[0].length ?? 0;
}

/** Tokens of a line: anchors and tags, what a value may follow, what is escaped in quotes, all else character by character. */
const TOKEN = /[&!][^\s,[\]{}]*|[:?-](?=\s|$)|\\.|''|[\s\S]/g;

function scanLine(line: string, before: Scan): Scan {
  let scan = before;
  for (const { 0: token, index } of line.matchAll(TOKEN)) {
    if (scan.quote !== "") scan = withinQuote(scan, token);
    else if (token === "#" && (index === 0 || /\s/.test(line[index - 1] ?? ""))) break;
    else if (scan.begins && scan.depth === 0 && /^[|>]$/.test(token)) return { ...scan, block: indentOfBlock(line) };
    else scan = withoutQuote(scan, token);
  }
  return scan;
}

function withinQuote(scan: Scan, token: string): Scan {
  const ends = token === scan.quote || (scan.quote === "'" && token === "\\'");
  return { ...scan, quote: ends ? "" : scan.quote, begins: false };
}

function withoutQuote(scan: Scan, token: string): Scan {
  const { depth, begins } = scan;
  if (begins && /^["']$/.test(token)) return { ...scan, quote: token };
  if (/^[[{]$/.test(token) && (begins || depth > 0)) return { ...scan, depth: depth + 1, begins: true };
  if (/^[\]}]$/.test(token) && depth > 0) return { ...scan, depth: depth - 1, begins: false };
  return /^\s$/.test(token) ? scan : { ...scan, begins: mayPrecedeValue(token, scan) };
}

function mayPrecedeValue(token: string, { depth, begins }: Scan): boolean {
  return /^[:?-]$/.test(token) || (token === "," && depth > 0) || (begins && /^[&!]/.test(token));
}

/** A block of text is indented further than the key that it is the value of, or than the dash. */
function indentOfBlock(line: string): number {
  return /^\s*(?:-\s+)*[|>]/.test(line) ? line.lastIndexOf("-") : contentColumn(line);
}
