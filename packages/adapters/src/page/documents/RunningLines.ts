/** What pages of a document repeat at their edges: titles and numbers of the pages, which are no part of its text. */

/** Lines at the top and at the bottom of a page that are looked at. */
const EDGE_LINES = 2;
/** Pages that repeat a line, as a share of all; two sides of a book have titles of their own. */
const REPEATED_SHARE = 0.3;
const REPEATED_MIN = 3;
/** Numbers alone need not be repeated as often. */
const NUMBERED_MIN = 2;
/** Longer lines are text, in characters. */
const EDGE_CHARS_MAX = 120;

/** The same for the same line with another number. */
const maskOf = (line: string): string => line.replace(/\d+/g, "#").replace(/\s+/g, " ").trim().toLowerCase();

const isNumber = (mask: string): boolean =>
  /^\W*(?:page|seite|p\.)?\s*#(?:\s*(?:of|von|\/)\s*#)?\W*$/.test(mask);

type Lines = ReadonlyArray<string>;

const edgesOf = (lines: Lines): ReadonlySet<number> =>
  new Set([...lines.keys()].filter((index) => index < EDGE_LINES || index >= lines.length - EDGE_LINES));

/** A page that would be left empty keeps its lines. */
export const withoutRunningLines = (pages: ReadonlyArray<Lines>): ReadonlyArray<Lines> => {
  const counts = new Map<string, number>();
  const masked = pages.map((lines) => {
    const edges = edgesOf(lines);
    return lines.map((line, index) =>
      edges.has(index) && line.length <= EDGE_CHARS_MAX ? maskOf(line) : null
    );
  });
  for (const masks of masked)
    for (const mask of new Set(masks)) if (mask !== null) counts.set(mask, (counts.get(mask) ?? 0) + 1);
  const isRunning = (mask: string | null): boolean => {
    if (mask === null || mask === "") return false;
    const count = counts.get(mask) ?? 0;
    const min = isNumber(mask) ? NUMBERED_MIN : REPEATED_MIN;
    return count >= Math.max(min, REPEATED_SHARE * pages.length);
  };
  return pages.map((lines, page) => {
    const kept = lines.filter((_, index) => !isRunning(masked[page]?.[index] ?? null));
    return kept.length === 0 ? lines : kept;
  });
};
