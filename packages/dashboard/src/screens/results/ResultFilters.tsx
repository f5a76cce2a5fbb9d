/** What the table shows: the filters, which the URL contains and the server applies; the search; and the columns. */
import type { SavedSchema } from "@winnow/client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ResultFilters } from "../../data/results.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { SchemaOptions } from "../../parts/schema/SchemaOptions.tsx";
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

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Its options. */
  readonly children: ComponentChildren;
  readonly kind?: string;
}

const Choice = ({ label, value, onChange, children, kind = "" }: ChoiceProps) => (
  <label class={`filter ${kind}`}>
    <span>{label}</span>
    <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {children}
    </select>
  </label>
);

const BatchChip = ({ onRemove }: { readonly onRemove: () => void }) => (
  <ul class="chips">
    <li>
      <button class="button small" type="button" title={resultsWords.removeFilter} onClick={onRemove}>
        <span class="sr">{resultsWords.removeFilter} </span>
        {resultsWords.ofBatch}
        <Icon name="cross" />
      </button>
    </li>
  </ul>
);

interface FilterBarProps {
  readonly filters: ResultFilters;
  readonly schemas: ReadonlyArray<SavedSchema>;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  /** An empty one is removed. */
  readonly onChange: (filters: ResultFilters) => void;
}

export const FilterBar = ({ filters, schemas, search, onSearch, onChange }: FilterBarProps) => {
  const [isOpen, setOpen] = useState(false);
  const { schemaId = ANY_SCHEMA, support = "", since = "", batchId } = filters;
  return (
    <form
      class={isOpen ? "filters results-filters open" : "filters results-filters"}
      role="search"
      aria-label={filtersWords.label}
      onSubmit={(event) => event.preventDefault()}
    >
      <label class="filter grow">
        <span>{filtersWords.search}</span>
        <input
          id="search"
          type="search"
          value={search}
          placeholder={resultsWords.search}
          onInput={(event) => onSearch(event.currentTarget.value)}
        />
      </label>
      <Choice
        label={resultsWords.schema}
        kind="schema-filter"
        value={schemaId}
        onChange={(id) => onChange({ schemaId: id })}
      >
        <option value={ANY_SCHEMA}>{resultsWords.anySchema}</option>
        {schemaId === ANY_SCHEMA || schemas.some(({ id }) => id === schemaId) ? null : (
          <option value={schemaId}>{schemaId}</option>
        )}
        <SchemaOptions schemas={schemas} />
      </Choice>
      <Choice label={resultsWords.support} value={support} onChange={(to) => onChange({ support: to })}>
        <option value="">{filtersWords.any}</option>
        {Object.entries(resultsWords.supports).map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </Choice>
      <label class="filter">
        <span>{resultsWords.since}</span>
        <input
          type="date"
          value={since}
          onChange={(event) => onChange({ since: event.currentTarget.value })}
        />
      </label>
      <button
        class="button filters-button"
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="gear" />
        <span class="narrow">{filtersWords.label}</span>
      </button>
      {batchId === undefined ? null : <BatchChip onRemove={() => onChange({ batchId: "" })} />}
    </form>
  );
};
