/** Renders schemas of the document as field lists and text. */
import type { JsonSchema, Schemas } from "../../http/openapi/OpenApiDocument.ts";
import { html, prose, type Html, type Part } from "./Html.ts";

export const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf("/") + 1);

export const schemaAnchor = (name: string): string => `schema-${name}`;

const joined = (parts: ReadonlyArray<Part>): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : [" or ", part]))}`;

const range = ({ minimum, maximum }: JsonSchema): string => {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  return minimum === undefined ? "" : `, at least ${minimum}`;
};

/** The type as text, with links to components. */
export const typeOf = (schema: JsonSchema): Html => {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return html`<a href="#${schemaAnchor(name)}">${name}</a>`;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return joined(choices.map(typeOf));
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined) {
    return joined(schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`));
  }
  if (schema.items !== undefined) return html`list of ${typeOf(schema.items)}`;
  const type = [schema.type ?? "anything"].flat().join(" or ");
  return html`${type}${schema.format === undefined ? "" : ` (${schema.format})`}${range(schema)}`;
};

export interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly description?: string | undefined;
  /** The location of a parameter. */
  readonly place?: string;
}

const fieldView = ({ name, schema, required, description, place }: Field): Html => {
  const text = description ?? schema.description;
  const standard = schema.default === undefined ? "" : ` Default ${JSON.stringify(schema.default)}.`;
  return html`<div>
    <dt>
      <code>${name}</code>
      <span class="type">${place === undefined ? "" : `${place}, `}${typeOf(schema)}</span>
      ${required ? html`<span class="need">required</span>` : null}
    </dt>
    <dd>${prose(`${text ?? ""}${standard}`)}${schema.properties === undefined ? null : fieldsOf(schema)}</dd>
  </div>`;
};

export const fieldList = (fields: ReadonlyArray<Field>): Html | null =>
  fields.length === 0 ? null : html`<dl class="fields">${fields.map(fieldView)}</dl>`;

/** The fields of an object; otherwise the type. */
export const fieldsOf = (schema: JsonSchema): Html | null =>
  schema.properties === undefined
    ? html`<p>${typeOf(schema)}</p>`
    : fieldList(
        Object.entries(schema.properties).map(([name, property]) => ({
          name,
          schema: property,
          required: schema.required?.includes(name) ?? false
        }))
      );

/** Examples from the schema or its components. */
export const examplesOf = (schema: JsonSchema, schemas: Schemas): ReadonlyArray<unknown> => {
  if (schema.examples !== undefined) return schema.examples;
  if (schema.$ref !== undefined) return examplesOf(schemas[nameOf(schema.$ref)] ?? {}, schemas);
  return (schema.anyOf ?? schema.oneOf ?? []).flatMap((choice) => examplesOf(choice, schemas));
};

export const json = (value: unknown): Html => html`<pre><code>${JSON.stringify(value, null, 2)}</code></pre>`;
