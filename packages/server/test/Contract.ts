/**
 * Validates every response that a test receives against the OpenAPI document: status, headers, content type,
 * body and error envelope; and every request that was not refused: path, query, headers and body.
 *
 * Whatever the document does not list is a breach, such as an unknown status or header.
 */
import { assert } from "@effect/vitest";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { RATE_LIMIT_HEADERS } from "../src/http/openapi/described.ts";
import { openApiDocument } from "../src/routes/Api.ts";

export interface SeenAnswer {
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Names of headers in lower case, and the body as sent; null for none. */
  readonly request?: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
}
interface Documented {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly $ref?: string }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}
interface Operation {
  readonly parameters: ReadonlyArray<Parameter>;
  readonly requestBody?: Documented & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Documented>>;
}
interface Route {
  readonly template: string;
  readonly pattern: RegExp;
  readonly item: Readonly<Record<string, Operation>>;
}

export const document = openApiDocument() as any;

/** Headers of HTTP itself and of cross-origin requests, which the document does not list. */
const TRANSPORT =
  /^(?:connection|content-length|content-type|date|keep-alive|transfer-encoding|vary|access-control-.*)$/u;

const DOCUMENT_ID = "openapi";

/**
 * Ajv with the document, whose schemas are referenced by JSON pointer. The document itself is not a schema: ajv would
 * only compile the meta-schemas, for each process, to find none of its keywords in it. A linter checks it elsewhere.
 */
export const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  validateFormats: true,
  validateSchema: false
});
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
ajv.addSchema(document, DOCUMENT_ID);

const compiled = new Map<string, ValidateFunction>();

/** Validator of the schema at this path of the document. */
export const validatorAt = (...place: ReadonlyArray<string>): ValidateFunction => {
  const pointer = place.map(
    (step) => `/${encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))}`
  );
  const reference = `${DOCUMENT_ID}#${pointer.join("")}`;
  const found = compiled.get(reference) ?? ajv.compile({ $ref: reference });
  compiled.set(reference, found);
  return found;
};

const resolved = (place: ReadonlyArray<string>): readonly [value: any, place: ReadonlyArray<string>] => {
  const value = place.reduce((object, step) => object?.[step], document);
  return typeof value?.$ref === "string" && value.$ref.startsWith("#/")
    ? resolved(value.$ref.slice(2).split("/"))
    : [value, place];
};

/** Literal paths before templates. The last parameter of the file endpoint may contain slashes. */
const routes: ReadonlyArray<Route> = Object.entries<Route["item"]>(document.paths)
  .map(([template, item]) => {
    const source = template
      .replaceAll(".", "\\.")
      .replace("/files/{name}", "/files/.*")
      // An empty parameter within a path is an id that does not exist; at the end of a path it is another path.
      .replaceAll(/\{\w+\}(?=\/)/gu, "[^/]*")
      .replaceAll(/\{\w+\}/gu, "[^/]+");
    return { template, item, pattern: new RegExp(`^${source}/?$`, "u") };
  })
  .toSorted((a, b) => a.template.split("{").length - b.template.split("{").length);

/** Codes of the schemas of errors. */
const CODES = [
  ...new Set(
    Object.values<any>(document.components.schemas).flatMap(
      ({ properties }): ReadonlyArray<string> => properties?.error?.properties?.code?.enum ?? []
    )
  )
];

const ENVELOPE = ajv.compile({
  type: "object",
  required: ["error"],
  additionalProperties: false,
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      additionalProperties: false,
      properties: {
        code: {
          enum: CODES
        },
        message: { type: "string", minLength: 1 },
        details: { type: "object", minProperties: 1 }
      }
    }
  }
});

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const errorsOf = (validate: ValidateFunction): string =>
  (validate.errors ?? [])
    .map(({ instancePath, message }) => `${instancePath || "body"} ${message}`)
    .join("; ");

/** The value as a number if it consists of digits, otherwise as a string. */
const headerValue = (text: string): unknown => (/^\d+$/u.test(text) ? Number(text) : text);

