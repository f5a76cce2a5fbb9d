/** Compares a version of a schema with another one of the same name. */
import type { SavedSchema } from "@winnow/client";
import { useState } from "preact/hooks";
import { useSchemas } from "../../data/schemas.ts";
import { differencesOf } from "./differences.ts";
import { differenceWords } from "./words.ts";

export const Differences = ({ schema }: { readonly schema: SavedSchema }) => {
  const { data = [] } = useSchemas();
  const others = data
    .filter(({ id, name }) => name === schema.name && id !== schema.id)
    .toSorted((left, right) => right.version - left.version);
  const previous = others.find(({ version }) => version < schema.version) ?? others[0];
  const [chosen, setChosen] = useState<string | null>(null);
  const other = others.find(({ id }) => id === chosen) ?? previous;
  if (other === undefined) return null;
  const [older, newer] = other.version < schema.version ? [other, schema] : [schema, other];
  const differences = differencesOf(older.schema, newer.schema);
  return (
    <section class="panel stack tight" aria-label={differenceWords.title}>
      <div class="row">
        <h2>{differenceWords.title}</h2>
        <select
          class="end"
          aria-label={differenceWords.compareWith}
          value={other.id}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {others.map(({ id, version }) => (
            <option key={id} value={id}>
              {differenceWords.compareWithVersion(version)}
            </option>
          ))}
        </select>
      </div>
      {differences.length === 0 ? (
        <p class="hint">{differenceWords.same}</p>
      ) : (
        <ul class="stack tight">
          {differences.map(({ field, changes }) => (
            <li key={field} dir="auto">
              {field === "" ? differenceWords.besideFields : <code>{field}</code>}: {changes.join("; ")}
            </li>
          ))}
        </ul>
      )}
      {(older.prompt ?? "") === (newer.prompt ?? "") ? null : <p>{differenceWords.promptDiffers}</p>}
    </section>
  );
};
