/** What to extract: the schema, and rarely needed options, collapsed. */
import { isFree } from "../../data/free.ts";
import { SchemaEditor } from "../../parts/schema/SchemaEditor.tsx";
import { isPredefined, useSchemas } from "../../data/schemas.ts";
import { Problem } from "../../parts/Waiting.tsx";
import { schemaWords } from "../../parts/schema/words.ts";
import { draftWords, optionsWords } from "./words.ts";
import { serverPath } from "../../data/addresses.ts";
import { words } from "../../words/words.ts";
import type { Draft, SchemaChoice } from "./draft.ts";
import type { CaptionLanguage } from "@winnow/client";
import { languageName } from "../../words/format.ts";

// Which values to extract: none, by a saved schema, a custom one, or one that the model generates.

interface SectionProps {
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
      {schemaWords.saved}
      <select
        value={draft.schemaId}
        disabled={schemas === undefined}
        onChange={(event) => onChange({ schemaId: event.currentTarget.value })}
      >
        <option value="">{schemas === undefined ? words.loading : schemaWords.choose}</option>
        {own.length === 0 ? null : (
          <optgroup label={schemaWords.mine}>
            {own.map((schema) => (
              <option key={schema.id} value={schema.id}>
                {schemaWords.version(schema.name, schema.version)}
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label={schemaWords.predefined}>
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
      {schemaWords.prompt} <span class="hint">({words.optional})</span>
    </span>
    <textarea
      rows={2}
      value={draft.prompt}
      placeholder={schemaWords.promptHint}
      onInput={(event) => onChange({ prompt: event.currentTarget.value })}
    />
  </label>
);

interface SchemaSectionProps extends SectionProps {
  /** The server has no language model. */
  readonly isOff: boolean;
}

export const SchemaSection = ({ draft, isOff, onChange }: SchemaSectionProps) => (
  <div class="panel stack">
    <fieldset class="stack tight">
      <legend>{schemaWords.question}</legend>
      <div class="part-grid">
        {CHOICES.map((choice) => (
          <label class="check part" key={choice}>
            <input
              type="radio"
              name="schema-choice"
              checked={draft.choice === choice}
              disabled={isOff && choice !== "none"}
              onChange={() => onChange({ choice })}
            />
            <span class="grow">
              <span>{schemaWords.choices[choice]}</span>
              <span class="hint">{schemaWords.choiceHints[choice]}</span>
            </span>
          </label>
        ))}
      </div>
      {isOff ? (
        <p class="hint">
          {draftWords.noModel} <a href={serverPath("docs/local-models")}>{draftWords.setUp}</a>
        </p>
      ) : null}
    </fieldset>
    {draft.choice === "saved" ? <SavedChoice draft={draft} onChange={onChange} /> : null}
    {draft.choice === "own" ? (
      <SchemaEditor text={draft.schemaText} onChange={(schemaText) => onChange({ schemaText })} />
    ) : null}
    {draft.choice === "none" ? null : <Prompt draft={draft} onChange={onChange} />}
  </div>
);

interface NumberInputProps extends SectionProps {
  readonly name: "maxSpendCredits" | "maxCredits" | "maxAgeSeconds";
  readonly min?: number;
  readonly isRequired?: boolean;
}

const NumberInput = ({ draft, onChange, name, min = 0, isRequired = false }: NumberInputProps) => (
  <label class="stack tight">
    {optionsWords[name]}
    <input
      type="number"
      min={min}
      step="1"
      required={isRequired}
      value={draft[name]}
      onInput={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  </label>
);

interface ChoiceProps extends SectionProps {
  readonly name: "force" | "isQuoted" | "speech" | "auto";
  readonly hint?: string | undefined;
}

const Choice = ({ draft, onChange, name, hint }: ChoiceProps) => (
  <div class="stack tight">
    <label class="check">
      <input
        type="checkbox"
        checked={draft[name]}
        aria-describedby={hint === undefined ? undefined : `${name}-hint`}
        onChange={(event) => onChange({ [name]: event.currentTarget.checked })}
      />
      {optionsWords[name]}
    </label>
    {hint === undefined ? null : (
      <p id={`${name}-hint`} class="hint">
        {hint}
      </p>
    )}
  </div>
);

const POLICIES = ["fallback", "strict", "best-effort"] as const;

interface OptionsProps extends SectionProps {
  /** Known after the inspection, and suggested; any other language can be typed. */
  readonly captionLanguages: ReadonlyArray<CaptionLanguage>;
  /** The server may be able to transcribe audio. */
  readonly canTranscribe: boolean;
}

export const Options = ({ captionLanguages, canTranscribe, ...section }: OptionsProps) => {
  const { draft, onChange } = section;
  const tags = new Set(captionLanguages.map(({ language }) => language).filter((tag) => tag !== "und"));
  return (
    <details class="panel">
      <summary>{optionsWords.title}</summary>
      <div class="option-grid">
        <label class="stack tight">
          {optionsWords.language}
          <input
            value={draft.language}
            placeholder={optionsWords.languageHint}
            autocapitalize="off"
            list="caption-languages"
            spellcheck={false}
            onInput={(event) => onChange({ language: event.currentTarget.value })}
          />
          <datalist id="caption-languages">
            {[...tags].map((tag) => (
              <option key={tag} value={tag} label={languageName(tag)} />
            ))}
          </datalist>
        </label>
        <label class="stack tight">
          {optionsWords.policy}
          <select value={draft.policy} onChange={(event) => onChange({ policy: event.currentTarget.value })}>
            {POLICIES.map((policy) => (
              <option key={policy} value={policy === "fallback" ? "" : policy}>
                {optionsWords.policies[policy]}
              </option>
            ))}
          </select>
        </label>
        <label class="stack tight">
          {optionsWords.webhookUrl}
          <input
            type="text"
            inputMode="url"
            value={draft.webhookUrl}
            placeholder="https://"
            spellcheck={false}
            onInput={(event) => onChange({ webhookUrl: event.currentTarget.value })}
          />
        </label>
        {isFree ? null : <NumberInput {...section} name="maxCredits" />}
        <NumberInput {...section} name="maxAgeSeconds" />
        <Choice {...section} name="force" />
        {draft.choice === "none" ? null : <Choice {...section} name="isQuoted" />}
        {/* If the draft has it, it can be switched off. */}
        {canTranscribe || draft.speech ? (
          <Choice {...section} name="speech" hint={isFree ? undefined : optionsWords.speechHint} />
        ) : null}
        {draft.choice === "none" ? null : <Choice {...section} name="auto" />}
        {draft.choice !== "none" && draft.auto && !isFree ? (
          <NumberInput {...section} name="maxSpendCredits" min={1} isRequired />
        ) : null}
      </div>
    </details>
  );
};
