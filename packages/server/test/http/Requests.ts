/** Invalid requests, generated from the OpenAPI document and random noise, the same for the same seed. */
import { indexBelow, seededRandom } from "@winnow/testing/samples/samples";
import type { JsonSchema, Schemas } from "../../src/http/openapi/OpenApiDocument.ts";
import { examplesOf } from "../../src/http/openapi/codeSamples.ts";
import { document } from "../Contract.ts";

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: string | null;
}

export const randomOf = (seed: number) => {
  const next = seededRandom(seed);
  const pick = <A>(items: ReadonlyArray<A>): A => items[indexBelow(next, items.length)] as A;
  return { next, pick, chance: (probability: number): boolean => next() < probability };
};
type Random = ReturnType<typeof randomOf>;

const LONG = "a".repeat(3_000);

const TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "\r\nX-Injected: 1",
  "\ud800",
  "\u202e\u{1f469}\u200d\u{1f680}",
  "__proto__",
  "constructor",
  "auto",
  "null",
  "-1",
  "1e999",
  "../../etc/passwd",
  "' or 1=1 --",
  "${7*7}",
  "<script>",
  "http://",
  "https://[::1]/",
  "https://example.com/video",
  "https://example.com/\u0000",
  "https://example.com/private",
  "javascript:alert(1)",
  "https://u:p@example.com/",
  "wnw.predefined.none.v1",
  LONG
];

const NUMBERS = [0, -0, -1, 1, 0.5, 1e308, -1e308, 2 ** 53, 2 ** 31, 1e-7, 101, 3_600];

const nested = (depth: number, array: boolean): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = array ? [value] : { a: value };
  return value;
};

const junk = (random: Random): unknown =>
  random.pick<() => unknown>([
    () => null,
    () => random.chance(0.5),
    () => random.pick(NUMBERS),
    () => random.pick(TEXTS),
    () => [],
    () => [random.pick(TEXTS), random.pick(NUMBERS), null],
    () => ({}),
    () => ({ [random.pick(TEXTS)]: random.pick(TEXTS) }),
    () => nested(random.pick([5, 99, 150, 3_000]), random.chance(0.5)),
    () => ({ type: "object", properties: { a: { pattern: "(a+)+$" } }, $ref: "https://evil.example/s.json" }),
    () => ({ $ref: "#" })
  ])();

/** A value that mostly matches the schema. */
const valueOf = (schema: JsonSchema, schemas: Schemas, random: Random): unknown => {
  if (random.chance(0.08)) return junk(random);
  const target = schema.$ref === undefined ? schema : (schemas[schema.$ref.slice(21)] ?? {});
  if (target !== schema) return valueOf(target, schemas, random);
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return valueOf(random.pick(choices), schemas, random);
  if (schema.properties !== undefined) return objectOf(schema, schemas, random);
  if (schema.items !== undefined) {
    const { items } = schema;
    return Array.from({ length: random.pick([0, 1, 2, 4]) }, () => valueOf(items, schemas, random));
  }
  switch (schema.type) {
    case "string":
      return random.chance(0.5) ? "https://example.com/video" : random.pick(TEXTS);
    case "number":
    case "integer":
      return random.chance(0.5) ? random.pick([1, 50, 500, 10_000]) : random.pick(NUMBERS);
    case "boolean":
      return random.chance(0.5);
    default:
      return { type: "object", properties: { topic: { type: "string" } } };
  }
};

const objectOf = (schema: JsonSchema, schemas: Schemas, random: Random): unknown => {
  const members = Object.entries(schema.properties ?? {}).filter(
    ([name]) => random.chance(0.3) || (schema.required?.includes(name) === true && random.chance(0.95))
  );
  const entries = members.map(([name, property]): [string, unknown] => [
    name,
    valueOf(property, schemas, random)
  ]);
  if (random.chance(0.1)) entries.push([random.pick(TEXTS), junk(random)]);
  return Object.fromEntries(entries);
};

const bodyOf = (schema: JsonSchema | undefined, random: Random): string | null => {
  const { schemas } = document.components as { schemas: Schemas };
  if (schema === undefined) return random.chance(0.9) ? null : JSON.stringify(junk(random));
  const value = random.chance(0.2)
    ? random.pick([...examplesOf(schema, schemas), {}])
    : valueOf(schema, schemas, random);
  const text = JSON.stringify(value) ?? "";
  if (random.chance(0.9)) return text;
  return random.pick([
    text.slice(0, Math.floor(random.next() * text.length)),
    `${text}${text}`,
    text.replaceAll('"', "'"),
    `\uFEFF${text}`,
    text.replace("{", '{"url":"https://example.com/article",'),
    "1e400",
    "NaN",
    `"${LONG}`
  ]);
};

const ESCAPES = [
  "%zz",
  "%",
  "%e0%a4%a",
  "%00",
  "%2e%2e%2f",
  "%252f",
  "%ff",
  "..",
  "%F0%9F%98%80",
  "a%20b",
  ":id",
  "*"
];

