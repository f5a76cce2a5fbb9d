/** Downloads the whole ledger as a file. Tests: price.test.ts. */
import { csvRow } from "@winnow/client/csv";
import { winnow } from "../../data/client.ts";
import { ActButton } from "../../parts/Form.tsx";
import { billingWords } from "./words.ts";

const PAGE_SIZE = 100;
/** Maximum entries held in a browser tab. */
const ROWS_MAX = 20_000;

const COLUMNS = [
  "id",
  "createdAt",
  "kind",
  "credits",
  "balanceAfter",
  "extractionId",
  "note",
  "extractionTitle",
  "batchId"
] as const;

const allRows = async (): Promise<string> => {
  const rows = [csvRow(COLUMNS)];
  for await (const entry of winnow.ledger.list({ limit: PAGE_SIZE })) {
    rows.push(csvRow(COLUMNS.map((name) => entry[name] ?? "")));
    if (rows.length > ROWS_MAX) break;
  }
  return rows.join("");
};

const save = (text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "winnow-ledger.csv";
  link.click();
  URL.revokeObjectURL(url);
};

export const LedgerCsv = () => (
  <ActButton class="button small" does={allRows} then={save}>
    {billingWords.csv}
  </ActButton>
);
