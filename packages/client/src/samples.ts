/**
 * The same request as a curl command, in TypeScript and in Python: `@winnow/client/samples`, for what shows code to
 * copy. Keys are taken from the environment. Pure. Tests: the dashboard's codeExamples.test.ts.
 */

export const SAMPLE_LANGUAGES = ["curl", "typescript", "python"] as const;
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number];

/** How code treats the answer. */
export type SampleAnswer = "json" | "lines" | "file" | "text" | "none";

export type SampleScheme = "apiKey" | "session" | "adminToken" | null;

type Values = Readonly<Record<string, unknown>>;

export interface SampleRequest {
  /** Base URL of the service; null takes it from WINNOW_URL. */
  readonly server: string | null;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly query: Values;
  readonly body: { readonly value: unknown; readonly isForm: boolean } | null;
  readonly scheme: SampleScheme;
  readonly answer: SampleAnswer;
  /** The file that an answer is saved as. */
  readonly file: string;
  /** The client's method, and its arguments before the body; null if it has none. */
  readonly call: { readonly name: string; readonly parameters: ReadonlyArray<unknown> } | null;
}

// Values as literals of a language.

const INLINE_CHARACTERS_MAX = 60;

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

const keyIn = (language: SampleLanguage, key: string): string => {
  if (language !== "typescript") return JSON.stringify(key);
  // Without brackets, it would set the prototype.
  if (key === "__proto__") return '["__proto__"]';
  return /^[a-z_$][\w$]*$/iu.test(key) ? key : JSON.stringify(key);
};