/** Headers that the document describes once, in its introduction, and not with every response. */
const headersOfAll = (operation: Operation, status: number): ReadonlyArray<string> => [
  "X-Request-Id",
  "X-Content-Type-Options",
  ...("429" in operation.responses && status !== 401 ? RATE_LIMIT_HEADERS : [])
];

/** Each header with the place of its description. */
const documentedHeaders = (
  answer: SeenAnswer,
  operation: Operation,
  place: ReadonlyArray<string>
): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map([
    ...headersOfAll(operation, answer.status).map((name) => [name, ["components", "headers", name]] as const),
    ...Object.keys(resolved(place)[0].headers ?? {}).map(
      (name) => [name, [...place, "headers", name]] as const
    )
  ]);

const headerBreaches = (
  answer: SeenAnswer,
  operation: Operation,
  place: ReadonlyArray<string>
): Array<string> => {
  const documented = documentedHeaders(answer, operation, place);
  const names = [...documented.keys()];
  const known = new Set(names.map((name) => name.toLowerCase()));
  const breaches = [...answer.headers.keys()]
    .filter((name) => !TRANSPORT.test(name) && !known.has(name))
    .map((name) => `header ${name} is not documented`);
  for (const [name, described] of documented) {
    const [header, at] = resolved(described);
    const value = answer.headers.get(name);
    if (value === null) {
      // A server error may occur before the request is counted.
      const uncounted = answer.status >= 500 && /ratelimit/iu.test(name);
      if (header.required === true && !uncounted) breaches.push(`header ${name} is missing`);
      continue;
    }
    const validate = validatorAt(...at, "schema");
    if (!validate(headerValue(value)) && !validate(value)) {
      breaches.push(`header ${name}: ${value}: ${errorsOf(validate)}`);
    }
  }
  return breaches;
};

const bodyBreaches = (answer: SeenAnswer, place: ReadonlyArray<string>): Array<string> => {
  const content: Readonly<Record<string, unknown>> = resolved(place)[0].content ?? {};
  const types = Object.keys(content);
  if (answer.method === "HEAD") return [];
  if (types.length === 0) return answer.text === "" ? [] : ["there is a body where none is documented"];
  const type = (answer.headers.get("content-type") ?? "").split(";", 1)[0] ?? "";
  const documented = types.find((each) => each === type || each === "*/*");
  if (documented === undefined) return [`type ${type} is none of ${types.join(", ")}`];
  if (documented !== "application/json") return [];
  const validate = validatorAt(...place, "content", documented, "schema");
  return validate(parsed(answer.text)) ? [] : [errorsOf(validate)];
};

const envelopeBreaches = ({ method, status, text, headers }: SeenAnswer): Array<string> =>
  status < 400 ||
  method === "HEAD" ||
  // Pages for browsers. Where a route is documented, its content types decide whether it may return one.
  (headers.get("content-type") ?? "").startsWith("text/html") ||
  ENVELOPE(parsed(text))
    ? []
    : [`no envelope: ${errorsOf(ENVELOPE)}`];

const undocumented = (answer: SeenAnswer, route: Route | undefined): Array<string> => {
  const { status, headers } = answer;
  if (route === undefined) return status === 404 ? [] : [`${status} at a path that is not documented`];
  if (status !== 405) return [`${status} for a method that is not documented`];
  return headers.has("allow") ? [] : ["405 without Allow"];
};

/** The redirect from `/` and CORS preflights are not part of the document. */
const isOutside = ({ method, path, status }: SeenAnswer): boolean =>
  (path.split("?", 1)[0] === "/" && status < 400) || (method === "OPTIONS" && status === 204);

/** MCP has its own protocol and error messages. */
const isJsonRpc = ({ text }: SeenAnswer): boolean =>
  (parsed(text) as { readonly jsonrpc?: unknown } | undefined)?.jsonrpc === "2.0";

/** The texts that a parameter was given; null for one of the path, which the route has. */
const givenTo = ({ name, in: place }: Parameter, { path, request }: SeenAnswer): ReadonlyArray<string> => {
  if (place === "query") return new URL(path, "http://server.example").searchParams.getAll(name);
  const header = request?.headers[name.toLowerCase()];
  return header === undefined ? [] : [header];
};

