/** The filters of the list: the URL contains them, the server applies them, and each that is set is a chip. Tests: lists.test.ts. */
import { useEffect, useState } from "preact/hooks";
import { useApiKeys } from "../../data/apiKeys.ts";
import { FILTER_NAMES, type Filters } from "../../data/extractions.ts";
import { useSchemas } from "../../data/schemas.ts";
import { useSettled } from "../../data/settled.ts";
import { FilterBar, type FilterField } from "../../parts/FilterBar.tsx";
import { schemaName } from "../../parts/schema/SchemaOptions.tsx";
import { filtersWords, kindsWords, wordOf } from "../../words/words.ts";
import { listWords } from "./words.ts";

type Names = Readonly<Record<string, string>>;

/** Of the schemas and keys, they are asked for when they are chosen from or shown in a chip. */
const useNames = ({ schemaId, apiKeyId }: Filters, isOpen: boolean) => {
  const schemas = useSchemas(isOpen || schemaId !== undefined);
  const apiKeys = useApiKeys(isOpen || apiKeyId !== undefined);
  return {
    status: filtersWords.statuses,
    outcome: filtersWords.outcomes,
    kind: kindsWords,
    schemaId: Object.fromEntries((schemas.data ?? []).map((schema) => [schema.id, schemaName(schema)])),
    apiKeyId: Object.fromEntries((apiKeys.data?.data ?? []).map(({ id, name }) => [id, name]))
  } satisfies Readonly<Record<string, Names>>;
};

/** What is typed, until the URL has it. */
const useSearch = (searched: string, onSearch: (search: string) => void) => {
  const [search, setSearch] = useState(searched);
  useEffect(() => setSearch(searched), [searched]);
  const settled = useSettled(search);
  useEffect(() => {
    if (settled === search && settled !== searched) onSearch(settled);
  }, [settled]);
  return { search, onSearch: setSearch };
};

interface ListFiltersProps {
  readonly filters: Filters;
  readonly onChange: (change: Filters) => void;
}

export const ListFilters = ({ filters, onChange }: ListFiltersProps) => {
  const [isOpen, setOpen] = useState(false);
  const { q = "", ...others } = filters;
  const names = useNames(filters, isOpen);
  const choice = (name: keyof typeof names): FilterField => ({
    name,
    label: listWords.filterNames[name],
    names: { "": listWords.anyOf[name], ...names[name] }
  });
  const day = (name: "since" | "until"): FilterField => ({ name, label: listWords.filterNames[name] });
  const textOf = (name: (typeof FILTER_NAMES)[number]): string =>
    wordOf({ ...(names as Readonly<Record<string, Names>>)[name] }, filters[name] ?? "");
  return (
    <FilterBar
      kind="list"
      values={others}
      onChange={onChange}
      {...useSearch(q, (search) => onChange({ q: search }))}
      searchHint={filtersWords.searchHint}
      fields={[choice("status"), choice("outcome"), choice("kind")]}
      further={[choice("schemaId"), choice("apiKeyId"), day("since"), day("until")]}
      isOpen={isOpen}
      onOpen={setOpen}
      chips={FILTER_NAMES.filter((name) => name !== "q" && filters[name] !== undefined).map((name) => [
        name,
        `${listWords.filterNames[name]}: ${textOf(name)}`
      ])}
    />
  );
};
