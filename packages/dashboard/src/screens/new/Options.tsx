/** What to extract: the schema, and rarely needed options, collapsed. Tests: newForm.test.ts. */
import { isFree } from "../../data/free.ts";
import { SchemaEditor } from "../../parts/schema/SchemaEditor.tsx";
import { PromptField } from "../../parts/schema/PromptField.tsx";
import { SchemaOptions } from "../../parts/schema/SchemaOptions.tsx";
import { useSchemas } from "../../data/schemas.ts";
import { Problem } from "../../parts/Waiting.tsx";
import { schemaWords } from "../../parts/schema/words.ts";
import { draftWords, optionsWords } from "./words.ts";
import { serverPath } from "../../data/addresses.ts";
import { words } from "../../words/words.ts";
import type { Draft, SchemaChoice } from "./draft.ts";
import type { CaptionLanguage } from "@winnow/client";
import type { ComponentProps } from "preact";
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
  return (
    <label class="stack tight">
      {schemaWords.saved}
      <select
        value={draft.schemaId}
        disabled={schemas === undefined}
        onChange={(event) => onChange({ schemaId: event.currentTarget.value })}
      >
        <option value="">{schemas === undefined ? words.loading : schemaWords.choose}</option>
        <SchemaOptions schemas={schemas ?? []} />
      </select>
    </label>
  );
};

interface TileProps extends Pick<ComponentProps<"input">, "type" | "name" | "checked" | "disabled"> {
  readonly title: string;
  readonly hint: string;
  readonly onChoose: () => void;
}

/** One of several choices, each with what it means or costs. */
export const Tile = ({ title, hint, onChoose, ...input }: TileProps) => (
  <label class="check part">
    <input {...input} onChange={onChoose} />
    <span class="grow">
      <span>{title}</span>
      <span class="hint">{hint}</span>
    </span>
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
          <Tile
            key={choice}
            type="radio"
            name="schema-choice"
            checked={draft.choice === choice}
            disabled={isOff && choice !== "none"}
            title={schemaWords.choices[choice]}
            hint={schemaWords.choiceHints[choice]}
            onChoose={() => onChange({ choice })}
          />
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
    {draft.choice === "none" ? null : (
      <PromptField value={draft.prompt ?? ""} onChange={(prompt) => onChange({ prompt })} />
    )}
  </div>
);

interface InputProps
  extends SectionProps, Pick<ComponentProps<"input">, "type" | "min" | "required" | "placeholder" | "list"> {
  readonly name: "language" | "webhookUrl" | "maxCredits" | "maxAgeSeconds" | "maxSpendCredits";
}

const Input = ({ draft, onChange, name, type = "text", ...input }: InputProps) => (
  <label class="stack tight">
    {optionsWords[name]}
    <input
      min="0"
      {...input}
      type={type}
      autocapitalize="off"
      spellcheck={false}
      value={String(draft[name] ?? "")}
      onInput={({ currentTarget: { value } }) =>
        onChange({ [name]: value === "" ? undefined : type === "number" ? Number(value) : value })
      }
    />
  </label>
);

interface SelectProps extends SectionProps {
  readonly name: "captions" | "policy";
}

/** The first choice is the service's default. */
const Select = ({ draft, onChange, name }: SelectProps) => {
  const choices = Object.entries(optionsWords[`${name}Choices`]);
  const [[byDefault] = []] = choices;
  return (
    <label class="stack tight">
      {optionsWords[name]}
      <select
        value={draft[name] ?? byDefault}
        onChange={({ currentTarget: { value } }) =>
          onChange({ [name]: value === byDefault ? undefined : value })
        }
      >
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
};

interface OptionsProps extends SectionProps {
  /** Known after the inspection, and suggested; any other language can be typed. */
  readonly captionLanguages: ReadonlyArray<CaptionLanguage>;
  /** The server may be able to transcribe audio. */
  readonly canTranscribe: boolean;
}

export const Options = ({ captionLanguages, canTranscribe, ...section }: OptionsProps) => {
  const { draft, onChange } = section;
  const isAi = draft.choice !== "none";
  const choice = (
    name: "force" | "evidence" | "speech" | "auto",
    value: Draft["evidence"] | true = true,
    hint = ""
  ) => (
    <Tile
      type="checkbox"
      checked={draft[name] === value}
      title={optionsWords[name]}
      hint={hint}
      onChoose={() => onChange({ [name]: draft[name] === value ? undefined : value })}
    />
  );
  const tags = new Set(captionLanguages.map(({ language }) => language).filter((tag) => tag !== "und"));
  return (
    <details class="panel">
      <summary>{optionsWords.title}</summary>
      <div class="option-grid">
        <Input
          {...section}
          name="language"
          placeholder={optionsWords.languageHint}
          list="caption-languages"
        />
        <datalist id="caption-languages">
          {[...tags].map((tag) => (
            <option key={tag} value={tag} label={languageName(tag)} />
          ))}
        </datalist>
        <Select {...section} name="captions" />
        <Select {...section} name="policy" />
        <Input {...section} name="webhookUrl" placeholder="https://" />
        {isFree ? null : <Input {...section} name="maxCredits" type="number" />}
        <Input {...section} name="maxAgeSeconds" type="number" />
        {choice("force")}
        {isAi ? choice("evidence", "require") : null}
        {/* If the draft has it, it can be switched off. */}
        {canTranscribe || draft.speech === true
          ? choice("speech", true, isFree ? "" : optionsWords.speechHint)
          : null}
        {isAi ? choice("auto") : null}
        {isAi && draft.auto === true && !isFree ? (
          <Input {...section} name="maxSpendCredits" type="number" min="1" required />
        ) : null}
      </div>
    </details>
  );
};
