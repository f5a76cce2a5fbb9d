/** Writes docs/reference/http.md from packages/server/openapi.json; with --check fails if it is stale. */
import { read } from "../repository.ts";
import { componentSection, tableOf, typeOf, type JsonSchema } from "./schemaMarkdown.ts";
import { writeOrCheck } from "./writeOrCheck.ts";

type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>;

interface Answer {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Content;
}

interface Operation {
  readonly operationId: string;
  readonly tags: ReadonlyArray<string>;
  readonly summary: string;
  readonly description?: string;
  readonly security: ReadonlyArray<Readonly<Record<string, unknown>>>;
  readonly parameters: ReadonlyArray<{
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: JsonSchema;
  }>;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, Answer>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description?: string }>>;
  };
}

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const document = JSON.parse(read("packages/server/openapi.json")) as Document;

const CREDENTIALS: Readonly<Record<string, string>> = {
  apiKey: "API key (`x-api-key`)",
  bearer: "API key (`Authorization: Bearer`)",
  session: "web session",
  adminToken: "admin token (`Authorization: Bearer`)"
};

const endpoints: ReadonlyArray<Endpoint> = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
);

const resolved = (answer: Answer): Answer =>
  answer.$ref === undefined
    ? answer
    : (document.components.responses[answer.$ref.slice(answer.$ref.lastIndexOf("/") + 1)] ?? {});

/** Statuses that all endpoints have in common are listed once. */
const shared = new Set(
  Object.keys(endpoints[0]?.operation.responses ?? {}).filter((status) =>
    endpoints.every(({ operation }) => operation.responses[status] !== undefined)
  )
);
const isShared = (status: string): boolean => status !== "200" && shared.has(status);

const bodyOf = (content: Content | undefined): string =>
  Object.entries(content ?? {})
    .map(([type, { schema }]) =>
      type === "application/json" && schema !== undefined ? typeOf(schema) : `\`${type}\``
    )
    .join(" or ");

const answersTable = (responses: Readonly<Record<string, Answer>>, isIncluded: (status: string) => boolean) =>
  tableOf(
    ["status", "body", "meaning"],
    Object.entries(responses)
      .filter(([status]) => isIncluded(status))
      .map(([status, answer]) => {
        const { description = "", content } = resolved(answer);
        return [status, bodyOf(content), description];
      })
  );

const FIRST_ERROR = 400;

/** Codes only; their meanings and remedies are in one place. */
const errorsLine = (responses: Readonly<Record<string, Answer>>): string => {
  const errors = Object.entries(responses)
    .filter(([status]) => Number(status) >= FIRST_ERROR && !isShared(status))
    .map(([status, answer]) => {
      const codes = [...(resolved(answer).description ?? "").matchAll(/`(\w+)`: /gu)].map(
        ([, code = ""]) => `[\`${code}\`](../troubleshooting.md#${code})`
      );
      return `${status} ${codes.join(", ")}`;
    });
  return errors.length === 0 ? "" : `Errors: ${errors.join("; ")}.`;
};

const credentials = ({ security }: Operation): string => {
  const names = security.flatMap(Object.keys).map((scheme) => CREDENTIALS[scheme] ?? scheme);
  return names.length === 0 ? "Public." : `With: ${names.join(", or ")}.`;
};

const section = ({ method, path, operation }: Endpoint): string =>
  [
    `### ${operation.summary}`,
    `\`${method} ${path}\``,
    operation.description ?? "",
    credentials(operation),
    operation.parameters.length === 0
      ? ""
      : tableOf(
          ["parameter", "in", "type", "meaning"],
          operation.parameters.map(({ name, in: place, required, schema, description }) => [
            `\`${name}\`${required === true ? ", required" : ""}`,
            place,
            typeOf(schema),
            description ?? schema.description ?? ""
          ])
        ),
    operation.requestBody === undefined ? "" : `Body: ${bodyOf(operation.requestBody.content)}.`,
    answersTable(operation.responses, (status) => Number(status) < FIRST_ERROR),
    errorsLine(operation.responses)
  ]
    .filter((part) => part !== "")
    .join("\n\n");

const title = (name: string): string =>
  name.replace(/([a-z])([A-Z])/gu, "$1 $2").replace(/^./u, (first) => first.toUpperCase());

const page = [
  "<!-- Generated from packages/server/openapi.json by scripts/reference/http.ts: do not edit. -->",
  `# HTTP reference`,
  "A running server serves this reference at `/docs` and the OpenAPI 3.1 document at `/v1/openapi.json`.",
  document.info.description,
  "## Responses of every endpoint",
  answersTable(endpoints[0]?.operation.responses ?? {}, isShared),
  ...document.tags.flatMap(({ name, description }) => [
    `## ${title(name)}`,
    description,
    ...endpoints.filter(({ operation }) => operation.tags.includes(name)).map(section)
  ]),
  "## Shapes",
  ...Object.entries(document.components.schemas)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => componentSection(name, schema))
];

writeOrCheck("docs/reference/http.md", `${page.join("\n\n")}\n`, "npm run pnpm -- reference:http");
