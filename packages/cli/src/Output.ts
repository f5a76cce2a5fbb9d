/**
 * What commands print: text for people on standard output, or with `--json` JSON and nothing else; tables, sizes, times.
 */
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import { jsonText } from "@winnow/server/TerminalText";

/** Prints words made of an answer. @throws TypeError they have what it lacks, so it is not from Winnow */
export const say = (words: string, answer: unknown): Effect.Effect<void> => {
  const [odd] = /\b(?:undefined|NaN)\b|\[object Object\]/u.exec(words) ?? [];
  if (odd !== undefined && !String(JSON.stringify(answer)).includes(odd))
    throw new TypeError("the answer lacks a field that is shown");
  return Console.log(words);
};

/** One of several results is a line of JSON; a single one is indented. */
export const printResult = (json: boolean, value: unknown, words: string, count = 1): Effect.Effect<void> =>
  json ? Console.log(jsonText(value, count === 1 ? 2 : 0)) : say(words, value);

type Cell = string | number | null;

/** One line: a title must not look like a row. */
const oneLine = (cell: string | number): string => String(cell).replace(/\s+/gu, " ");

const cellText = (cell: Cell): string => (cell === null || cell === "" ? "-" : oneLine(cell));

const GAP = "  ";

/** The last column is cut at the edge of a terminal, and nowhere else. */
const fitted = (line: string): string => {
  const { columns, isTTY } = process.stdout;
  return isTTY && columns > 1 && line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
};

/** Columns below their heads; numbers are aligned to the right. */
export const tableText = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Cell>>): string => {
  const texts = [heads.map((head) => head.toUpperCase()), ...rows.map((row) => row.map(cellText))];
  const widths = heads.map((_, at) => Math.max(...texts.map((cells) => cells[at]?.length ?? 0)));
  const isNumber = heads.map((_, at) => rows.some((row) => typeof row[at] === "number"));
  return texts
    .map((cells) =>
      cells
        .map((text, at) => (isNumber[at] ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0)))
        .join(GAP)
    )
    .map((line) => fitted(line.trimEnd()))
    .join("\n");
};

/** The cells of a row by the heads of their columns. */
export type Cells = Readonly<Record<string, Cell>>;

/** Prints rows as a table or as JSON; that there are none is said on standard error. */
export const printTable = <Row>(
  json: boolean,
  rows: ReadonlyArray<Row>,
  cellsOf: (row: Row) => Cells
): Effect.Effect<void> => {
  if (json) return Console.log(jsonText(rows));
  const table = rows.map(cellsOf);
  const [first] = table;
  if (first === undefined) return Console.error("There are none.");
  return say(tableText(Object.keys(first), table.map(Object.values)), rows);
};

/** Names and values, one a line; null values are left out. */
export const pairsText = (pairs: ReadonlyArray<readonly [name: string, value: Cell]>): string => {
  const shown = pairs.filter(([, value]) => value !== null && value !== "");
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}${GAP}${oneLine(value ?? "")}`).join("\n");
};

const UNIT_FACTOR = 1_000;

/** "12.4 MB" */
export const sizeText = (bytes: number): string => {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let size = bytes;
  let at = 0;
  // What would be rounded to 1,000 belongs to the next unit.
  while (Math.round(size * 10) >= UNIT_FACTOR * 10 && at < units.length - 1) {
    size /= UNIT_FACTOR;
    at += 1;
  }
  return `${at === 0 ? size : size.toFixed(1)} ${units[at]}`;
};

const MINUTE_SECONDS = 60;
const HOUR_MINUTES = 60;
const MINUTE_MS = 60_000;

/** "45 s", "3 min", "1 h 5 min" */
export const durationText = (seconds: number): string => {
  if (Math.round(seconds) < 2 * MINUTE_SECONDS) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / MINUTE_SECONDS);
  if (minutes < HOUR_MINUTES) return `${minutes} min`;
  const rest = minutes % HOUR_MINUTES;
  return `${Math.floor(minutes / HOUR_MINUTES)} h${rest === 0 ? "" : ` ${rest} min`}`;
};

/** "2026-11-25 12:31", in the time zone of this machine */
export const timeText = (time: string | null): string | null => {
  if (time === null) return null;
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS)
    .toISOString()
    .slice(0, 16)
    .replace("T", " ");
};

export const creditsText = (credits: number): string =>
  `${credits.toLocaleString("en")} credit${credits === 1 ? "" : "s"}`;