const segment = (random: Random): string =>
  random.pick([
    () => random.pick(ESCAPES),
    () => encodeURIComponent(random.pick(TEXTS).toWellFormed()),
    () => "ext_00000000000000000000000000",
    () => "acc_01hzx3",
    () => "video.mp4"
  ])();

const QUERIES = ["limit", "cursor", "x", "limit[]", "%zz", "__proto__", ""];

interface Operation {
  readonly parameters: ReadonlyArray<{
    readonly name: string;
    readonly in: string;
    readonly schema: JsonSchema;
  }>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

const queryOf = ({ parameters }: Operation, random: Random): string => {
  if (random.chance(0.6)) return "";
  const known = parameters.filter((parameter) => parameter.in === "query");
  const pairs = Array.from({ length: random.pick([1, 2, 3]) }, () => {
    const parameter = known.length > 0 && random.chance(0.6) ? random.pick(known) : null;
    if (parameter === null || random.chance(0.3)) {
      return `${parameter?.name ?? random.pick(QUERIES)}=${random.chance(0.5) ? random.pick(["1", "20", "0", "x"]) : segment(random)}`;
    }
    const value = String(valueOf(parameter.schema, {}, random));
    return `${parameter.name}=${encodeURIComponent(value.toWellFormed())}`;
  });
  return `?${pairs.join("&")}`;
};

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];

const HEADERS: ReadonlyArray<readonly [name: string, values: ReadonlyArray<string>]> = [
  [
    "content-type",
    ["text/plain", "application/json; charset=utf-16", "multipart/form-data", "application/JSON"]
  ],
  ["content-encoding", ["gzip", "identity", "br"]],
  ["idempotency-key", ["k", "", "caf\u00e9", LONG, "same"]],
  ["x-request-id", ["req_1", "<b>", LONG]],
  ["range", ["bytes=0-1", "bytes=9-1", "bytes=-0", "lines=1-2", "bytes=99999999999999999999-"]],
  ["if-none-match", ["*", '"x"', "W/"]],
  ["if-range", ["x"]],
  ["accept", ["text/html", "*/*;q=0"]],
  ["expect", ["100-continue", "the-impossible"]],
  ["cookie", ["session=x", "a=%zz; b", "=;=;"]],
  ["origin", ["https://evil.example", "null", "https://app.example"]],
  ["traceparent", ["00-x-y-z", "nonsense"]],
  ["x-forwarded-for", ["' or 1=1"]],
  ["host", ["evil.example", "a:b:c"]]
];

const operations = Object.entries<Readonly<Record<string, Operation>>>(document.paths).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
);

/** A request, mostly with valid credentials for its path; `ids` are of existing resources. */
export const requestOf = (
  random: Random,
  credentials: (path: string) => ReadonlyArray<readonly [string, string]>,
  ids: ReadonlyArray<string>
): Request => {
  const { method, path, operation } = random.pick(operations);
  const id = () => (random.chance(0.4) && ids.length > 0 ? random.pick(ids) : segment(random));
  const filled = random.chance(0.95) ? path.replaceAll(/\{\w+\}/gu, id) : `${path}/${segment(random)}`;
  const body = bodyOf(operation.requestBody?.content["application/json"]?.schema, random);
  const verb = random.chance(0.93) ? method : random.pick(METHODS);
  const extra = HEADERS.filter(() => random.chance(0.05)).map(
    ([name, values]) => [name, random.pick(values)] as const
  );
  const keys = random.chance(0.95) ? credentials(path) : ([["x-api-key", random.pick(["x", LONG])]] as const);
  const doubled = random.chance(0.03) ? keys : [];
  const type = body === null ? [] : ([["content-type", "application/json"]] as const);
  const query = queryOf(operation, random);
  return {
    method: verb,
    path: random.chance(0.02) ? `/${segment(random)}${query}` : `${filled}${query}`,
    headers: [...type, ...keys, ...doubled, ...extra],
    body
  };
};

/** Malformed or barely valid HTTP. */
export const NOISE: ReadonlyArray<string> = [
  "\r\n\r\n",
  "\0\0\0\0\r\n\r\n",
  "GET\r\n\r\n",
  "GET / HTTP/9.9\r\n\r\n",
  "GET /healthz HTTP/1.1\r\n\r\n",
  "GET healthz HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET //evil.example/v1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET /%zz?%zz#%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n",
  "GET /healthz HTTP/1.1\r\nHost : x\r\n\r\n",
  "POST /v1/extract HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
  "POST /v1/extract HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "POST /v1/extract HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: nonsense\r\n\r\n",
  "POST /v1/extract HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n",
  "CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n",
  "GET /healthz HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n",
  "GET /v1/extractions HTTP/1.1\r\nHost: x\r\nX-Api-Key: a\u00ff\r\nConnection: close\r\n\r\n",
  `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
];
