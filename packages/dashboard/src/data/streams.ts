/** Answers that arrive line by line. */

/** Lines are shown in groups: thousands of single updates would keep the page busy. */
const DRAW_MS = 250;
/** How long lines that have arrived are read before the page may do something else. */
const READ_MS = 20;

/** Takes one line after the other, until `take` answers false, and draws what was taken until then. */
export const readLines = async <Line>(
  lines: AsyncIterable<Line>,
  take: (line: Line) => boolean,
  draw: () => void
): Promise<void> => {
  // A short answer is drawn once.
  let drawnAtMs = Date.now();
  let pausedAtMs = drawnAtMs;
  for await (const line of lines) {
    if (!take(line)) return;
    if (Date.now() - pausedAtMs >= READ_MS) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      pausedAtMs = Date.now();
    }
    if (Date.now() - drawnAtMs < DRAW_MS) continue;
    drawnAtMs = Date.now();
    draw();
  }
};
