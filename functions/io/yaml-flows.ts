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
 * Writes what is within brackets, braces and quotes as YAML wants it, where go-yaml, and so Kubernetes and Istio, takes more. Indentation has no meaning there,
 * but YAML wants such lines to be indented further than the block that they are in: `ports: [{` … `}]` with the end under the beginning. And a dash that stands
 * alone before a comma or a bracket is text: `[-]`. Lines keep their numbers.
 */
export function mendFlows(text: string): string {
  let scan = START;
  const lines = text.split("\n").map((line) => {
    const inside = scan.depth > 0 || scan.quote !== "";
    if (!inside && scan.block !== undefined && (line.trim() === "" || indentOf(line) > scan.block)) return line;
    const scanned = scanLine(line, { ...START, depth: scan.depth, quote: scan.quote });
    scan = scanned.scan;
    return inside && line.trim() !== "" ? MARGIN + scanned.text : scanned.text;
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

/** Where a reader is after a line, and how the line must be written. */
function scanLine(line: string, before: Scan): { readonly scan: Scan; readonly text: string } {
  let scan = before;
  let text = "";
  for (const { 0: token, index } of line.matchAll(TOKEN)) {
    const rest = line.slice(index);
    if (scan.quote !== "") scan = withinQuote(scan, token);
    else if (token === "#" && (index === 0 || /\s/.test(line[index - 1] ?? ""))) return { scan, text: text + rest };
    else if (scan.begins && scan.depth === 0 && /^[|>]$/.test(token)) return { scan: { ...scan, block: indentOfBlock(line) }, text: text + rest };
    else if (scan.begins && scan.depth > 0 && LONE_DASH.test(rest)) {
      scan = { ...scan, begins: false };
      text += '"-"';
      continue;
    } else scan = withoutQuote(scan, token, rest);
    text += token;
  }
  return { scan, text };
}

/** Followed by a space it would begin the item of a block, which brackets can't hold. */
const LONE_DASH = /^-[,[\]{}]/;

function withinQuote(scan: Scan, token: string): Scan {
  const ends = token === scan.quote || (scan.quote === "'" && token === "\\'");
  return { ...scan, quote: ends ? "" : scan.quote, begins: false };
}

function withoutQuote(scan: Scan, token: string, rest: string): Scan {
  const { depth, begins } = scan;
  if (begins && /^["']$/.test(token)) return { ...scan, quote: token };
  if (/^[[{]$/.test(token) && (begins || depth > 0)) return { ...scan, depth: depth + 1, begins: true };
  if (/^[\]}]$/.test(token) && depth > 0) return { ...scan, depth: depth - 1, begins: false };
  return /^\s$/.test(token) ? scan : { ...scan, begins: mayPrecedeValue(rest, scan) };
}

function mayPrecedeValue(rest: string, { depth, begins }: Scan): boolean {
  return /^(?::|[?-](?:\s|$))/.test(rest) || (rest.startsWith(",") && depth > 0) || (begins && /^[&!]/.test(rest));
}

/** A block of text is indented further than the key that it is the value of, or than the dash. */
function indentOfBlock(line: string): number {
  return /^\s*(?:-\s+)*[|>]/.test(line) ? line.lastIndexOf("-") : contentColumn(line);
}
