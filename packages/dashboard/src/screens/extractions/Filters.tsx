/** The filters of the list: the URL contains them, the server applies them, and each that is set is a chip. */
import { useQuery } from "@tanstack/preact-query";
import { useEffect, useState } from "preact/hooks";
import { keys } from "../../data/cache.ts";
import { winnow } from "../../data/client.ts";
import { FILTER_NAMES, type Filters } from "../../data/extractions.ts";
import { useSchemas } from "../../data/schemas.ts";
import { Icon } from "../../parts/Icon.tsx";
import { filtersWords, kindsWords, wordOf } from "../../words/words.ts";
import { listWords } from "./words.ts";

/** Running ones are also those that are about to start. */
const STATUSES = ["queued", "running", "complete", "failed"] as const;
const OUTCOMES = ["ok", "no_match", "uncertain"] as const;
const KINDS = ["video", "photos", "webpage"] as const;

/** No requests while somebody is typing. */
const TYPING_MS = 350;

type Choosable = keyof typeof listWords.anyOf;
type Names = Readonly<Record<string, string>>;

interface FilterProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

interface ChoiceProps extends FilterProps {
  readonly name: Choosable;
  readonly values: ReadonlyArray<string>;
  readonly names: Names;
}

const Choice = ({ name, values, names, filters, onChange }: ChoiceProps) => {
  const value = filters[name] ?? "";
  // What the URL asks for is shown as chosen, also while the choices are loading.
  const all = value === "" || values.includes(value) ? values : [...values, value];
  return (
    <label class="filter">
      <span class="sr">{listWords.filterNames[name]}</span>
      <select value={value} onChange={(event) => onChange({ ...filters, [name]: event.currentTarget.value })}>
        <option value="">{listWords.anyOf[name]}</option>
        {all.map((each) => (
          <option key={each} value={each}>
            {wordOf(names, each)}
          </option>
        ))}
      </select>
    </label>
  );
};

const Search = ({ filters, onChange }: FilterProps) => {
  const [text, setText] = useState(filters.q ?? "");
  useEffect(() => setText(filters.q ?? ""), [filters.q]);
  useEffect(() => {
    if (text === (filters.q ?? "")) return undefined;
    const timer = setTimeout(() => onChange({ ...filters, q: text }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
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

type NamesOf = Readonly<Partial<Record<(typeof FILTER_NAMES)[number], Names>>>;

const Day = ({ name, filters, onChange }: FilterProps & { readonly name: "since" | "until" }) => (
  <label class="filter">
    <span>{listWords.filterNames[name]}</span>
    <input
      type="date"
      value={filters[name] ?? ""}
      onChange={(event) => onChange({ ...filters, [name]: event.currentTarget.value })}
    />
  </label>
);

/** Names of the schemas and keys, which are asked for when they are chosen from or shown in a chip. */
const useNames = ({ schemaId, apiKeyId }: Filters, isOpen: boolean): NamesOf => {
  const schemas = useSchemas(isOpen || schemaId !== undefined);
  const apiKeys = useQuery({
    queryKey: keys.apiKeys,
    queryFn: ({ signal }) => winnow.apiKeys.list({ signal }),
    enabled: isOpen || apiKeyId !== undefined
  });
  return {
    status: filtersWords.statuses,
    outcome: filtersWords.outcomes,
    kind: kindsWords,
    schemaId: Object.fromEntries(
      (schemas.data ?? []).map(({ id, name, version }) => [id, listWords.schemaOf(name, version)])
    ),
    apiKeyId: Object.fromEntries((apiKeys.data?.data ?? []).map(({ id, name }) => [id, name]))
  };
};

const Chips = ({ filters, onChange }: FilterProps) => {
  const names = useNames(filters, false);
  const set = FILTER_NAMES.filter((name) => name !== "q" && filters[name] !== undefined);
  return (
    <ul class="chips" aria-label={listWords.filtersSet}>
      {set.map((name) => {
        const text = `${listWords.filterNames[name]}: ${wordOf(names[name] ?? {}, filters[name] ?? "")}`;
        return (
          <li key={name}>
            <button
              class="button small"
              type="button"
              title={listWords.removeFilter}
              onClick={() => onChange({ ...filters, [name]: undefined })}
            >
              <span class="sr">{listWords.removeFilter} </span>
              <span class="chip-text">{text}</span>
              <Icon name="cross" />
            </button>
          </li>
        );
      })}
    </ul>
  );
};

const Extras = (props: FilterProps) => {
  const { schemaId = {}, apiKeyId = {} } = useNames(props.filters, true);
  return (
    <div class="extras">
      <Choice {...props} name="schemaId" values={Object.keys(schemaId)} names={schemaId} />
      <Choice {...props} name="apiKeyId" values={Object.keys(apiKeyId)} names={apiKeyId} />
      <Day {...props} name="since" />
      <Day {...props} name="until" />
    </div>
  );
};

export const FilterBar = (props: FilterProps) => {
  const { filters } = props;
  const [isOpen, setOpen] = useState(false);
  const isAnySet = FILTER_NAMES.some((name) => name !== "q" && filters[name] !== undefined);
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
        <Choice {...props} name="status" values={STATUSES} names={filtersWords.statuses} />
        <Choice {...props} name="outcome" values={OUTCOMES} names={filtersWords.outcomes} />
        <Choice {...props} name="kind" values={KINDS} names={kindsWords} />
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
        {isOpen ? <Extras {...props} /> : null}
      </form>
      {isAnySet ? (
        <div class="chips-line">
          <Chips {...props} />
        </div>
      ) : null}
    </>
  );
};
