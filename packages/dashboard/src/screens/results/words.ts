/** Texts of the results. */
import { plural, toCheckWord } from "../../words/words.ts";

export const resultsWords = {
  hint: "The values of your extractions, each with the words it was read from.",
  /** Of what is to check alone. */
  review: "Review",
  schema: "Schema",
  anySchema: "Any",
  support: "Values",
  supports: {
    unsupported: "Some to check",
    quoted: "Some quoted",
    not_stated: "Some not stated"
  },
  since: "From",
  search: "Title, URL or value",
  ofBatch: "Only one batch",
  columns: "Columns",
  columnsHint:
    "Kept on this device. The review also shows every field with a value to check. Exports have every field.",
  refresh: "Refresh",
  table: "Results",
  extraction: "Extraction",
  keys: "Arrow keys move, Space shows the quote, Enter corrects; a accepts, e goes to the next value to check. On a name, Enter sorts, and Shift with an arrow changes the width.",
  summary: "All rows",
  stated: (stated: string, rows: string) => `${stated} of ${rows} stated`,
  rows: (count: number, text: string) => `${text} ${plural(count, "row", "rows")}`,
  loading: "loading …",
  cut: (count: string) =>
    `Only the newest ${count} rows are shown. Narrow them down with the filters; exports have all.`,
  next: "Next to check",
  noneToCheck: "No value to check",
  marks: {
    quoted: "Quoted",
    unsupported: toCheckWord,
    not_stated: "Not stated",
    corrected: "Corrected",
    accepted: "Accepted"
  },
  legend: "Marks",
  emptyTitle: "No results yet",
  emptyText: "Every extraction with a schema whose values were found becomes a row of this table.",
  schemas: "Choose a schema",
  noneFound: "No extraction matches",
  noneFoundText: "The schema may have another version, or the filters leave nothing.",
  showAll: "Remove all filters",
  details: "Value and quotes",
  readAs: "Was read as",
  noQuotes: "No quote supports this value.",
  notSaid: "The source does not state it.",
  moreQuotes: (count: number) => `and ${count} more ${plural(count, "quote", "quotes")}`,
  open: "Open the extraction",
  atQuote: "Show there",
  play: "Play five seconds",
  accept: "Accept",
  correct: "Correct",
  undo: "Remove the correction",
  notStated: "Not stated",
  newValue: (name: string) => `New value of ${name}`,
  accepted: (name: string) => `${name} accepted`,
  corrected: (name: string) => `${name} corrected`,
  removed: (name: string) => `Correction of ${name} removed`
};

export const exportWords = {
  title: "Export",
  hint: "Every row that the filters above the table match, with every field.",
  format: "Format",
  csv: "CSV, for spreadsheets",
  jsonl: "JSON Lines, for programs: with quotes and corrections",
  needsSchema: "CSV has a column for each field of a schema: choose one above the table first.",
  quotes: "With the quotes of each value",
  times: "With the place or time of each quote",
  stretch: "With the stretch of the video that was read",
  corrected: "With corrected values in place of those that were read",
  download: "Download",
  link: "Link for a spreadsheet",
  linkHint: "A spreadsheet can import the rows from this link and fetch them again later.",
  until: (date: string) =>
    `Works until ${date}, or until you sign out everywhere. Whoever has the link can read these rows without signing in, as they then are.`
};
