/** Prints src/generated/types.ts: the types of the server's openapi.json. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { comment, typeOf, type JsonSchema } from "./typeText.ts";

const SOURCE = path.resolve(import.meta.dirname, "../../server/openapi.json");

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const namesIn = (value: unknown): ReadonlyArray<string> =>
  [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/gu)].map(([, name = ""]) => name);

/** Schemas used in requests, and `Outcome`, which discriminates results. */
const sentNames = ({ paths, components }: Document): ReadonlySet<string> => {
  const operations = Object.values(paths).flatMap((path) => Object.values(path)) as ReadonlyArray<
    Readonly<Record<string, unknown>>
  >;
  const found = new Set(["Outcome"]);
  const queue = operations.flatMap(({ requestBody = null, parameters = null }) =>
    namesIn([requestBody, parameters])
  );
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    queue.push(...namesIn(components.schemas[name] ?? null));
  }
  return found;
};

/** Bodies of errors, which reach callers as the classes of core/errors.ts, under these names. */
const isErrorBody = ({ properties }: JsonSchema): boolean =>
  properties?.["error"]?.properties?.["code"]?.enum !== undefined;

const generate = (): string => {
  const document = JSON.parse(readFileSync(SOURCE, "utf8")) as Document;
  const sent = sentNames(document);
  const types = Object.entries(document.components.schemas)
    .filter(([, schema]) => !isErrorBody(schema))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, schema]) =>
        `${comment(schema.description, "")}export type ${name} = ${typeOf(schema, "", sent.has(name))};\n`
    );
  return `// @generated from packages/server/openapi.json by scripts/schemaTypes.ts: do not edit.\n\n${types.join("\n").trimEnd()}`;
};

console.log(generate());
