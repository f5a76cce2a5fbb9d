/** Downloads the whole ledger as a file. */
import { winnow } from "../../data/client.ts";
import { Problem, useAct } from "../../parts/Waiting.tsx";
import { billingWords } from "./words.ts";
import { words } from "../../words/words.ts";

// Rows as CSV (RFC 4180). Pure. Escapes untrusted text that a spreadsheet would run as a formula.

const inert = (text: string): string =>
  /^[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u.test(text) ? `'${text}` : text;

/** Also as a spreadsheet sees it that splits at semicolons, bars or tabs, as the server's results. */
const cell = (value: string | number): string => {
  if (typeof value === "number") return String(value);
  const safe = value
    .split(/([;|\t\r\n])/u)
    .map(inert)
    .join("");
  return /[",;|\t\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const csvOf = (rows: ReadonlyArray<ReadonlyArray<string | number>>): string =>
  rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

const PAGE_SIZE = 100;
/** Maximum entries held in a browser tab. */
const ROWS_MAX = 20_000;

const HEAD = [
  "id",
  "createdAt",
  "kind",
  "credits",
  "balanceAfter",
  "extractionId",
  "note",
  "extractionTitle",
  "batchId"
];

const allRows = async (): Promise<string> => {
  const rows: Array<ReadonlyArray<string | number>> = [HEAD];
  for await (const entry of winnow.ledger.list({ limit: PAGE_SIZE })) {
    const { id, createdAt, kind, credits, balanceAfter, extractionId, note, extractionTitle, batchId } =
      entry;
    rows.push([
      id,
      createdAt,
      kind,
      credits,
      balanceAfter,
      extractionId ?? "",
      note,
      extractionTitle ?? "",
      batchId ?? ""
    ]);
    if (rows.length > ROWS_MAX) break;
  }
  return csvOf(rows);
};

const save = (text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "winnow-ledger.csv";
  link.click();
  URL.revokeObjectURL(url);
};

export const LedgerCsv = () => {
  const { act, isBusy, error } = useAct();
  return (
    <>
      <button class="button small" type="button" disabled={isBusy} onClick={() => void act(allRows, save)}>
        {isBusy ? words.loading : billingWords.csv}
      </button>
      {error === null ? null : <Problem error={error} />}
    </>
  );
};
