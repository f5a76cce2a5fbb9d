/** Filters above rows, which a narrow window hides behind a button; those that are set can stand below as chips. Tests: lists.test.ts. */
import { filtersWords, wordOf } from "../words/words.ts";
import { Icon } from "./Icon.tsx";

export interface FilterField {
  readonly name: string;
  readonly label: string;
  /** Of a choice, by value; a day has none. */
  readonly names?: Readonly<Record<string, string>>;
}

interface FilterBarProps {
  readonly kind: "list" | "results";
  readonly values: Readonly<Record<string, string | undefined>>;
  /** An empty one is removed. */
  readonly onChange: (change: Readonly<Record<string, string>>) => void;
  readonly search: string;
  readonly searchHint: string;
  readonly onSearch: (search: string) => void;
  readonly fields: ReadonlyArray<FilterField>;
  /** Behind the button in every window. */
  readonly further?: ReadonlyArray<FilterField>;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly chips: ReadonlyArray<readonly [name: string, text: string]>;
}

const Chips = ({ chips, onChange }: Pick<FilterBarProps, "chips" | "onChange">) =>
  chips.length === 0 ? null : (
    <ul class="chips" aria-label={filtersWords.set}>
      {chips.map(([name, text]) => (
        <li key={name}>
          <button
            class="button small"
            type="button"
            title={filtersWords.remove}
            onClick={() => onChange({ [name]: "" })}
          >
            <span class="sr">{filtersWords.remove} </span>
            <span class="one-line">{text}</span>
            <Icon name="cross" />
          </button>
        </li>
      ))}
    </ul>
  );

export const FilterBar = (props: FilterBarProps) => {
  const { kind, values, onChange, search, searchHint, onSearch, fields, further, isOpen, onOpen, chips } =
    props;
  // What is chosen or typed there says what it is.
  const named = kind === "list" ? "sr" : undefined;
  const field = ({ name, label, names }: FilterField) => {
    const value = values[name] ?? "";
    const change = (event: { readonly currentTarget: { readonly value: string } }): void =>
      onChange({ [name]: event.currentTarget.value });
    return (
      <label key={name} class={name === "schemaId" ? "filter schemaId" : "filter"}>
        <span class={names === undefined ? undefined : named}>{label}</span>
        {names === undefined ? (
          <input type="date" value={value} onChange={change} />
        ) : (
          <select value={value} onChange={change}>
            {/* What the URL asks for is shown as chosen, also while the choices are loading. */}
            {Object.entries({ ...names, [value]: wordOf(names, value) }).map(([each, text]) => (
              <option key={each} value={each}>
                {text}
              </option>
            ))}
          </select>
        )}
      </label>
    );
  };
  return (
    <>
      <form
        class={`filters ${kind}-filters${isOpen ? " open" : ""}`}
        role="search"
        aria-label={filtersWords.label}
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={({ key }) => {
          if (key === "Escape") onOpen(false);
        }}
      >
        <label class="filter grow">
          <span class={named}>{filtersWords.search}</span>
          <input
            id="search"
            type="search"
            value={search}
            placeholder={searchHint}
            onInput={(event) => onSearch(event.currentTarget.value)}
          />
        </label>
        {fields.map(field)}
        <button
          class="button filters-button"
          type="button"
          aria-expanded={isOpen}
          onClick={() => onOpen(!isOpen)}
        >
          <Icon name="gear" />
          {filtersWords.label}
        </button>
        {isOpen && further !== undefined ? <div class="extras">{further.map(field)}</div> : null}
      </form>
      <Chips chips={chips} onChange={onChange} />
    </>
  );
};
