/** The rows as a file, or as a link that a spreadsheet imports. */
import type { ResultLink } from "@winnow/client";
import { useState } from "preact/hooks";
import { downloadUrl, spreadsheetLink, type ExportOptions, type ResultFilters } from "../../data/results.ts";
import { Code } from "../../parts/Copy.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { Problem, useAct } from "../../parts/Waiting.tsx";
import { fullDate } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { exportWords } from "./words.ts";

const COLUMNS = {
  corrected: exportWords.corrected,
  quote: exportWords.quotes,
  at: exportWords.times
} as const;
type Column = keyof typeof COLUMNS;

type Format = ExportOptions["format"];

interface FormatChoiceProps {
  readonly hasSchema: boolean;
  readonly format: Format;
  readonly onChange: (format: Format) => void;
}

const FormatChoice = ({ hasSchema, format, onChange }: FormatChoiceProps) => (
  <fieldset>
    <legend>{exportWords.format}</legend>
    {(["csv", "jsonl"] as const).map((each) => (
      <label key={each} class="check">
        <input
          type="radio"
          name="format"
          checked={format === each}
          disabled={each === "csv" && !hasSchema}
          onChange={() => onChange(each)}
        />
        {exportWords[each]}
      </label>
    ))}
    {hasSchema ? null : <p class="hint">{exportWords.needsSchema}</p>}
  </fieldset>
);

interface ExportProps {
  readonly filters: ResultFilters;
  readonly onClose: () => void;
}

export const Export = ({ filters, onClose }: ExportProps) => {
  const hasSchema = filters.schemaId !== undefined;
  const [format, setFormat] = useState<Format>(hasSchema ? "csv" : "jsonl");
  const [columns, setColumns] = useState<ReadonlyArray<Column>>(["corrected"]);
  const [link, setLink] = useState<ResultLink | null>(null);
  const { act, isBusy, error } = useAct();
  const options = { format, columns };
  const change = (does: () => void): void => {
    does();
    // It gives what was chosen when it was made.
    setLink(null);
  };
  return (
    <Dialog title={exportWords.title} onClose={onClose}>
      <p class="hint">{exportWords.hint}</p>
      <FormatChoice hasSchema={hasSchema} format={format} onChange={(to) => change(() => setFormat(to))} />
      {format === "jsonl" ? null : (
        <div>
          {(Object.keys(COLUMNS) as ReadonlyArray<Column>).map((name) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={columns.includes(name)}
                onChange={({ currentTarget: { checked } }) =>
                  change(() =>
                    setColumns([...columns.filter((each) => each !== name), ...(checked ? [name] : [])])
                  )
                }
              />
              {COLUMNS[name]}
            </label>
          ))}
        </div>
      )}
      {link === null ? null : (
        <div class="stack tight">
          <Code code={link.url} label={exportWords.link} />
          <p class="hint">{exportWords.until(fullDate(link.expiresAt))}</p>
        </div>
      )}
      {error === null ? null : <Problem error={error} />}
      <div class="row">
        <a class="button main" href={downloadUrl(filters, options)} download>
          {exportWords.download}
        </a>
        {format === "jsonl" ? null : (
          <button
            class="button"
            type="button"
            disabled={isBusy}
            title={exportWords.linkHint}
            onClick={() => void act(() => spreadsheetLink(filters, options), setLink)}
          >
            {exportWords.link}
          </button>
        )}
        <button class="button end" type="button" onClick={onClose}>
          {words.close}
        </button>
      </div>
    </Dialog>
  );
};
