/** The same request as a curl command, in TypeScript and in Python, from the OpenAPI document. Pure. */
import type { CodeSample, Components, JsonSchema, Operation, Schemas } from "./OpenApiDocument.ts";

export interface Endpoint {
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const LANGUAGES = ["curl", "typescript", "python"] as const;
type Language = (typeof LANGUAGES)[number];

const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf("/") + 1);

/** Examples from the schema or its components. */
export const examplesOf = (schema: JsonSchema, schemas: Schemas): ReadonlyArray<unknown> => {
  if (schema.examples !== undefined) return schema.examples;
  if (schema.$ref !== undefined) return examplesOf(schemas[nameOf(schema.$ref)] ?? {}, schemas);
  return (schema.anyOf ?? schema.oneOf ?? []).flatMap((choice) => examplesOf(choice, schemas));
};

// What is sent.

type Scheme = "apiKey" | "session" | "adminToken" | null;

/** How an example treats the response. */
type Answer = "json" | "lines" | "file" | "text" | "none";

type Values = Readonly<Record<string, unknown>>;

interface Request extends Endpoint {
  readonly filledPath: string;
  readonly parameters: Values;
  readonly query: Values;
  readonly body: { readonly value: unknown; readonly isForm: boolean } | null;
  readonly scheme: Scheme;
  readonly answer: Answer;
}

/** A path parameter by the step before it. */
const PATH_VALUES: Readonly<Record<string, string>> = {
  extractions: "ext_01hzx3",
  batches: "bat_01hzx3",
  schemas: "sch_01hzx3",
  "webhook-endpoints": "whe_01hzx3",
  "webhook-deliveries": "whd_01hzx3",
  "api-keys": "key_01hzx3",
  members: "mem_01hzx3",
  accounts: "acc_01hzx3",
  files: "video.mp4",
  "sign-in": "oidc",
  payments: "stripe"
};

const QUERY_VALUES: Values = { limit: 10, days: 7 };

/** The fields of the sign-in pages' forms. */
const FORM_VALUES: Values = { token: "TOKEN", choice: "continue" };

const pick = (names: ReadonlyArray<string>, values: Values): Values =>
  Object.fromEntries(names.flatMap((name) => (name in values ? [[name, values[name]]] : [])));

const parametersOf = (path: string): Values =>
  Object.fromEntries(
    [...path.matchAll(/(?<step>[\w-]+)\/\{(?<name>\w+)\}/gu)].map(({ groups }) => [
      groups?.["name"],
      PATH_VALUES[groups?.["step"] ?? ""]
    ])
  );

const bodyOf = ({ requestBody }: Operation, { schemas }: Components): Request["body"] => {
  const json = requestBody?.content["application/json"]?.schema;
  if (json !== undefined) return { value: examplesOf(json, schemas)[0] ?? {}, isForm: false };
  const form = requestBody?.content["application/x-www-form-urlencoded"]?.schema;
  return form === undefined ? null : { value: pick(form.required ?? [], FORM_VALUES), isForm: true };
};

const answerOf = ({ responses }: Operation): Answer => {
  const types = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith("2") ? Object.keys(content ?? {}) : []
  );
  if (types.includes("application/json")) return "json";
  if (types.some((type) => /event-stream|ndjson/u.test(type))) return "lines";
  if (types.some((type) => type.startsWith("text/"))) return "text";
  return types.length === 0 ? "none" : "file";
};

const requestOf = (endpoint: Endpoint, components: Components): Request => {
  const { path, operation } = endpoint;
  const parameters = parametersOf(path);
  const [scheme = null] = operation.security.flatMap(Object.keys);
  return {
    ...endpoint,
    parameters,
    filledPath: path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => String(parameters[name])),
    query: pick(
      operation.parameters.flatMap(({ name, in: place }) => (place === "query" ? [name] : [])),
      QUERY_VALUES
    ),
    body: bodyOf(operation, components),
    scheme: scheme as Scheme,
    answer: answerOf(operation)
  };
};

/** The file that a response is saved as. */
const fileNameOf = ({ parameters }: Request): string => String(parameters["name"] ?? "files.zip");

// Values as literals of a language.

