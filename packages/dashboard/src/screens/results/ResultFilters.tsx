/** What the table shows: the filters, which the URL contains and the server applies; the search; and the columns. */
import type { SavedSchema } from "@winnow/client";
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

/** A schema with a hundred fields would be too wide to look through. */
const COLUMNS_SHOWN_MAX = 16;

const storageKey = (schemaId: string): string => `winnow.columns.${schemaId}`;

/** Pointers of the hidden columns of a schema, kept on the device. */
export const hiddenColumns = (schemaId: string, columns: ReadonlyArray<Column>): ReadonlyArray<string> => {
  const kept = localStorage.getItem(storageKey(schemaId));
  if (kept !== null) return kept.split("\n");
  return columns.slice(COLUMNS_SHOWN_MAX).map(({ pointer }) => pointer);
};

interface ColumnChoiceProps {
  readonly schemaId: string;
  readonly columns: ReadonlyArray<Column>;
  readonly hidden: ReadonlyArray<string>;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

export const ColumnChoice = ({ schemaId, columns, hidden, onChange, onClose }: ColumnChoiceProps) => (
  <Dialog title={resultsWords.columns} onClose={onClose}>
    <p class="hint">{resultsWords.columnsHint}</p>
    <div class="part-grid">
      {columns.map(({ pointer, name }) => (
        <label key={pointer} class="check">
          <input
            type="checkbox"
            checked={!hidden.includes(pointer)}
            onChange={({ currentTarget: { checked } }) => {
              const next = [...hidden.filter((each) => each !== pointer), ...(checked ? [] : [pointer])];
              localStorage.setItem(storageKey(schemaId), next.join("\n"));
              onChange();
            }}
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

const SUPPORTS = ["unsupported", "quoted", "not_stated"] as const;

interface SchemaFilterProps {
  readonly schemaId: string;
  readonly schemas: ReadonlyArray<SavedSchema>;
  readonly onChange: (id: string) => void;
}

const SchemaFilter = ({ schemaId, schemas, onChange }: SchemaFilterProps) => {
  const isListed = schemaId === ANY_SCHEMA || schemas.some(({ id }) => id === schemaId);
  return (
    <label class="filter schema-filter">
      <span>{resultsWords.schema}</span>
      <select value={schemaId} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value={ANY_SCHEMA}>{resultsWords.anySchema}</option>
        {isListed ? null : <option value={schemaId}>{schemaId}</option>}
        <SchemaOptions schemas={schemas} />
      </select>
    </label>
  );
};

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
  readonly onChange: (filters: ResultFilters) => void;
}

export const FilterBar = ({ filters, schemas, search, onSearch, onChange }: FilterBarProps) => {
  const [isOpen, setOpen] = useState(false);
  const { schemaId = ANY_SCHEMA } = filters;
  const change = (name: keyof ResultFilters, value: string): void => {
    const { [name]: _, ...others } = filters;
    onChange(value === "" ? others : { ...others, [name]: value });
  };
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
      <SchemaFilter schemaId={schemaId} schemas={schemas} onChange={(id) => change("schemaId", id)} />
      <label class="filter">
        <span>{resultsWords.support}</span>
        <select
          value={filters.support ?? ""}
          onChange={(event) => change("support", event.currentTarget.value)}
        >
          <option value="">{filtersWords.any}</option>
          {SUPPORTS.map((each) => (
            <option key={each} value={each}>
              {resultsWords.supports[each]}
            </option>
          ))}
        </select>
      </label>
      <label class="filter">
        <span>{resultsWords.since}</span>
        <input
          type="date"
          value={filters.since ?? ""}
          onChange={(event) => change("since", event.currentTarget.value)}
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
      {filters.batchId === undefined ? null : <BatchChip onRemove={() => change("batchId", "")} />}
    </form>
  );
};
