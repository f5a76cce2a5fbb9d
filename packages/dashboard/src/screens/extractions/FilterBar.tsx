/** The filters: the URL contains them, and the server applies them. */
import { useEffect, useState } from "preact/hooks";
import type { Filters } from "../../data/extractions.ts";
import { words } from "../../words/words.ts";

const STATUSES = ["queued", "pending", "running", "complete", "failed"] as const;
const OUTCOMES = ["ok", "no_match", "uncertain"] as const;
const KINDS = ["video", "photos", "webpage"] as const;

/** No requests while somebody is typing. */
const TYPING_MS = 350;

interface ChoiceProps<Value extends string> {
  readonly name: keyof Filters;
  readonly label: string;
  readonly values: ReadonlyArray<Value>;
  readonly names: Readonly<Record<Value, string>>;
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

const Choice = <Value extends string>({
  name,
  label,
  values,
  names,
  filters,
  onChange
}: ChoiceProps<Value>) => (
  <label class="filter">
    <span>{label}</span>
    <select
      value={filters[name] ?? ""}
      onChange={(event) => onChange({ ...filters, [name]: event.currentTarget.value })}
    >
      <option value="">{words.filters.any}</option>
      {values.map((value) => (
        <option key={value} value={value}>
          {names[value]}
        </option>
      ))}
    </select>
  </label>
);

const Search = ({ filters, onChange }: Pick<ChoiceProps<string>, "filters" | "onChange">) => {
  const [text, setText] = useState(filters.q ?? "");
  useEffect(() => setText(filters.q ?? ""), [filters.q]);
  useEffect(() => {
    if (text === (filters.q ?? "")) return undefined;
    const timer = setTimeout(() => onChange({ ...filters, q: text }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label class="filter grow">
      <span>{words.filters.search}</span>
      <input
        id="search"
        type="search"
        value={text}
        placeholder={words.filters.searchHint}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </label>
  );
};

export const FilterBar = (props: Pick<ChoiceProps<string>, "filters" | "onChange">) => (
  <form
    class="filters"
    role="search"
    aria-label={words.filters.label}
    onSubmit={(event) => event.preventDefault()}
  >
    <Search {...props} />
    <Choice
      {...props}
      name="status"
      label={words.filters.status}
      values={STATUSES}
      names={words.filters.statuses}
    />
    <Choice
      {...props}
      name="outcome"
      label={words.filters.outcome}
      values={OUTCOMES}
      names={words.filters.outcomes}
    />
    <Choice {...props} name="kind" label={words.filters.kind} values={KINDS} names={words.kinds} />
  </form>
);
