/** Filters by schema, key and day, and a chip for each filter that is set: loaded once they are wanted. */
import { useQuery } from "@tanstack/preact-query";
import { keys } from "../../data/cache.ts";
import { winnow } from "../../data/client.ts";
import { FILTER_NAMES, type Filters } from "../../data/extractions.ts";
import { useSchemas } from "../../data/schemas.ts";
import { Icon } from "../../parts/Icon.tsx";
import { filtersWords, kindsWords, wordOf } from "../../words/words.ts";
import { Choice, type FilterProps, type Names } from "./Filters.tsx";
import { laterWords } from "./laterWords.ts";
import { listWords } from "./words.ts";

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
      (schemas.data ?? []).map(({ id, name, version }) => [id, laterWords.schemaOf(name, version)])
    ),
    apiKeyId: Object.fromEntries((apiKeys.data?.data ?? []).map(({ id, name }) => [id, name]))
  };
};

export const Chips = ({ filters, onChange }: FilterProps) => {
  const names = useNames(filters, false);
  const set = FILTER_NAMES.filter((name) => name !== "q" && filters[name] !== undefined);
  return (
    <ul class="chips" aria-label={laterWords.filtersSet}>
      {set.map((name) => {
        const text = `${listWords.filterNames[name]}: ${wordOf(names[name] ?? {}, filters[name] ?? "")}`;
        return (
          <li key={name}>
            <button
              class="button small"
              type="button"
              title={laterWords.removeFilter}
              onClick={() => onChange({ ...filters, [name]: undefined })}
            >
              <span class="sr">{laterWords.removeFilter} </span>
              <span class="chip-text">{text}</span>
              <Icon name="cross" />
            </button>
          </li>
        );
      })}
    </ul>
  );
};

export const Extras = (props: FilterProps) => {
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
