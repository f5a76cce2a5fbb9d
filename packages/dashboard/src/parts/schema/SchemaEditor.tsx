/** Edits a schema as a list of fields or as text. */
import { useState } from "preact/hooks";
import { schemaWords } from "./words.ts";
import { wordOf } from "../../words/words.ts";
import { IconButton } from "../Icon.tsx";
import {
  FIELD_TYPES,
  newField,
  repeatedName,
  fieldsOf,
  readSchema,
  schemaOf,
  isUsableSchema,
  type Field,
  type FieldType
} from "./fields.ts";

// The fields of a schema: name, type, required, description.

interface FieldListProps {
  readonly fields: ReadonlyArray<Field>;
  readonly onChange: (fields: ReadonlyArray<Field>) => void;
}

interface FieldRowProps {
  readonly field: Field;
  /** Why the form cannot be sent with this name; empty if it can. */
  readonly fault: string;
  readonly isNameRequired: boolean;
  readonly onChange: (field: Field) => void;
  readonly onRemove: () => void;
}

const FieldRow = ({ field, fault, isNameRequired, onChange, onRemove }: FieldRowProps) => (
  <li class="field-row">
    <input
      class="mono"
      aria-label={schemaWords.fieldName}
      placeholder={schemaWords.fieldName}
      value={field.name}
      spellcheck={false}
      required={isNameRequired}
      aria-invalid={fault === "" ? undefined : true}
      ref={(input) => input?.setCustomValidity(fault)}
      onInput={(event) => onChange({ ...field, name: event.currentTarget.value })}
    />
    <select
      aria-label={schemaWords.fieldType(field.name)}
      value={field.type}
      onChange={(event) => onChange({ ...field, type: event.currentTarget.value as FieldType })}
    >
      {FIELD_TYPES.map((type) => (
        <option key={type} value={type}>
          {wordOf(schemaWords.types, type)}
        </option>
      ))}
    </select>
    <input
      class="field-means"
      aria-label={schemaWords.fieldMeans(field.name)}
      placeholder={schemaWords.fieldMeansHint}
      value={field.description}
      onInput={(event) => onChange({ ...field, description: event.currentTarget.value })}
    />
    <label class="check">
      <input
        type="checkbox"
        checked={field.isRequired}
        onChange={(event) => onChange({ ...field, isRequired: event.currentTarget.checked })}
      />
      {schemaWords.required}
    </label>
    <IconButton icon="cross" label={schemaWords.removeField(field.name)} onClick={onRemove} />
  </li>
);

/** Unnamed rows are kept here, because a schema cannot contain them. */
const FieldList = ({ fields, onChange }: FieldListProps) => {
  const [rows, setRows] = useState<ReadonlyArray<Field>>(fields.length === 0 ? [newField()] : fields);
  const change = (next: ReadonlyArray<Field>): void => {
    setRows(next);
    if (repeatedName(next) === null) onChange(next);
  };
  const repeated = repeatedName(rows);
  const isNamed = rows.some(({ name }) => name.trim() !== "");
  return (
    <div class="stack tight">
      <ul class="stack tight">
        {rows.map((row, index) => (
          <FieldRow
            key={index}
            field={row}
            fault={repeated !== null && row.name.trim() === repeated ? schemaWords.repeated(repeated) : ""}
            isNameRequired={row.description.trim() !== "" || (!isNamed && index === 0)}
            onChange={(field) => change(rows.map((each, at) => (at === index ? field : each)))}
            onRemove={() => change(rows.filter((_, at) => at !== index))}
          />
        ))}
      </ul>
      {repeated === null ? null : (
        <p class="fault" role="alert">
          {schemaWords.repeated(repeated)}
        </p>
      )}
      <div>
        <button class="button small" type="button" onClick={() => setRows([...rows, newField()])}>
          {schemaWords.addField}
        </button>
      </div>
    </div>
  );
};

/** The text is authoritative; the fields are a view of it. */
interface SchemaEditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

const written = (schema: unknown): string => JSON.stringify(schema, null, 2);

export const schemaFault = (text: string): string | null => {
  const read = readSchema(text);
  if (read.ok) return null;
  return read.reason === "notObject" ? schemaWords.notObject : schemaWords.syntax(read.line);
};

export const SchemaEditor = ({ text, onChange }: SchemaEditorProps) => {
  const read = readSchema(text);
  const fields = read.ok ? fieldsOf(read.schema) : null;
  const [isText, setText] = useState(fields === null);
  const fault = schemaFault(text) ?? (isUsableSchema(text) ? null : schemaWords.namesNothing);
  return (
    <div class="stack tight">
      <div class="tabs" role="group" aria-label={schemaWords.editAs}>
        <button
          class="button small"
          type="button"
          aria-pressed={!isText}
          disabled={fields === null}
          onClick={() => setText(false)}
        >
          {schemaWords.asFields}
        </button>
        <button class="button small" type="button" aria-pressed={isText} onClick={() => setText(true)}>
          {schemaWords.asText}
        </button>
      </div>
      {isText || fields === null ? (
        <>
          <textarea
            rows={14}
            aria-label={schemaWords.text}
            aria-invalid={fault === null ? undefined : true}
            aria-describedby="schema-fault"
            spellcheck={false}
            value={text}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
          <p id="schema-fault" class={fault === null ? "hint" : "fault"}>
            {fault ?? (fields === null ? schemaWords.onlyText : schemaWords.textHint)}
          </p>
        </>
      ) : (
        <FieldList fields={fields} onChange={(next) => onChange(written(schemaOf(next)))} />
      )}
    </div>
  );
};
