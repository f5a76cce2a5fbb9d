/** One endpoint: the request and the responses with their schemas, and beside them the request as code. */
import type { JsonSchema, Components, Response } from "../../http/openapi/OpenApiDocument.ts";
import { html, prose, type Html, type Part } from "./Html.ts";
import { examplesOf, LANGUAGES, nameOf, requestExamples, type Endpoint } from "./requestExamples.ts";
import { sendForm } from "./sendForm.ts";

// Renders schemas of the document as field lists and text.

export const schemaAnchor = (name: string): string => `schema-${name}`;

/** Of an error that operations share. */
export const errorAnchor = (name: string): string => `error-${name}`;

const joined = (parts: ReadonlyArray<Part>): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : [" or ", part]))}`;

const range = ({ minimum, maximum: most }: JsonSchema): string => {
  // What JSON can carry at most is no limit that anybody meets.
  const maximum = most === Number.MAX_SAFE_INTEGER ? undefined : most;
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  return minimum === undefined ? "" : `, at least ${minimum}`;
};

/** The type as text, with links to components. */
const typeOf = (schema: JsonSchema): Html => {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return html`<a href="types#${schemaAnchor(name)}">${name}</a>`;
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

interface Field {
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

const fieldList = (fields: ReadonlyArray<Field>): Html | null =>
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

export const json = (value: unknown): Html =>
  html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;

const bodySchema = (content: Response["content"]): JsonSchema | undefined =>
  content?.["application/json"]?.schema;

/** All languages; the style shows the chosen one. */
const requestCode = (endpoint: Endpoint, components: Components): Html | null => {
  const examples = requestExamples(endpoint, components);
  if (examples === null) return null;
  return html`${LANGUAGES.map(
    (language) => html`<pre class="example ${language}" tabindex="0"><code>${examples[language]}</code></pre>`
  )}`;
};

/** Its type, examples and headers. */
export const responseDetails = ({ content, headers = {} }: Response, components: Components): Html => {
  const [type] = Object.keys(content ?? {});
  const schema = type === undefined ? undefined : content?.[type]?.schema;
  const sent = Object.entries(headers).map(([name, header]) => {
    const known = header.$ref === undefined ? header : components.headers[nameOf(header.$ref)];
    return {
      name,
      schema: known?.schema ?? {},
      required: false,
      description: known?.description
    };
  });
  const examples = schema === undefined ? [] : examplesOf(schema, components.schemas);
  return html`${type === undefined ? null : html`<p><code>${type}</code>${schema === undefined ? null : [", ", typeOf(schema)]}</p>`}
  ${examples.map(json)}
  ${
    sent.length === 0
      ? null
      : html`<h3>Headers</h3>
          ${fieldList(sent)}`
  }`;
};

/** Errors that operations share are described once, on their own page. */
const responseView = (status: string, response: Response, components: Components): Html => {
  if (response.$ref !== undefined) {
    const name = nameOf(response.$ref);
    const { description = "" } = components.responses[name] ?? {};
    return html`<p class="answer">
      <a href="errors#${errorAnchor(name)}"><span class="status">${status}</span></a
      ><span>${prose(description)}</span>
    </p>`;
  }
  return html`<details>
    <summary><span class="status">${status}</span>${prose(response.description ?? "")}</summary>
    <div>${responseDetails(response, components)}</div>
  </details>`;
};

/** The status of each error that operations share, by its name. */
export const statusesOf = (endpoints: ReadonlyArray<Endpoint>): ReadonlyMap<string, string> =>
  new Map(
    endpoints.flatMap(({ operation }) =>
      Object.entries(operation.responses).flatMap(([status, { $ref }]) =>
        $ref === undefined ? [] : [[nameOf($ref), status] as const]
      )
    )
  );

const requestView = ({ operation }: Endpoint, { schemas }: Components): Html => {
  const parameters = operation.parameters.map(({ name, in: place, schema, required, description }) => ({
    name,
    schema,
    required,
    description,
    place
  }));
  const schema = bodySchema(operation.requestBody?.content);
  const body = schema?.$ref === undefined ? schema : schemas[nameOf(schema.$ref)];
  return html`${
    parameters.length === 0
      ? null
      : html`<h3>Parameters</h3>
          ${fieldList(parameters)}`
  }
  ${
    body === undefined
      ? null
      : html`<h3>Body</h3>
          ${fieldsOf(body)}`
  }`;
};

export const operationView = (endpoint: Endpoint, components: Components): Html => {
  const { method, path, operation } = endpoint;
  const responses = Object.entries(operation.responses).map(([status, response]) =>
    responseView(status, response, components)
  );
  return html`<article id="${operation.operationId}">
    <h2>${operation.summary}</h2>
    <p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
    <p>${prose(operation.description)}</p>
    <div class="halves">
      <div>${requestView(endpoint, components)}</div>
      <div>
        ${requestCode(endpoint, components)} ${sendForm(endpoint)}
        <h3>Responses</h3>
        ${responses}
      </div>
    </div>
  </article>`;
};