/** What the document says against a request that was served. */
const requestBreaches = (answer: SeenAnswer, route: Route, method: string): Array<string> => {
  const operation = route.item[method];
  if (operation === undefined || answer.status >= 300 || answer.request === undefined) return [];
  // Items of a batch are refused one by one.
  if (answer.text.includes('"error":{"code":')) return [];
  const place = ["paths", route.template, method];
  const parameters = operation.parameters.flatMap((parameter, index) => {
    if (parameter.in === "path") return [];
    const given = givenTo(parameter, answer);
    const validate = validatorAt(...place, "parameters", String(index), "schema");
    if (given.length === 0) return parameter.required ? [`${parameter.name} is missing`] : [];
    return given
      .filter((text) => !validate(headerValue(text)) && !validate(text))
      .map((text) => `${parameter.name}=${text}: ${errorsOf(validate)}`);
  });
  const { body, headers } = answer.request;
  // Nobody reads the body of others.
  if (operation.requestBody === undefined) return parameters;
  const { content = {}, required } = operation.requestBody;
  const text =
    body instanceof Uint8Array ? Buffer.from(body).toString() : String(body ?? "").replace(/^\uFEFF/u, "");
  if (text === "") return required ? [...parameters, "the body is missing"] : parameters;
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.toLowerCase() ?? "";
  if (!(type in content)) return [...parameters, `a body of type ${type}`];
  const validate = validatorAt(...place, "requestBody", "content", type, "schema");
  const sent = type === "application/json" ? parsed(text) : Object.fromEntries(new URLSearchParams(text));
  return validate(sent) ? parameters : [...parameters, `request ${errorsOf(validate)}`];
};

const breachesOf = (answer: SeenAnswer): Array<string> => {
  const path = answer.path.split(/[?#]/u, 1)[0] ?? "";
  const method = answer.method === "HEAD" ? "get" : answer.method.toLowerCase();
  // A literal path without the method may match a template that has it: `redeliver` could be an id.
  const reached = routes.filter(({ pattern }) => pattern.test(path));
  const route = reached.find(({ item }) => item[method] !== undefined) ?? reached[0];
  const always = answer.headers.has("x-request-id") ? [] : ["header X-Request-Id is missing"];
  if (isOutside(answer)) return always;
  if (path === "/mcp") return [...always, ...(isJsonRpc(answer) ? [] : envelopeBreaches(answer))];
  if (route?.item[method] === undefined) {
    return [...always, ...envelopeBreaches(answer), ...undocumented(answer, route)];
  }
  const status = String(answer.status);
  const [response, place] = resolved(["paths", route.template, method, "responses", status]);
  if (response === undefined) return [`${status} is not documented`, ...envelopeBreaches(answer)];
  const operation = route.item[method];
  return [
    ...requestBreaches(answer, route, method),
    ...headerBreaches(answer, operation, place),
    ...bodyBreaches(answer, place),
    ...envelopeBreaches(answer)
  ];
};

/** Fails the test if the document does not allow the response. */
export const assertContract = (answer: SeenAnswer): void => {
  const breaches = breachesOf(answer);
  assert.deepStrictEqual(
    breaches,
    [],
    `${answer.method} ${answer.path.slice(0, 200)} answered ${answer.status} ${answer.text.slice(0, 500)}`
  );
};

/** For the raw bytes of a response whose operation is unknown: checks the request id and the error envelope. */
export const assertRawAnswer = (answer: string): void => {
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  // Another response may follow on the same connection.
  const length = Number(/^content-length: (\d+)/imu.exec(head)?.[1] ?? 0);
  const text = rest.join("\r\n\r\n").slice(0, length);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /u.exec(head)?.[1]);
  assert.isAtLeast(status, 200, answer.slice(0, 200));
  assert.match(head, /^x-request-id: \S+/imu);
  if (status >= 400 && text !== "") assert.isTrue(ENVELOPE(parsed(text)), answer.slice(0, 500));
};
