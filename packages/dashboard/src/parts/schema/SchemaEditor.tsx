/** Edits a schema as a list of fields or as text. */
import { useState } from "preact/hooks";
import { words } from "../../words/words.ts";
import { fieldsOf, readSchema, schemaOf } from "./fields.ts";
import { FieldList } from "./FieldList.tsx";
import { isUsableSchema } from "./namesNothing.ts";

/** The text is authoritative; the fields are a view of it. */
export interface SchemaEditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

const written = (schema: unknown): string => JSON.stringify(schema, null, 2);

export const schemaFault = (text: string): string | null => {
  const read = readSchema(text);
  if (read.ok) return null;
  return read.reason === "notObject" ? words.schema.notObject : words.schema.syntax(read.line);
};

export const SchemaEditor = ({ text, onChange }: SchemaEditorProps) => {
  const read = readSchema(text);
  const fields = read.ok ? fieldsOf(read.schema) : null;
  const [isText, setText] = useState(fields === null);
  const fault = schemaFault(text) ?? (isUsableSchema(text) ? null : words.schema.namesNothing);
  return (
    <div class="stack tight">
      <div class="tabs" role="group" aria-label={words.schema.editAs}>
        <button
          class="button small"
          type="button"
          aria-pressed={!isText}
          disabled={fields === null}
          onClick={() => setText(false)}
        >
          {words.schema.asFields}
        </button>
        <button class="button small" type="button" aria-pressed={isText} onClick={() => setText(true)}>
          {words.schema.asText}
        </button>
      </div>
      {isText || fields === null ? (
        <>
          <textarea
            rows={14}
            aria-label={words.schema.text}
            aria-invalid={fault === null ? undefined : true}
            aria-describedby="schema-fault"
            spellcheck={false}
            value={text}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
          <p id="schema-fault" class={fault === null ? "hint" : "fault"}>
            {fault ?? (fields === null ? words.schema.onlyText : words.schema.textHint)}
          </p>
        </>
      ) : (
        <FieldList fields={fields} onChange={(next) => onChange(written(schemaOf(next)))} />
      )}
    </div>
  );
};
