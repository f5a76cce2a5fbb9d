/** Which values to extract: none, by a saved schema, a custom one, or one that the model generates. */
import { SchemaEditor } from "../../parts/schema/SchemaEditor.tsx";
import { isPredefined, useSchemas } from "../../data/schemas.ts";
import { Problem } from "../../parts/Problem.tsx";
import { words } from "../../words/words.ts";
import type { Draft, SchemaChoice } from "./draft.ts";

export interface SectionProps {
  readonly draft: Draft;
  readonly onChange: (changes: Partial<Draft>) => void;
}

const CHOICES: ReadonlyArray<SchemaChoice> = ["none", "saved", "own", "auto"];

const SavedChoice = ({ draft, onChange }: SectionProps) => {
  const { data: schemas, error, refetch } = useSchemas();
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  const own = schemas?.filter((schema) => !isPredefined(schema)) ?? [];
  const predefined = schemas?.filter(isPredefined) ?? [];
  return (
    <label class="stack tight">
      {words.schema.saved}
      <select
        value={draft.schemaId}
        disabled={schemas === undefined}
        onChange={(event) => onChange({ schemaId: event.currentTarget.value })}
      >
        <option value="">{schemas === undefined ? words.loading : words.schema.choose}</option>
        {own.length === 0 ? null : (
          <optgroup label={words.schema.mine}>
            {own.map((schema) => (
              <option key={schema.id} value={schema.id}>
                {words.schema.version(schema.name, schema.version)}
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label={words.schema.predefined}>
          {predefined.map((schema) => (
            <option key={schema.id} value={schema.id}>
              {schema.name}
            </option>
          ))}
        </optgroup>
      </select>
    </label>
  );
};

const Prompt = ({ draft, onChange }: SectionProps) => (
  <label class="stack tight">
    <span>
      {words.schema.prompt} <span class="hint">({words.optional})</span>
    </span>
    <textarea
      rows={2}
      value={draft.prompt}
      placeholder={words.schema.promptHint}
      onInput={(event) => onChange({ prompt: event.currentTarget.value })}
    />
  </label>
);

export const SchemaSection = ({ draft, onChange }: SectionProps) => (
  <div class="panel stack">
    <fieldset class="stack tight">
      <legend>{words.schema.question}</legend>
      <div class="part-grid">
        {CHOICES.map((choice) => (
          <label class="check part" key={choice}>
            <input
              type="radio"
              name="schema-choice"
              checked={draft.choice === choice}
              onChange={() => onChange({ choice })}
            />
            <span class="grow">
              <span>{words.schema.choices[choice]}</span>
              <span class="hint">{words.schema.choiceHints[choice]}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
    {draft.choice === "saved" ? <SavedChoice draft={draft} onChange={onChange} /> : null}
    {draft.choice === "own" ? (
      <SchemaEditor text={draft.schemaText} onChange={(schemaText) => onChange({ schemaText })} />
    ) : null}
    {draft.choice === "none" ? null : <Prompt draft={draft} onChange={onChange} />}
  </div>
);
