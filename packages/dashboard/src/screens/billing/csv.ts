/** Rows as CSV (RFC 4180). Pure. Escapes untrusted text that a spreadsheet would run as a formula. */

const cell = (value: string | number): string => {
  if (typeof value === "number") return String(value);
  const inert = /^[=+\-@\t\r]/u.test(value) ? `'${value}` : value;
  return /[",\r\n]/u.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
};

export const csvOf = (rows: ReadonlyArray<ReadonlyArray<string | number>>): string =>
  rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
