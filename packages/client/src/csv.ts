/** Rows of CSV (RFC 4180) in which a spreadsheet finds no formula. Tests: the server's ResultCsv.test.ts. */

/**
 * A spreadsheet runs a cell that begins with one of these as a formula, some also in full width or after blanks:
 * `=1+1`, ` "@SUM(A1)`. Numbers such as `-1.5e3` are exempt.
 */
const FORMULA = /^[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

const inert = (text: string): string => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);

/** `a;=1+1`: for a spreadsheet that splits at semicolons, quotes of this form do not hold a cell together. */
const cell = (text: string): string => {
  const safe = text
    .split(/([;|\t\r\n])/u)
    .map(inert)
    .join("");
  // Spreadsheets that guess the delimiter also split at semicolons, bars and tabs.
  return /[",;|\t\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const csvRow = (cells: ReadonlyArray<string | number>): string =>
  `${cells.map((value) => cell(String(value))).join(",")}\r\n`;
