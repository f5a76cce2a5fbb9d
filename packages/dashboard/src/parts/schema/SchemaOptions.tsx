/** The schemas of a menu: those that were saved, then the predefined ones. Tests: newForm.test.ts. */
import type { SavedSchema } from "@winnow/client";
import { isPredefined } from "../../data/schemas.ts";
import { schemaWords } from "./words.ts";

export const schemaName = (schema: SavedSchema): string =>
  isPredefined(schema) ? schema.name : schemaWords.version(schema.name, schema.version);

export const SchemaOptions = ({ schemas }: { readonly schemas: ReadonlyArray<SavedSchema> }) => {
  const groups = [
    [schemaWords.mine, schemas.filter((schema) => !isPredefined(schema))],
    [schemaWords.predefined, schemas.filter(isPredefined)]
  ] as const;
  return (
    <>
      {groups.map(([label, those]) =>
        those.length === 0 ? null : (
          <optgroup key={label} label={label}>
            {those.map((schema) => (
              <option key={schema.id} value={schema.id}>
                {schemaName(schema)}
              </option>
            ))}
          </optgroup>
        )
      )}
    </>
  );
};
