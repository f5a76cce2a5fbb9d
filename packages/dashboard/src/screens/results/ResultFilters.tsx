/**
 * What the table shows: the filters, which the URL contains and the server applies; the search; and the columns.
 * Tests: results.test.ts.
 */
import type { SavedSchema } from "@winnow/client";
import { useState } from "preact/hooks";
import type { ResultFilters } from "../../data/results.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { FilterBar } from "../../parts/FilterBar.tsx";
import { schemaName } from "../../parts/schema/SchemaOptions.tsx";
import { filtersWords, words } from "../../words/words.ts";
import type { Column } from "./table.ts";
import { resultsWords } from "./words.ts";

/** In the URL, for rows of every schema. */
export const ANY_SCHEMA = "any";

interface ColumnChoiceProps {
  readonly columns: ReadonlyArray<Column>;
  readonly hidden: ReadonlyArray<string>;
  readonly onChange: (hidden: ReadonlyArray<string>) => void;
  readonly onClose: () => void;
}

export const ColumnChoice = ({ columns, hidden, onChange, onClose }: ColumnChoiceProps) => (
  <Dialog title={resultsWords.columns} onClose={onClose}>
    <p class="hint">{resultsWords.columnsHint}</p>
    <div class="part-grid">
      {columns.map(({ pointer, name }) => (
        <label key={pointer} class="check">
          <input
            type="checkbox"
            checked={!hidden.includes(pointer)}
            onChange={({ currentTarget: { checked } }) =>
              onChange([...hidden.filter((each) => each !== pointer), ...(checked ? [] : [pointer])])
            }
          />
          <span dir="auto">{name}</span>
        </label>
      ))}
    </div>
    <div class="row end">
      <button class="button" type="button" onClick={onClose}>
        {words.close}
      </button>
    </div>
  </Dialog>
);

interface TableFiltersProps {
  readonly filters: ResultFilters;
  readonly schemas: ReadonlyArray<SavedSchema>;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  /** An empty one is removed. */
  readonly onChange: (filters: ResultFilters) => void;
}

export const TableFilters = ({ filters, schemas, onChange, ...search }: TableFiltersProps) => {
  const [isOpen, setOpen] = useState(false);
  const { schemaId = ANY_SCHEMA, batchId } = filters;
  const schemaNames = Object.fromEntries(schemas.map((schema) => [schema.id, schemaName(schema)]));
  return (
    <FilterBar
      kind="results"
      values={{ ...filters, schemaId }}
      onChange={onChange}
      {...search}
      searchHint={resultsWords.search}
      fields={[
        {
          name: "schemaId",
          label: resultsWords.schema,
          names: { [ANY_SCHEMA]: resultsWords.anySchema, ...schemaNames }
        },
        {
          name: "support",
          label: resultsWords.support,
          names: { "": filtersWords.any, ...resultsWords.supports }
        },
        { name: "since", label: resultsWords.since }
      ]}
      isOpen={isOpen}
      onOpen={setOpen}
      chips={batchId === undefined ? [] : [["batchId", resultsWords.ofBatch]]}
    />
  );
};
