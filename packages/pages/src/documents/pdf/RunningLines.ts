/**
 * Removes running headers and footers: titles and page numbers that pages repeat at their edges.
 * Measured by bench/documents.ts. Tests: Pdf.test.ts.
 */

/** How many lines at the top and bottom of a page are examined. */
const EDGE_LINES = 2;
/** Minimum share of pages that repeat a line; left and right pages of a book may have different ones. */
const REPEATED_SHARE = 0.3;
const REPEATED_MIN = 3;
/** Bare numbers need fewer repetitions. */
const NUMBERED_MIN = 2;
/** Longer lines are text. In characters. */
const EDGE_CHARS_MAX = 120;

/** Equal for lines that differ only in a number. */
const maskOf = (line: string): string => line.replace(/\d+/g, "#").replace(/\s+/g, " ").trim().toLowerCase();

/** "#", "page # of #". */
const isNumber = (mask: string): boolean =>
  /^\W*(?:page|seite|p\.)?\s*#(?:\s*(?:of|von|\/)\s*#)?\W*$/.test(mask);

/** A line with its position, if known. */
interface Line {
  readonly text: string;
  readonly stretches: ReadonlyArray<{ readonly y: number }>;
}

/**
 * From the topmost and bottommost lines, including those side by side; without positions, from the first and
 * last lines, which is sufficient for a page with one column.
 */
const edgesOf = (lines: ReadonlyArray<Line>): ReadonlySet<number> => {
  const heights = lines.map(({ stretches }, index) => stretches[0]?.y ?? -index);
  const levels = [...new Set(heights)].toSorted((one, other) => other - one);
  const edges = new Set([...levels.slice(0, EDGE_LINES), ...levels.slice(-EDGE_LINES)]);
  return new Set([...lines.keys()].filter((index) => edges.has(heights[index] ?? 0)));
};

/** The number at the beginning or end of a line, as in chapter titles above a page. */
const numbersOf = (text: string): ReadonlyArray<number> =>
  text.length > EDGE_CHARS_MAX
    ? []
    : [/^(\d{1,4})(?=\s)/.exec(text)?.[1], /(?<=\s)(\d{1,4})$/.exec(text)?.[1]]
        .filter((digits) => digits !== undefined)
        .map(Number);

/** Lines at one edge whose numbers increase from page to page, whatever else they contain. */
const countedLines = (
  pages: ReadonlyArray<ReadonlyArray<Line>>,
  edgeOf: (heights: ReadonlyArray<number>) => number
): ReadonlyArray<ReadonlySet<Line>> => {
  const edges = pages.map((lines) => {
    const heights = lines.map(({ stretches }, index) => stretches[0]?.y ?? -index);
    const edge = edgeOf(heights);
    return lines.filter((_, index) => heights[index] === edge);
  });
  const counts = new Map<number, number>();
  for (const [page, lines] of edges.entries())
    for (const first of new Set(lines.flatMap(({ text }) => numbersOf(text).map((number) => number - page))))
      counts.set(first, (counts.get(first) ?? 0) + 1);
  const least = Math.max(REPEATED_MIN, REPEATED_SHARE * pages.length);
  return edges.map(
    (lines, page) =>
      new Set(
        lines.filter(({ text }) =>
          numbersOf(text).some((number) => (counts.get(number - page) ?? 0) >= least)
        )
      )
  );
};

const largest = (heights: ReadonlyArray<number>): number =>
  heights.reduce((most, each) => Math.max(most, each), -Infinity);
const smallest = (heights: ReadonlyArray<number>): number =>
  heights.reduce((least, each) => Math.min(least, each), Infinity);

/** A page that would become empty keeps its lines. */
export const withoutRunningLines = <Placed extends Line>(
  pages: ReadonlyArray<ReadonlyArray<Placed>>
): ReadonlyArray<ReadonlyArray<Placed>> => {
  const counts = new Map<string, number>();
  const masked = pages.map((lines) => {
    const edges = edgesOf(lines);
    return lines.map(({ text }, index) =>
      edges.has(index) && text.length <= EDGE_CHARS_MAX ? maskOf(text) : null
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
  const counted = [countedLines(pages, largest), countedLines(pages, smallest)];
  return pages.map((lines, page) => {
    const remaining = lines.filter(
      (line, index) =>
        !isRunning(masked[page]?.[index] ?? null) && !counted.some((edges) => edges[page]?.has(line) === true)
    );
    return remaining.length === 0 ? lines : remaining;
  });
};
