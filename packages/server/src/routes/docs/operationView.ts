/** One endpoint: the request, the response, their schemas, and an example command. */
import type {
  JsonSchema,
  Schemas,
  Components,
  Operation,
  Response
} from "../../http/openapi/OpenApiDocument.ts";
import { html, prose, type Html, type Part } from "./Html.ts";

// Renders schemas of the document as field lists and text.

const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf("/") + 1);

export const schemaAnchor = (name: string): string => `schema-${name}`;

const joined = (parts: ReadonlyArray<Part>): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : [" or ", part]))}`;

const range = ({ minimum, maximum }: JsonSchema): string => {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  return minimum === undefined ? "" : `, at least ${minimum}`;
};

/** The type as text, with links to components. */
const typeOf = (schema: JsonSchema): Html => {
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

/** Examples from the schema or its components. */
export const examplesOf = (schema: JsonSchema, schemas: Schemas): ReadonlyArray<unknown> => {
  if (schema.examples !== undefined) return schema.examples;
  if (schema.$ref !== undefined) return examplesOf(schemas[nameOf(schema.$ref)] ?? {}, schemas);
  return (schema.anyOf ?? schema.oneOf ?? []).flatMap((choice) => examplesOf(choice, schemas));
};

export const json = (value: unknown): Html =>
  html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** How each scheme's credentials are sent. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  apiKey: '-H "x-api-key: $WINNOW_API_KEY"',
  session: '-b "winnow_session=$WINNOW_SESSION"',
  adminToken: '-H "Authorization: Bearer $WINNOW_ADMIN_TOKEN"'
};

const bodySchema = (content: Response["content"]): JsonSchema | undefined =>
  content?.["application/json"]?.schema;

const command = ({ method, path, operation }: Endpoint, { schemas }: Components): string => {
  const credentials = operation.security.flatMap(Object.keys).map((scheme) => CREDENTIALS[scheme] ?? "");
  const schema = bodySchema(operation.requestBody?.content);
  const body = schema === undefined ? undefined : (examplesOf(schema, schemas)[0] ?? {});
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$WINNOW_URL${path}"`,
    ...credentials.filter((line) => line !== "").slice(0, 1),
    ...(body === undefined
      ? []
      : [
          '-H "content-type: application/json"',
          `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`
        ])
  ].join(" \\\n  ");
};

const responseView = (
  status: string,
  { description = "", content, headers = {} }: Response,
  components: Components
): Html => {
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
  return html`<details>
    <summary><span class="status">${status}</span>${prose(description)}</summary>
    <div>
      ${type === undefined ? null : html`<p><code>${type}</code>${schema === undefined ? null : [", ", typeOf(schema)]}</p>`}
      ${examples.map(json)}
      ${
        sent.length === 0
          ? null
          : html`<h4>Headers</h4>
              ${fieldList(sent)}`
      }
    </div>
  </details>`;
};

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
      : html`<h4>Parameters</h4>
          ${fieldList(parameters)}`
  }
  ${
    body === undefined
      ? null
      : html`<h4>Body</h4>
          ${fieldsOf(body)}`
  }`;
};

export const operationView = (endpoint: Endpoint, components: Components): Html => {
  const { method, path, operation } = endpoint;
  const responses = Object.entries(operation.responses).map(([status, response]) =>
    responseView(
      status,
      response.$ref === undefined ? response : (components.responses[nameOf(response.$ref)] ?? {}),
      components
    )
  );
  return html`<article id="${operation.operationId}">
    <h3>${operation.summary}</h3>
    <p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
    <p>${prose(operation.description)}</p>
    <div class="halves">
      <div>${requestView(endpoint, components)}</div>
      <div>
        <h4>Try it</h4>
        <pre tabindex="0"><code>${command(endpoint, components)}</code></pre>
        <h4>Answers</h4>
        ${responses}
      </div>
    </div>
  </article>`;
};
