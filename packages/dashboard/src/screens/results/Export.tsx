/** The rows as a file, or as a link that a spreadsheet imports. Tests: results.test.ts. */
import type { ResultLink } from "@winnow/client";
import { useEffect, useState } from "preact/hooks";
import { downloadUrl, spreadsheetLink, type ExportOptions, type ResultFilters } from "../../data/results.ts";
import { Code } from "../../parts/Copy.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { ActButton } from "../../parts/Form.tsx";
import { fullDate } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { exportWords } from "./words.ts";

const COLUMNS = [
  ["corrected", exportWords.corrected],
  ["quote", exportWords.quotes],
  ["at", exportWords.times],
  ["range", exportWords.stretch]
] as const;

interface ExportProps {
  readonly filters: ResultFilters;
  readonly onClose: () => void;
}

const useOptions = (hasSchema: boolean) => {
  const [format, setFormat] = useState<ExportOptions["format"]>(hasSchema ? "csv" : "jsonl");
  const [columns, setColumns] = useState<ExportOptions["columns"]>(["corrected"]);
  const choices = (
    <>
      <fieldset>
        <legend>{exportWords.format}</legend>
        {(["csv", "jsonl"] as const).map((each) => (
          <label key={each} class="check">
            <input
              type="radio"
              name="format"
              checked={format === each}
              disabled={each === "csv" && !hasSchema}
              onChange={() => setFormat(each)}
            />
            {exportWords[each]}
          </label>
        ))}
        {hasSchema ? null : <p class="hint">{exportWords.needsSchema}</p>}
      </fieldset>
      {format === "jsonl" ? null : (
        <div>
          {COLUMNS.map(([name, text]) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={columns.includes(name)}
                onChange={({ currentTarget: { checked } }) =>
                  setColumns([...columns.filter((each) => each !== name), ...(checked ? [name] : [])])
                }
              />
              {text}
            </label>
          ))}
        </div>
      )}
    </>
  );
  return { options: { format, columns }, choices };
};

export const Export = ({ filters, onClose }: ExportProps) => {
  const { options, choices } = useOptions(filters.schemaId !== undefined);
  const [link, setLink] = useState<ResultLink | null>(null);
  // It gives what was chosen when it was made.
  useEffect(() => setLink(null), [options.format, options.columns]);
  return (
    <Dialog title={exportWords.title} onClose={onClose}>
      <p class="hint">{exportWords.hint}</p>
      {choices}
      {link === null ? null : (
        <div class="stack tight">
          <Code code={link.url} label={exportWords.link} />
          <p class="hint">{exportWords.until(fullDate(link.expiresAt))}</p>
        </div>
      )}
      <div class="row">
        <a class="button main" href={downloadUrl(filters, options)} download>
          {exportWords.download}
        </a>
        {options.format === "jsonl" ? null : (
          <ActButton
            title={exportWords.linkHint}
            does={() => spreadsheetLink(filters, options)}
            then={setLink}
          >
            {exportWords.link}
          </ActButton>
        )}
        <button class="button end" type="button" onClick={onClose}>
          {words.close}
        </button>
      </div>
    </Dialog>
  );
};
