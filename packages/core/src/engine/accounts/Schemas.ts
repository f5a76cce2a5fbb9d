/** The schema library of an account: its saved schemas and the predefined ones. */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { canonicalJson } from "../../domain/text/CanonicalJson.ts";
import {
  isPast,
  newestFirst,
  pageOf,
  readCursor,
  upToBytes,
  type Page,
  type PageRequest
} from "../../domain/request/Cursor.ts";
import { PREDEFINED } from "../../domain/json-schema/Predefined.ts";
import { AUTO_SCHEMA_ID } from "../../domain/json-schema/ProposedSchema.ts";
import { keyOfOtherBody } from "../../domain/request/Idempotency.ts";
import { type Conflict, InvalidRequest, NotFound } from "../../domain/request/Refusal.ts";
import type { RunRequest } from "../../domain/request/RunRequest.ts";
import {
  readSchemaBody,
  SAVED_SCHEMAS_MAX,
  type SavedSchema,
  type UnsavedSchema
} from "../../domain/json-schema/SavedSchema.ts";
import { CurrentRun, runFor } from "../../ports/CurrentRun.ts";
import { SchemaChecker } from "../../ports/SchemaChecker.ts";
import { SchemaLibrary } from "../../ports/SchemaLibrary.ts";
import type { Once } from "../Once.ts";
import { isId, makeKeyedId } from "../Ids.ts";
import type { SchemaProblem } from "../../domain/json-schema/SchemaLimits.ts";
import { meaningProblem } from "../../domain/json-schema/SchemaMeaning.ts";
import type { JsonObject } from "../../domain/json-schema/SchemaRules.ts";

const invalidSchema = ({ reason, path, message }: SchemaProblem) =>
  new InvalidRequest({
    message: `\`schema\`${path === "" ? "" : ` at ${path}`}: ${message}`,
    details: { param: "schema", reason, path }
  });

/** @fails InvalidRequest {param: "schema", reason, path}: reason and path as in SchemaProblem */
export const checkGivenSchema = Effect.fnUntraced(function* (
  schema: JsonObject,
  accountId: string
): Effect.fn.Return<void, InvalidRequest, SchemaChecker> {
  yield* SchemaChecker.use((checker) => checker.check(schema)).pipe(
    Effect.mapError(invalidSchema),
    Effect.provideService(CurrentRun, runFor(accountId))
  );
  const problem = meaningProblem(schema);
  if (problem !== null) return yield* invalidSchema(problem);
});

export class Schemas extends Context.Service<
  Schemas,
  {
    /**
     * Saves the next version under its name. Repeating it with the same key saves nothing.
     *
     * @fails InvalidRequest names the field
     * @fails Conflict the key was used for another schema, or its schema was deleted
     * @fails NotFound no such account
     */
    readonly save: (
      accountId: string,
      body: unknown,
      idempotencyKey?: string | null
    ) => Effect.Effect<SavedSchema, InvalidRequest | Conflict | NotFound>;

    /** A saved or predefined schema. */
    readonly get: (accountId: string, id: string) => Effect.Effect<SavedSchema, NotFound>;

    /** Including predefined schemas. */
    readonly list: (accountId: string, page: PageRequest) => Effect.Effect<Page<SavedSchema>, InvalidRequest>;

    /**
     * Runs that use it keep their own copy.
     *
     * @fails InvalidRequest {param: "id", reason: "predefined"}
     */
    readonly remove: (accountId: string, id: string) => Effect.Effect<void, InvalidRequest | NotFound>;
  }
>()("@winnow/core/engine/accounts/Schemas") {}

const find = Effect.fnUntraced(function* (accountId: string, id: string, param?: string) {
  const predefined = PREDEFINED.get(id);
  if (predefined !== undefined) return predefined;
  const library = yield* SchemaLibrary;
  const saved = isId("sch", id) ? yield* library.get(accountId, id) : Option.none();
  return yield* Effect.mapError(Effect.fromOption(saved), () => NotFound.of("schema", param));
});

/**
 * Replaces a schema id by the schema. `auto` is not an id and stays: the run generates a schema.
 *
 * @fails NotFound the account has no such schema
 */
export const resolveSchema = Effect.fn("Schemas.resolve")(function* (
  accountId: string,
  request: RunRequest,
  once: Once
): Effect.fn.Return<RunRequest, NotFound, SchemaLibrary> {
  if (typeof request.schema !== "string" || request.schema === AUTO_SCHEMA_ID) return request;
  const { id, version, schema, prompt } = yield* once(
    `schemaId ${request.schema}`,
    find(accountId, request.schema, "schemaId")
  );
  return { ...request, schema, schemaOrigin: { id, version, prompt } };
});

const isPredefined = new InvalidRequest({
  message: "Predefined schemas cannot be deleted: all accounts share them.",
  details: { param: "id", reason: "predefined" }
});

const draftKey = ({ name, schema, prompt }: UnsavedSchema): string => canonicalJson({ name, schema, prompt });

const make = Effect.gen(function* () {
  const library = yield* SchemaLibrary;
  const checker = yield* SchemaChecker;

  return Schemas.of({
    save: Effect.fn("Schemas.save")(function* (accountId, body, idempotencyKey = null) {
      const { name, schema, prompt = null } = yield* Effect.fromResult(readSchemaBody(body));
      const id = yield* makeKeyedId(idempotencyKey, "sch", accountId);
      const draft = { id, name, schema, prompt, createdAtMs: yield* Clock.currentTimeMillis };
      const before = idempotencyKey === null ? null : Option.getOrNull(yield* library.get(accountId, id));
      if (before === null) {
        yield* Effect.provideService(checkGivenSchema(schema, accountId), SchemaChecker, checker);
      }
      const saved = before ?? (yield* library.save(accountId, draft, SAVED_SCHEMAS_MAX));
      return draftKey(saved) === draftKey(draft) ? saved : yield* keyOfOtherBody();
    }),
    get: Effect.fn("Schemas.get")((accountId: string, id: string) =>
      Effect.provideService(find(accountId, id), SchemaLibrary, library)
    ),
    list: Effect.fn("Schemas.list")(function* (accountId, { limit, cursor }) {
      const after = yield* Effect.fromResult(readCursor(accountId, cursor, "schemas"));
      const saved = yield* library.list(accountId, { after, limit: limit + 1 });
      const predefined = [...PREDEFINED.values()].filter(isPast(after));
      const both = [...saved, ...predefined].sort(newestFirst);
      const { length } = upToBytes(both, ({ schema, prompt }) => [schema, prompt]);
      return pageOf(both, Math.min(limit, length), { accountId, list: "schemas" });
    }),
    remove: Effect.fn("Schemas.remove")(function* (accountId, id) {
      if (PREDEFINED.has(id)) return yield* isPredefined;
      const removed = isId("sch", id) && (yield* library.remove(accountId, id));
      if (!removed) return yield* NotFound.of("schema");
    })
  });
});

export const layer: Layer.Layer<Schemas, never, SchemaLibrary | SchemaChecker> = Layer.effect(Schemas, make);
