/**
 * What a schema that was made of content says in words: they are content, and go between fences. A page could
 * otherwise leave an order in the description of a field, for every later run under that schema. Pure.
 */
import { DESCRIBED_BY_CONTENT } from "@winnow/core/domain/ProposedSchema";
import { isObject, type Json, type JsonObject } from "./projection/Shape.ts";

export interface NotedSchema {
  /** Without its descriptions, where those are of content. */
  readonly schema: JsonObject;
  /** One line for each: the path of the member and its description. */
  readonly notes: ReadonlyArray<string>;
}

const WORDS = new Set(["description", "title", "examples", "$comment"]);

const stripped = (schema: Json, path: string, notes: Array<string>): Json => {
  if (!isObject(schema)) return schema;
  if (typeof schema["description"] === "string")
    notes.push(`${path || "the root"}: ${schema["description"]}`);
  const kept = Object.entries(schema).filter(([keyword]) => !WORDS.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]): readonly [string, Json] => {
      if (keyword === "items") return [keyword, stripped(value, `${path}[]`, notes)];
      if (keyword !== "properties" || !isObject(value)) return [keyword, value];
      const members = Object.entries(value).map(
        ([name, member]) => [name, stripped(member, path === "" ? name : `${path}.${name}`, notes)] as const
      );
      return [keyword, Object.fromEntries(members)];
    })
  );
};

export const notedSchema = (schema: JsonObject): NotedSchema => {
  if (schema[DESCRIBED_BY_CONTENT] !== true) return { schema, notes: [] };
  const notes: Array<string> = [];
  return { schema: stripped(schema, "", notes) as JsonObject, notes };
};
