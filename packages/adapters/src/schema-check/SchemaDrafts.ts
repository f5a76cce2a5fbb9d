/**
 * Detects which JSON Schema draft a schema uses, and converts older drafts to draft-07.
 *
 * Keywords that the draft does not define, including those of other vocabularies, have no effect. Tests: WorkerSchemaChecker.test.ts.
 */
import type * as Schema from "effect/Schema";
import type { SchemaDialect } from "@winnow/core/domain/json-schema/SchemaKeywords";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";

type Json = Schema.Json;

/** The dialect a draft is read as. */
export interface SchemaDraft {
  readonly dialect: SchemaDialect;
  /** Draft-04 calls `$id` "id". */
  readonly hasPlainId: boolean;
  /** `$schema` names no published draft: draft-07 is tried if the schema is invalid as 2020-12. */
  readonly isGuess: boolean;
}

const draft = (dialect: SchemaDialect, more: Partial<SchemaDraft> = {}): SchemaDraft => ({
  dialect,
  hasPlainId: false,
  isGuess: false,
  ...more
});

/** Without `$schema`, and for dialects of other vocabularies. */
const ASSUMED_DRAFT = draft("2020-12", { isGuess: true });
const DRAFT_04 = draft("draft-07", { hasPlainId: true });

/** By the folder of its metaschema at json-schema.org. */
const PUBLISHED: ReadonlyMap<string, SchemaDraft> = new Map([
  ["draft/2020-12", draft("2020-12")],
  ["draft/2019-09", draft("2019-09")],
  ["draft-07", draft("draft-07")],
  ["draft-06", draft("draft-07")],
  ["draft-05", DRAFT_04],
  ["draft-04", DRAFT_04]
]);

/**
 * The folder of `https://json-schema.org/draft/2020-12/schema` or `http://json-schema.org/draft-07/schema#` names the
 * draft; without one it is the latest, and unknown folders are older than draft-04.
 */
const METASCHEMA = /^https?:\/\/(?:www\.)?json-schema\.org\/(?:([^?#]+)\/)?(?:hyper-)?schema\/?#?\/?$/iu;

/**
 * The draft named by `$schema`. Other names are custom dialects whose keywords are annotations here. Null for
 * drafts before draft-04, and for values that are not a URI.
 */
const draftNamed = (name: unknown): SchemaDraft | null => {
  if (name === undefined) return ASSUMED_DRAFT;
  if (typeof name !== "string") return null;
  const metaschema = METASCHEMA.exec(name.trim());
  if (metaschema === null) return ASSUMED_DRAFT;
  const folder = metaschema[1]?.toLowerCase();
  return folder === undefined ? ASSUMED_DRAFT : (PUBLISHED.get(folder) ?? null);
};

/** Keywords whose members are schemas under caller-defined names. */
const MAPS = new Set(["properties", "patternProperties", "definitions", "$defs", "dependencies"]);

/** Keywords that contain data. */
const DATA = new Set(["enum", "const", "default", "examples", "example"]);

/** Before draft-06, `true` next to a bound made the bound exclusive. */
const exclusive = (schema: JsonObject, keyword: string, bound: string): JsonObject => {
  const { [keyword]: flag, ...others } = schema;
  if (typeof flag !== "boolean") return schema;
  const value = others[bound];
  return flag && typeof value === "number" ? { ...others, [keyword]: value } : others;
};

/** Generators repeat ids; the first schema with an id keeps it. */
const makeIdentified = () => {
  const usedNames = new Set<string>();
  return (schema: JsonObject): JsonObject => {
    const { id, ...others } = schema;
    if (typeof id !== "string" || others["$id"] !== undefined || usedNames.has(id)) return schema;
    usedNames.add(id);
    return { ...others, $id: id };
  };
};

/** The equivalent draft-07 schema. Paths do not change. */
const inDraft07 = (schema: JsonObject, { hasPlainId }: SchemaDraft): JsonObject => {
  const identified = makeIdentified();
  const schemaAt = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(schemaAt);
    if (!isJsonObject(value)) return value;
    const converted = exclusive(
      exclusive(hasPlainId ? identified(value) : value, "exclusiveMinimum", "minimum"),
      "exclusiveMaximum",
      "maximum"
    );
    return Object.fromEntries(
      Object.entries(converted).map(([keyword, held]): readonly [string, Json] => {
        if (DATA.has(keyword)) return [keyword, held];
        return [keyword, MAPS.has(keyword) && isJsonObject(held) ? membersOf(held) : schemaAt(held)];
      })
    );
  };
  const membersOf = (members: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(members).map(([name, member]) => [name, schemaAt(member)]));
  return schemaAt(schema) as JsonObject;
};

/** A schema in the words of a dialect. */
export interface SchemaReading {
  readonly schema: JsonObject;
  readonly dialect: SchemaDialect;
}

/**
 * What a schema may be read as, the first that is valid: without a published draft 2020-12, or draft-07, since many
 * callers' schemas still have its keywords. Empty for unknown drafts.
 */
export const readingsOf = (schema: JsonObject): ReadonlyArray<SchemaReading> => {
  const named = draftNamed(schema["$schema"]);
  if (named === null) return [];
  const { dialect, isGuess } = named;
  const older: SchemaReading = { schema: inDraft07(schema, named), dialect: "draft-07" };
  return dialect === "draft-07" ? [older] : [{ schema, dialect }, ...(isGuess ? [older] : [])];
};
