/** Edits a schema as a list of fields or as text. Tests: newForm.test.ts, everyday.test.ts. */
import { ErrorBoundary } from "preact-iso";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { schemaWords } from "./words.ts";
import { wordOf } from "../../words/words.ts";
import { IconButton } from "../Icon.tsx";
import { Tabs } from "../Tabs.tsx";
import { later } from "../later.tsx";
import {
  DEPTH_MAX,
  FIELD_KINDS,
  fieldsOf,
  hasRepeatedName,
  isUnshown,
  isUsableSchema,
  newField,
  readSchema,
  repeatedName,
  schemaOf,
  type Field,
  type FieldKind,
  type JsonObject
} from "./fields.ts";

const JsonEditor = later(() => import("./JsonEditor.tsx"));

// The fields of a schema, and of its groups: name, type, meaning, whether it may be missing.

interface FieldRowsProps {
  readonly fields: ReadonlyArray<Field>;
  readonly depth: number;
  readonly onChange: (fields: ReadonlyArray<Field>) => void;
}

interface FieldRowProps {
  readonly field: Field;
  /** Of the group that it is in; 0 for none. */
  readonly depth: number;
  /** Why the form cannot be sent with this name; empty if it can. */
  readonly fault: string;
  readonly isNameRequired: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onChange: (field: Field) => void;
  /** By -1 or 1; by 0 to remove it. */
  readonly onMove: (by: number) => void;
  /** A row below it. */
  readonly onAdd: () => void;
}

/** In the menu, a list is its kind in the plural. */
const TypeMenu = ({ field, depth, onChange }: Pick<FieldRowProps, "field" | "depth" | "onChange">) => {
  const kinds = FIELD_KINDS.filter((kind) => kind !== "group" || depth < DEPTH_MAX || field.kind === kind);
  const change = (value: string): void => {
    const kind = value.replace(/s$/u, "") as FieldKind;
    const fields = kind === "group" && field.fields.length === 0 ? [newField()] : field.fields;
    onChange({ ...field, kind, isList: value.endsWith("s"), fields });
  };
  return (
    <select
      aria-label={schemaWords.fieldType(field.name)}
      value={field.kind + (field.isList ? "s" : "")}
      onChange={(event) => change(event.currentTarget.value)}
    >
      {["", "s"].map((plural) =>
        kinds.map((kind) => (
          <option key={kind + plural} value={kind + plural}>
            {wordOf(schemaWords.types, kind + plural)}
          </option>
        ))
      )}
    </select>
  );
};

const RowTools = ({
  field: { name },
  isFirst,
  isLast,
  onMove
}: Pick<FieldRowProps, "field" | "isFirst" | "isLast" | "onMove">) => {
  const tools = [
    ["above", schemaWords.moveUp(name), -1, isFirst],
    ["below", schemaWords.moveDown(name), 1, isLast],
    ["cross", schemaWords.removeField(name), 0, false]
  ] as const;
  return (
    <span class="field-tools">
      {tools.map(([icon, label, by, isDisabled]) => (
        <IconButton key={icon} icon={icon} label={label} isDisabled={isDisabled} onClick={() => onMove(by)} />
      ))}
    </span>
  );
};

