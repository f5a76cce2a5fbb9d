/** The filters of the list: the URL contains them, the server applies them, and each that is set is a chip. */
import { useEffect, useState } from "preact/hooks";
import { FILTER_NAMES, type Filters } from "../../data/extractions.ts";
import { Icon } from "../../parts/Icon.tsx";
import { later } from "../../parts/later.tsx";
import { filtersWords, kindsWords, wordOf } from "../../words/words.ts";
import { listWords } from "./words.ts";

/** Running ones are also those that are about to start. */
const STATUSES = ["queued", "running", "complete", "failed"] as const;
const OUTCOMES = ["ok", "no_match", "uncertain"] as const;
const KINDS = ["video", "photos", "webpage"] as const;

/** No requests while somebody is typing. */
const TYPING_MS = 350;

type Choosable = keyof typeof listWords.anyOf;
export type Names = Readonly<Record<string, string>>;

export interface FilterProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

interface ChoiceProps extends FilterProps {
  readonly name: Choosable;
  readonly values: ReadonlyArray<string>;
  readonly names: Names;
}

export const Choice = ({ name, values, names, filters, onChange }: ChoiceProps) => {
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

const Extras = later(async () => (await import("./MoreFilters.tsx")).Extras);
const Chips = later(async () => (await import("./MoreFilters.tsx")).Chips);

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
