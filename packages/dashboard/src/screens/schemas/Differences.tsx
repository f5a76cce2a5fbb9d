/** Compares a version of a schema with another one of the same name. */
import type { SavedSchema } from "@winnow/client";
import { useState } from "preact/hooks";
import { useSchemas } from "../../data/schemas.ts";
import { differencesOf, type Difference } from "./differences.ts";
import { schemasWords } from "./words.ts";

const DifferenceRow = ({ field, before, after }: Difference) => (
  <tr>
    <th scope="row">
      {field === "" ? schemasWords.besideFields : <code dir="auto">{field}</code>}{" "}
      <span class="hint">
        {before === null ? schemasWords.added : after === null ? schemasWords.removed : schemasWords.changed}
      </span>
    </th>
    <td>{before === null ? null : <code dir="auto">{before}</code>}</td>
    <td>{after === null ? null : <code dir="auto">{after}</code>}</td>
  </tr>
);

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
    <section class="panel stack tight" aria-label={schemasWords.differences}>
      <div class="row">
        <h2>{schemasWords.differences}</h2>
        <select
          class="end"
          aria-label={schemasWords.compareWith}
          value={other.id}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {others.map(({ id, version }) => (
            <option key={id} value={id}>
              {schemasWords.compareWithVersion(version)}
            </option>
          ))}
        </select>
      </div>
      {differences.length === 0 ? (
        <p class="hint">{schemasWords.same}</p>
      ) : (
        <div class="table-scroll" tabIndex={0} role="group" aria-label={schemasWords.differences}>
          <table class="differences">
            <thead>
              <tr>
                <th scope="col">{schemasWords.field}</th>
                <th scope="col">{schemasWords.version(older.version)}</th>
                <th scope="col">{schemasWords.version(newer.version)}</th>
              </tr>
            </thead>
            <tbody>
              {differences.map((each) => (
                <DifferenceRow key={each.field} {...each} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {(older.prompt ?? "") === (newer.prompt ?? "") ? null : <p>{schemasWords.promptDiffers}</p>}
    </section>
  );
};