const literal = (language: SampleLanguage, value: unknown, indent: string): string => {
  if (typeof value !== "object" || value === null) {
    const text = JSON.stringify(value);
    return language === "python" ? (PYTHON_WORDS[text] ?? text) : text;
  }
  const step = `${indent}${language === "python" ? "    " : "  "}`;
  const of = (inner: string): ReadonlyArray<string> =>
    Array.isArray(value)
      ? value.map((item) => literal(language, item, inner))
      : Object.entries(value).flatMap(([key, item]) =>
          item === undefined ? [] : [`${keyIn(language, key)}: ${literal(language, item, inner)}`]
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

/** One word of a POSIX shell, in single quotes if it needs them. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The cookie alone is accepted from pages of the server only, and this is how a browser says so. */
const OWN_PAGE = "sec-fetch-site: same-origin";

const CURL_CREDENTIALS: Readonly<Record<string, ReadonlyArray<string>>> = {
  apiKey: ['-H "x-api-key: $WINNOW_API_KEY"'],
  session: ['-b "winnow_session=$WINNOW_SESSION"', `-H "${OWN_PAGE}"`],
  adminToken: ['-H "authorization: Bearer $WINNOW_ADMIN_TOKEN"']
};

const CURL_ANSWER: Readonly<Partial<Record<SampleAnswer, string>>> = { lines: "-N " };

const curl = ({ server, method, path, query, body, scheme, answer, file }: SampleRequest): string => {
  const place = `${path}${queryText(query)}`;
  const url = server === null ? `"$WINNOW_URL${place}"` : shellWord(`${server}${place}`);
  const data =
    body === null
      ? []
      : body.isForm
        ? Object.entries(body.value as Values).map(
            ([name, value]) => `--data-urlencode "${name}=${String(value)}"`
          )
        : ['-H "content-type: application/json"', `-d ${shellWord(literal("curl", body.value, ""))}`];
  const isImplied = method === (body === null ? "GET" : "POST");
  return [
    `curl ${CURL_ANSWER[answer] ?? ""}${isImplied ? "" : `-X ${method} `}${url}`,
    ...(scheme === null ? [] : (CURL_CREDENTIALS[scheme] ?? [])),
    ...data,
    ...(answer === "file" ? [`-o ${file}`] : [])
  ].join(" \\\n  ");
};

const WINNOW = `import { Winnow } from "@winnow/client";\n\nconst winnow = new Winnow(`;

const CLIENTS: Readonly<Record<string, (server: string | null) => string>> = {
  apiKey: (server) =>
    server === null
      ? `${WINNOW}); // WINNOW_URL, WINNOW_API_KEY\n`
      : `${WINNOW}{ baseUrl: ${JSON.stringify(server)} }); // WINNOW_API_KEY\n`,
  session: () => `${WINNOW}{ session: true }); // in a page of the server\n`,
  adminToken: () =>
    `import { AdminClient } from "@winnow/client/admin";\n\n` +
    "const admin = new AdminClient(); // WINNOW_URL, WINNOW_ADMIN_TOKEN\n"
};

const USED: Readonly<Record<SampleAnswer, (call: string, file: string) => string>> = {
  json: (call) => `console.log(await ${call});`,
  text: (call) => `console.log(await ${call});`,
  none: (call) => `await ${call};`,
  lines: (call) => `for await (const item of ${call}) console.log(item);`,
  file: (call, file) => `const { body } = await ${call};\nawait writeFile("${file}", body ?? "");`
};

const FETCH_CREDENTIALS: Values = { apiKey: '"x-api-key": process.env["WINNOW_API_KEY"] ?? ""' };

const READ: Readonly<Record<SampleAnswer, string>> = {
  json: "await response.json()",
  lines: "await response.text()",
  file: "response.status",
  text: "await response.text()",
  none: "response.status"
};

const rawFetch = ({ server, method, path, query, body, scheme, answer }: SampleRequest): string => {
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
  const place = `${path}${queryText(query)}`;
  const url =
    server === null ? `\`\${process.env["WINNOW_URL"]}${place}\`` : JSON.stringify(`${server}${place}`);
  const given = options.length === 0 ? "" : `, {\n  ${options.join(",\n  ")}\n}`;
  return `const response = await fetch(${url}${given});\nconsole.log(${READ[answer]});`;
};

const typescript = (request: SampleRequest): string => {
  const { server, call, query, body, scheme, answer, file } = request;
  if (call === null) return rawFetch(request);
  const values = [
    ...call.parameters,
    ...(body === null ? [] : [body.value]),
    ...(Object.keys(query).length === 0 ? [] : [query])
  ];
  const isOfAdmin = call.name.startsWith("admin.");
  const filled = `${isOfAdmin ? "" : "winnow."}${call.name}(${values.map((value) => literal("typescript", value, "")).join(", ")})`;
  const client = CLIENTS[isOfAdmin ? "adminToken" : (scheme ?? "session")]?.(server) ?? "";
  const imports = answer === "file" ? 'import { writeFile } from "node:fs/promises";\n' : "";
  return `${imports}${client}${USED[answer](filled, file)}`;
};

const PYTHON_CREDENTIALS: Readonly<Record<string, string>> = {
  apiKey: '    headers={"x-api-key": os.environ["WINNOW_API_KEY"]},\n',
  session:
    '    cookies={"winnow_session": os.environ["WINNOW_SESSION"]},\n    headers={"sec-fetch-site": "same-origin"},\n',
  adminToken: '    headers={"authorization": "Bearer " + os.environ["WINNOW_ADMIN_TOKEN"]},\n'
};

const PYTHON_USED: Readonly<Record<SampleAnswer, (file: string) => string>> = {
  json: () => "print(response.json())",
  text: () => "print(response.text)",
  none: () => "print(response.status_code)",
  lines: () => "for line in response.iter_lines():\n    print(line.decode())",
  file: (file) =>
    `with open("${file}", "wb") as file:\n    for chunk in response.iter_content(65536):\n        file.write(chunk)`
};

const python = ({ server, method, path, query, body, scheme, answer, file }: SampleRequest): string => {
  const given = [
    Object.keys(query).length === 0 ? "" : `    params=${literal("python", query, "    ")},\n`,
    scheme === null ? "" : (PYTHON_CREDENTIALS[scheme] ?? ""),
    body === null ? "" : `    ${body.isForm ? "data" : "json"}=${literal("python", body.value, "    ")},\n`,
    answer === "lines" || answer === "file" ? "    stream=True,\n" : ""
  ].join("");
  const url = server === null ? `os.environ["WINNOW_URL"] + "${path}"` : JSON.stringify(`${server}${path}`);
  return `import os
import requests

response = requests.${method.toLowerCase()}(
    ${url},
${given})
response.raise_for_status()
${PYTHON_USED[answer](file)}`;
};

const LANGUAGES = { curl, typescript, python };

export const codeSample = (language: SampleLanguage, request: SampleRequest): string =>
  LANGUAGES[language](request);
