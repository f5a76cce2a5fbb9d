/** Output of the demo: a progress line on a terminal, and a table. */

const isTerminal = process.stdout.isTTY === true;
const CLEAR_LINE = "\r\u001B[2K";

/** A progress line, updated in place on a terminal, otherwise printed at each change. */
export class StatusLine {
  private readonly label: string;
  private shown = "";

  constructor(label: string) {
    this.label = label;
  }

  show(text: string, live = ""): void {
    if (isTerminal) process.stdout.write(`${CLEAR_LINE}${this.label}  ${text}${live}`);
    else if (text !== this.shown) console.log(`${this.label}  ${text}`);
    this.shown = text;
  }

  done(text: string): void {
    process.stdout.write(`${isTerminal ? CLEAR_LINE : ""}${this.label}  ${text}\n`);
  }
}

/** Titles come from pages: control and direction characters must not reach the terminal. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, "");

export const sizeOf = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
};

export const durationOf = (seconds: number | null): string => {
  if (seconds === null) return "–";
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};

const cut = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text;

const CELL_WIDTH_MAX = 38;

/** Columns as wide as their widest cell; numbers (`right`) are right-aligned. */
export const table = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  right: ReadonlySet<number>
): string => {
  const cells = [head, ...rows].map((row) => row.map((cell) => cut(cell, CELL_WIDTH_MAX)));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: ReadonlyArray<string>): string =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return right.has(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  const [first = [], ...rest] = cells;
  return [line(first), widths.map((width) => "─".repeat(width)).join("  "), ...rest.map(line)].join("\n");
};
