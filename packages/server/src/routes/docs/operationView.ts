/** One endpoint: the request, the response, and an example command. */
import { html, prose, type Html } from "./Html.ts";
import type { Components, JsonSchema, Operation, Response } from "../../http/openapi/OpenApiDocument.ts";
import { examplesOf, fieldList, fieldsOf, json, nameOf, typeOf } from "./schemaView.ts";

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
        <pre><code>${command(endpoint, components)}</code></pre>
        <h4>Answers</h4>
        ${responses}
      </div>
    </div>
  </article>`;
};