const FieldRow = (props: FieldRowProps) => {
  const { field, depth, fault, isNameRequired, onChange, onAdd } = props;
  const isMissable = field.isNullable || !field.isRequired;
  // It would send the form, which may cost something.
  const onKeyDown = (event: KeyboardEvent): void => {
    const isText = event.target instanceof HTMLInputElement && event.target.type === "text";
    if (event.key !== "Enter" || !isText || event.ctrlKey || event.metaKey || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    onAdd();
  };
  return (
    <li class="field-row" onKeyDown={onKeyDown}>
      <input
        class="mono"
        aria-label={schemaWords.fieldName}
        placeholder={schemaWords.fieldName}
        value={field.name}
        spellcheck={false}
        autocapitalize="off"
        required={isNameRequired}
        aria-invalid={fault === "" ? undefined : true}
        ref={(input) => input?.setCustomValidity(fault)}
        onInput={(event) => onChange({ ...field, name: event.currentTarget.value })}
      />
      <TypeMenu field={field} depth={depth} onChange={onChange} />
      <input
        class="field-means"
        aria-label={schemaWords.fieldMeans(field.name)}
        placeholder={schemaWords.fieldMeansHint}
        value={field.description}
        onInput={(event) => onChange({ ...field, description: event.currentTarget.value })}
      />
      <label class="check" title={schemaWords.missableHint}>
        <input
          type="checkbox"
          checked={isMissable}
          onChange={() => onChange({ ...field, isRequired: true, isNullable: !isMissable })}
        />
        <span>{schemaWords.missable}</span>
      </label>
      <RowTools {...props} />
      {field.kind === "choice" ? (
        <textarea
          class="field-more"
          rows={3}
          required={field.name.trim() !== ""}
          aria-label={schemaWords.choicesOf(field.name)}
          placeholder={schemaWords.choicesHint}
          value={field.choices.join("\n")}
          onInput={(event) => onChange({ ...field, choices: event.currentTarget.value.split("\n") })}
        />
      ) : null}
      {field.kind === "group" ? (
        <div class="field-more nested" role="group" aria-label={schemaWords.fieldsOf(field.name)}>
          <FieldRows
            fields={field.fields}
            depth={depth + 1}
            onChange={(fields) => onChange({ ...field, fields })}
          />
        </div>
      ) : null}
    </li>
  );
};

const isNamed = ({ name }: Field): boolean => name.trim() !== "";

/** A row that says more than its name could not be saved without one. */
const saysMore = ({ description, kind, fields, choices }: Field): boolean =>
  description.trim() !== "" ||
  (kind === "choice" && choices.length > 0) ||
  (kind === "group" && fields.some(isNamed));

const FieldRows = ({ fields, depth, onChange }: FieldRowsProps) => {
  const list = useRef<HTMLUListElement>(null);
  /** What has the focus after the next change: a row, and one of its controls. */
  const next = useRef<readonly [row: number, control: string] | null>(null);
  const rows = fields.length === 0 ? [newField()] : fields;
  useLayoutEffect(() => {
    if (next.current === null) return;
    const [row, control] = next.current;
    next.current = null;
    const shown = list.current?.children[Math.min(row, rows.length - 1)];
    (shown?.querySelector<HTMLElement>(`:scope > ${control}`) ?? shown?.querySelector("input"))?.focus();
  }, [fields]);
  const move = (from: number, by: number): void => {
    const [moved] = rows.slice(from);
    const others = rows.filter((_, at) => at !== from);
    const isMoved = by !== 0 && moved !== undefined;
    next.current = isMoved
      ? [from + by, `.field-tools > :nth-child(${by < 0 ? 1 : 2}):enabled`]
      : [from, "input"];
    onChange(isMoved ? others.toSpliced(from + by, 0, moved) : others);
  };
  const add = (at: number): void => {
    next.current = [at, "input"];
    onChange(rows.toSpliced(at, 0, newField()));
  };
  const repeated = repeatedName(rows);
  return (
    <div class="stack tight field-rows">
      {depth > 0 ? null : (
        <div class="field-heads hint" aria-hidden="true">
          {[
            schemaWords.fieldName,
            schemaWords.fieldTypeHead,
            schemaWords.fieldMeansHead,
            schemaWords.missable
          ].map((head) => (
            <span key={head}>{head}</span>
          ))}
        </div>
      )}
      <ul class="stack tight" ref={list}>
        {rows.map((row, index) => (
          <FieldRow
            key={index}
            field={row}
            depth={depth}
            fault={repeated !== null && row.name.trim() === repeated ? schemaWords.repeated(repeated) : ""}
            isNameRequired={saysMore(row) || (index === 0 && !rows.some(isNamed))}
            isFirst={index === 0}
            isLast={index === rows.length - 1}
            onChange={(field) => onChange(rows.with(index, field))}
            onMove={(by) => move(index, by)}
            onAdd={() => add(index + 1)}
          />
        ))}
      </ul>
      {repeated === null ? null : (
        <p class="fault" role="alert">
          {schemaWords.repeated(repeated)}
        </p>
      )}
      <div>
        <button class="button small" type="button" onClick={() => add(rows.length)}>
          {depth === 0 ? schemaWords.addField : schemaWords.addToGroup}
        </button>
      </div>
    </div>
  );
};

interface FieldListProps {
  readonly schema: JsonObject;
  readonly fields: ReadonlyArray<Field>;
  readonly onChange: (schema: JsonObject) => void;
}

/** Unnamed rows are kept here, because a schema cannot contain them; and the schema as it was before any change. */
const FieldList = ({ schema, fields, onChange }: FieldListProps) => {
  const [kept] = useState(schema);
  const [rows, setRows] = useState(fields);
  return (
    <FieldRows
      fields={rows}
      depth={0}
      onChange={(next) => {
        setRows(next);
        if (!hasRepeatedName(next)) onChange(schemaOf(next, kept));
      }}
    />
  );
};

/** Of the editor of JSON, whose place is kept while it is loaded: a line, and what is above and below all of them. */
const LINE_REM = 1.225;
const EDGES_PX = 10;

/** The text is authoritative; the fields are a view of it. */
interface SchemaEditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

const jsonOf = (schema: unknown): string => JSON.stringify(schema, null, 2);

export const schemaFault = (text: string): string | null => {
  const read = readSchema(text);
  if (read.ok) return null;
  return read.reason === "notObject" ? schemaWords.notObject : schemaWords.syntax(read.line);
};

export const SchemaEditor = ({ text, onChange }: SchemaEditorProps) => {
  const read = readSchema(text);
  const shown = read.ok ? fieldsOf(read.schema) : null;
  const unshown = shown !== null && isUnshown(shown) ? shown : null;
  const fields = shown === null || isUnshown(shown) ? null : shown;
  const [isText, setText] = useState(fields === null);
  const fault = schemaFault(text) ?? (isUsableSchema(text) ? null : schemaWords.namesNothing);
  return (
    <div class="stack tight">
      <Tabs
        label={schemaWords.editAs}
        tabs={[
          ["fields", schemaWords.asFields],
          ["text", schemaWords.asText]
        ]}
        shown={isText ? "text" : "fields"}
        onShow={(shown) => setText(shown === "text")}
        missing={fields === null ? "fields" : undefined}
      />
      {isText || !read.ok || fields === null ? (
        <>
          <div style={{ minHeight: `max(20rem, ${text.split("\n").length * LINE_REM}rem + ${EDGES_PX}px)` }}>
            <ErrorBoundary>
              <JsonEditor text={text} onChange={onChange} />
            </ErrorBoundary>
          </div>
          <p class={fault === null ? "hint" : "fault"}>
            {fault ??
              (unshown === null ? schemaWords.textHint : schemaWords.onlyText(unshown.keyword, unshown.path))}
          </p>
        </>
      ) : (
        <FieldList schema={read.schema} fields={fields} onChange={(schema) => onChange(jsonOf(schema))} />
      )}
    </div>
  );
};
