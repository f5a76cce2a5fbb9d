/** The filters of the list: the URL contains them, the server applies them, and each that is set is a chip. */
import { useEffect, useState } from "preact/hooks";
import { useApiKeys } from "../../data/apiKeys.ts";
import { FILTER_NAMES, type Filters } from "../../data/extractions.ts";
import { useSchemas } from "../../data/schemas.ts";
import { useSettled } from "../../data/settled.ts";
import { Icon } from "../../parts/Icon.tsx";
import { schemaName } from "../../parts/schema/SchemaOptions.tsx";
import { filtersWords, kindsWords, wordOf } from "../../words/words.ts";
import { listWords } from "./words.ts";

type Name = (typeof FILTER_NAMES)[number];
type Choosable = keyof typeof listWords.anyOf;

interface FilterProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

interface ChoiceProps extends FilterProps {
  readonly name: Choosable;
  /** By value. */
  readonly names: Readonly<Record<string, string>>;
}

const Choice = ({ name, names, filters, onChange }: ChoiceProps) => {
  const value = filters[name] ?? "";
  const known = { "": listWords.anyOf[name], ...names };
  return (
    <label class="filter">
      <span class="sr">{listWords.filterNames[name]}</span>
      <select value={value} onChange={(event) => onChange({ ...filters, [name]: event.currentTarget.value })}>
        {/* What the URL asks for is shown as chosen, also while the choices are loading. */}
        {Object.entries({ ...known, [value]: wordOf(known, value) }).map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
};

const Search = ({ filters, onChange }: FilterProps) => {
  const [text, setText] = useState(filters.q ?? "");
  useEffect(() => setText(filters.q ?? ""), [filters.q]);
  const settled = useSettled(text);
  useEffect(() => {
    if (settled === text && settled !== (filters.q ?? "")) onChange({ ...filters, q: settled });
  }, [settled]);
  return (
    <label class="filter grow">
      <span class="sr">{filtersWords.search}</span>
      <input
        id="search"
        type="search"
        value={text}
        placeholder={filtersWords.searchHint}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </label>
  );
};

/** Names of the schemas and keys are asked for when they are chosen from or shown in a chip. */
const useNames = (
  { schemaId, apiKeyId }: Filters,
  isOpen: boolean
): Record<Choosable, ChoiceProps["names"]> => {
  const schemas = useSchemas(isOpen || schemaId !== undefined);
  const apiKeys = useApiKeys(isOpen || apiKeyId !== undefined);
  return {
    status: filtersWords.statuses,
    outcome: filtersWords.outcomes,
    kind: kindsWords,
    schemaId: Object.fromEntries((schemas.data ?? []).map((schema) => [schema.id, schemaName(schema)])),
    apiKeyId: Object.fromEntries((apiKeys.data?.data ?? []).map(({ id, name }) => [id, name]))
  };
};

export const FilterBar = (props: FilterProps) => {
  const { filters, onChange } = props;
  const [isOpen, setOpen] = useState(false);
  const names: Partial<Record<Name, ChoiceProps["names"]>> = useNames(filters, isOpen);
  const set = FILTER_NAMES.filter((name) => name !== "q" && filters[name] !== undefined);
  const choice = (name: Choosable) => <Choice key={name} {...props} name={name} names={names[name] ?? {}} />;
  return (
    <>
      <form
        class={isOpen ? "filters list-filters open" : "filters list-filters"}
        role="search"
        aria-label={filtersWords.label}
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={({ key }) => {
          if (key === "Escape") setOpen(false);
        }}
      >
        <Search {...props} />
        {(["status", "outcome", "kind"] as const).map(choice)}
        <button
          class="button filters-button"
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="gear" />
          <span class="narrow">{filtersWords.label}</span>
          <span class="broad">{listWords.moreFilters}</span>
        </button>
        {isOpen ? (
          <div class="extras">
            {(["schemaId", "apiKeyId"] as const).map(choice)}
            {(["since", "until"] as const).map((name) => (
              <label key={name} class="filter">
                <span>{listWords.filterNames[name]}</span>
                <input
                  type="date"
                  value={filters[name] ?? ""}
                  onChange={(event) => onChange({ ...filters, [name]: event.currentTarget.value })}
                />
              </label>
            ))}
          </div>
        ) : null}
      </form>
      {set.length === 0 ? null : (
        <div class="chips-line">
          <ul class="chips" aria-label={listWords.filtersSet}>
            {set.map((name) => (
              <li key={name}>
                <button
                  class="button small"
                  type="button"
                  title={listWords.removeFilter}
                  onClick={() => onChange({ ...filters, [name]: undefined })}
                >
                  <span class="sr">{listWords.removeFilter} </span>
                  <span class="one-line">
                    {listWords.filterNames[name]}: {wordOf(names[name] ?? {}, filters[name] ?? "")}
                  </span>
                  <Icon name="cross" />
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
};