const INLINE_CHARACTERS_MAX = 60;

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

const keyIn = (language: Language, key: string): string =>
  language === "typescript" && /^[a-z_$][\w$]*$/iu.test(key) ? key : JSON.stringify(key);

const literal = (language: Language, value: unknown, indent: string): string => {
  if (typeof value !== "object" || value === null) {
    const text = JSON.stringify(value);
    return language === "python" ? (PYTHON_WORDS[text] ?? text) : text;
  }
  const step = `${indent}${language === "python" ? "    " : "  "}`;
  const of = (inner: string): ReadonlyArray<string> =>
    Array.isArray(value)
      ? value.map((item) => literal(language, item, inner))
      : Object.entries(value).map(
          ([key, item]) => `${keyIn(language, key)}: ${literal(language, item, inner)}`
        );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const pad = Array.isArray(value) || language === "python" ? "" : " ";
  const line = `${open}${pad}${of(indent).join(", ")}${pad}${close}`;
  if (line.length <= INLINE_CHARACTERS_MAX && !line.includes("\n")) return line;
  return `${open}\n${of(step)
    .map((item) => step + item)
    .join(",\n")}\n${indent}${close}`;
};

const queryText = (query: Values): string => {
  const text = new URLSearchParams(
    Object.entries(query)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join("&")
  );
  return text.size === 0 ? "" : `?${text}`;
};

// The languages.

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The cookie alone is accepted from pages of the server only, and this is how a browser says so. */
const OWN_PAGE = "sec-fetch-site: same-origin";

const CURL_CREDENTIALS: Readonly<Record<string, ReadonlyArray<string>>> = {
  apiKey: ['-H "x-api-key: $WINNOW_API_KEY"'],
  session: ['-b "winnow_session=$WINNOW_SESSION"', `-H "${OWN_PAGE}"`],
  adminToken: ['-H "authorization: Bearer $WINNOW_ADMIN_TOKEN"']
};

const CURL_ANSWER: Readonly<Partial<Record<Answer, string>>> = { lines: "-N " };

const curl = (request: Request): string => {
  const { method, filledPath, query, body, scheme, answer } = request;
  const data =
    body === null
      ? []
      : body.isForm
        ? Object.entries(body.value as Values).map(
            ([name, value]) => `--data-urlencode "${name}=${String(value)}"`
          )
        : ['-H "content-type: application/json"', `-d ${quoted(literal("curl", body.value, ""))}`];
  const isImplied = method === (body === null ? "GET" : "POST");
  return [
    `curl ${CURL_ANSWER[answer] ?? ""}${isImplied ? "" : `-X ${method} `}"$WINNOW_URL${filledPath}${queryText(query)}"`,
    ...(scheme === null ? [] : (CURL_CREDENTIALS[scheme] ?? [])),
    ...data,
    ...(answer === "file" ? [`-o ${fileNameOf(request)}`] : [])
  ].join(" \\\n  ");
};

const WINNOW = `import { Winnow } from "@winnow/client";\n\n`;

const CLIENTS: Readonly<Record<string, string>> = {
  apiKey: `${WINNOW}const winnow = new Winnow(); // WINNOW_URL, WINNOW_API_KEY\n`,
  session: `${WINNOW}const winnow = new Winnow({ session: true }); // in a page of the server\n`,
  adminToken:
    `import { AdminClient } from "@winnow/client/admin";\n\n` +
    "const admin = new AdminClient(); // WINNOW_URL, WINNOW_ADMIN_TOKEN\n"
};

const USED: Readonly<Record<Answer, (call: string, file: string) => string>> = {
  json: (call) => `console.log(await ${call});`,
  text: (call) => `console.log(await ${call});`,
  none: (call) => `await ${call};`,
  lines: (call) => `for await (const item of ${call}) console.log(item);`,
  file: (call, file) => `const { body } = await ${call};\nawait writeFile("${file}", body ?? "");`
};

const FETCH_CREDENTIALS: Values = { apiKey: '"x-api-key": process.env["WINNOW_API_KEY"] ?? ""' };

const READ: Readonly<Record<Answer, string>> = {
  json: "await response.json()",
  lines: "await response.text()",
  file: "response.status",
  text: "await response.text()",
  none: "response.status"
};

