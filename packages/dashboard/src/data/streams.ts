/** Answers that arrive line by line. */

/** Lines are shown in groups: thousands of single updates would keep the page busy. */
const DRAW_MS = 250;
/** How long lines that have arrived are read before the page may do something else. */
const READ_MS = 20;

/** Takes one line after the other, until `take` answers false, and draws what was taken while more is awaited. */
export const readLines = async <Line>(
  lines: AsyncIterable<Line>,
  take: (line: Line) => boolean,
  draw: () => void
): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const drawNow = (): void => {
    timer = undefined;
    draw();
  };
  let pausedAtMs = Date.now();
  try {
    for await (const line of lines) {
      if (!take(line)) return;
      timer ??= setTimeout(drawNow, DRAW_MS);
      if (Date.now() - pausedAtMs < READ_MS) continue;
      await new Promise((resolve) => setTimeout(resolve, 0));
      pausedAtMs = Date.now();
    }
  } finally {
    clearTimeout(timer);
  }
};