const rawFetch = ({ method, filledPath, query, body, scheme, answer }: Request): string => {
  const headers = [
    scheme === null ? null : FETCH_CREDENTIALS[scheme],
    body === null || body.isForm ? null : '"content-type": "application/json"'
  ].filter((header) => typeof header === "string");
  const encode = body?.isForm === true ? "new URLSearchParams" : "JSON.stringify";
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(", ")} }`]),
    ...(body === null ? [] : [`body: ${encode}(${literal("typescript", body.value, "  ")})`])
  ];
  const url = `\`\${process.env["WINNOW_URL"]}${filledPath}${queryText(query)}\``;
  const given = options.length === 0 ? "" : `, {\n  ${options.join(",\n  ")}\n}`;
  return `const response = await fetch(${url}${given});\nconsole.log(${READ[answer]});`;
};

const typescript = (request: Request): string => {
  const { operation, parameters, query, body, scheme, answer } = request;
  const call = operation["x-winnow-call"];
  if (call === undefined) return rawFetch(request);
  const values = [
    ...Object.values(parameters),
    ...(body === null ? [] : [body.value]),
    ...(Object.keys(query).length === 0 ? [] : [query])
  ];
  const isOfAdmin = call.startsWith("admin.");
  const filled = `${isOfAdmin ? "" : "winnow."}${call}(${values.map((value) => literal("typescript", value, "")).join(", ")})`;
  const client = isOfAdmin ? "adminToken" : (scheme ?? "session");
  const file = answer === "file" ? 'import { writeFile } from "node:fs/promises";\n' : "";
  return `${file}${CLIENTS[client]}${USED[answer](filled, fileNameOf(request))}`;
};

const PYTHON_CREDENTIALS: Readonly<Record<string, string>> = {
  apiKey: '    headers={"x-api-key": os.environ["WINNOW_API_KEY"]},\n',
  session:
    '    cookies={"winnow_session": os.environ["WINNOW_SESSION"]},\n    headers={"sec-fetch-site": "same-origin"},\n',
  adminToken: '    headers={"authorization": "Bearer " + os.environ["WINNOW_ADMIN_TOKEN"]},\n'
};

const PYTHON_USED: Readonly<Record<Answer, (file: string) => string>> = {
  json: () => "print(response.json())",
  text: () => "print(response.text)",
  none: () => "print(response.status_code)",
  lines: () => "for line in response.iter_lines():\n    print(line.decode())",
  file: (file) =>
    `with open("${file}", "wb") as file:\n    for chunk in response.iter_content(65536):\n        file.write(chunk)`
};

const python = (request: Request): string => {
  const { method, filledPath, query, body, scheme, answer } = request;
  const given = [
    Object.keys(query).length === 0 ? "" : `    params=${literal("python", query, "    ")},\n`,
    scheme === null ? "" : (PYTHON_CREDENTIALS[scheme] ?? ""),
    body === null ? "" : `    ${body.isForm ? "data" : "json"}=${literal("python", body.value, "    ")},\n`,
    answer === "lines" || answer === "file" ? "    stream=True,\n" : ""
  ].join("");
  return `import os
import requests

response = requests.${method.toLowerCase()}(
    os.environ["WINNOW_URL"] + "${filledPath}",
${given})
response.raise_for_status()
${PYTHON_USED[answer](fileNameOf(request))}`;
};

const LANGUAGE_NAMES = { curl: "curl", typescript: "TypeScript", python: "Python" } as const;

/** As readers of OpenAPI documents show them. None of an operation that only a payment service calls, which signs its body. */
export const codeSamples = (endpoint: Endpoint, components: Components): ReadonlyArray<CodeSample> => {
  if (endpoint.operation.tags.includes("payments")) return [];
  const request = requestOf(endpoint, components);
  const sources: Readonly<Record<Language, string>> = {
    curl: curl(request),
    typescript: typescript(request),
    python: python(request)
  };
  return LANGUAGES.map((language) => ({
    lang: language === "curl" ? "shell" : language,
    label: LANGUAGE_NAMES[language],
    source: sources[language]
  }));
};
