/** The library of an account, and its use in submits. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as TestClock from "effect/testing/TestClock";
import { PREDEFINED } from "../../../src/domain/json-schema/Predefined.ts";
import { PAGE_BYTES } from "../../../src/domain/request/Cursor.ts";
import { SAVED_SCHEMAS_MAX } from "../../../src/domain/json-schema/SavedSchema.ts";
import { Schemas } from "../../../src/engine/accounts/Schemas.ts";
import type { AnalysisRequest } from "../../../src/ports/Analyst.ts";
import { SchemaRefused } from "../../../src/ports/SchemaChecker.ts";
import * as FakeSchemaChecker from "@winnow/testing/fakes/FakeSchemaChecker";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { ARTICLE, balanceOf, execute, openAccount, probe, runToEnd, submit, world } from "../World.ts";

const SCHEMA = { type: "object", properties: { topic: { type: "string" } } };
const RECIPE = "winnow.predefined.recipe.v1";

const save = (accountId: string, body: unknown, idempotencyKey?: string) =>
  Schemas.use((schemas) => schemas.save(accountId, body, idempotencyKey));

/** A world whose model answers with the topic "x", and the model's requests. */
const withModel = () => {
  const asked: Array<AnalysisRequest> = [];
  const analyst = FakeAnalyst.layer((request) => {
    asked.push(request);
    return Effect.succeed({ outcome: "ok", verdictReason: null, extraction: { topic: "x" } });
  });
  return { asked, layer: world({ analyst }) };
};

describe("the library", () => {
  it.effect("pages list saved and predefined schemas, newest first", () =>
    Effect.gen(function* () {
      const { list } = yield* Schemas;
      const accountId = yield* openAccount();
      yield* TestClock.setTime(Date.UTC(2030, 0, 1));
      const saved: Array<string> = [];
      for (const name of ["a", "b", "c"]) {
        yield* TestClock.adjust(1);
        saved.unshift((yield* save(accountId, { name, schema: SCHEMA })).id);
      }
      const seen: Array<string> = [];
      let cursor: string | null = null;
      do {
        const page: Effect.Success<ReturnType<typeof list>> = yield* list(accountId, { limit: 2, cursor });
        seen.push(...page.rows.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== null);
      assert.deepStrictEqual(seen.slice(0, 3), saved);
      assert.sameMembers(seen.slice(3), [...PREDEFINED.keys()]);
      const whole = yield* list(accountId, { limit: seen.length, cursor: null });
      assert.isNull(whole.nextCursor);
    }).pipe(Effect.provide(world()))
  );

  it.effect("a page ends with the schema that reaches a megabyte, and the next one follows it", () =>
    Effect.gen(function* () {
      const { list } = yield* Schemas;
      const accountId = yield* openAccount();
      yield* TestClock.setTime(Date.UTC(2030, 0, 1));
      for (let count = 0; count < 25; count++) {
        yield* TestClock.adjust(1);
        yield* save(accountId, { name: `s${count}`, schema: { ...SCHEMA, description: "d".repeat(90_000) } });
      }
      const first = yield* list(accountId, { limit: 100, cursor: null });
      assert.strictEqual(first.rows.length, Math.ceil(PAGE_BYTES / 90_000));
      const second = yield* list(accountId, { limit: 100, cursor: first.nextCursor });
      const third = yield* list(accountId, { limit: 100, cursor: second.nextCursor });
      assert.isNull(third.nextCursor);
      const all = [first, second, third].flatMap(({ rows }) => rows.map(({ id }) => id));
      assert.strictEqual(new Set(all).size, 25 + PREDEFINED.size);
    }).pipe(Effect.provide(world()))
  );

  it.effect("a cursor of another list or account is refused", () =>
    Effect.gen(function* () {
      const { list } = yield* Schemas;
      const [accountId, stranger] = [yield* openAccount(), yield* openAccount()];
      const { nextCursor } = yield* list(accountId, { limit: 1, cursor: null });
      for (const [who, cursor] of [
        [stranger, nextCursor],
        [accountId, "x"]
      ] as const) {
        const failure = yield* Effect.flip(list(who, { limit: 1, cursor }));
        assert.deepStrictEqual(failure.details, { param: "cursor" });
      }
    }).pipe(Effect.provide(world()))
  );

  it.effect("has a limited number of schemas per account", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      for (let count = 0; count < SAVED_SCHEMAS_MAX; count++) {
        yield* save(accountId, { name: "x", schema: SCHEMA });
      }
      const refused = yield* Effect.flip(save(accountId, { name: "x", schema: SCHEMA }));
      assert.strictEqual(refused._tag, "InvalidRequest");
    }).pipe(Effect.provide(world()))
  );

  it.effect("saving again with the same key returns the same schema", () =>
    Effect.gen(function* () {
      const [accountId, stranger] = [yield* openAccount(), yield* openAccount()];
      const body = { name: "x", schema: SCHEMA, prompt: "Be brief." };
      const saved = yield* save(accountId, body, "k");
      yield* TestClock.adjust(1);
      assert.deepStrictEqual(yield* save(accountId, body, " k "), saved);
      for (const other of [
        { name: "y" },
        { schema: { type: "object", minProperties: 1 } },
        { prompt: "Be verbose." }
      ]) {
        const refused = yield* Effect.flip(save(accountId, { ...body, ...other }, "k"));
        assert.strictEqual(refused._tag, "Conflict");
      }
      assert.strictEqual((yield* save(accountId, body, "other")).version, 2);
      assert.strictEqual((yield* save(accountId, body)).version, 3);
      const theirs = yield* save(stranger, body, "k");
      assert.notStrictEqual(theirs.id, saved.id);
      assert.strictEqual(theirs.version, 1);
      const refused = yield* Effect.flip(save(accountId, body, "\u00e9"));
      assert.deepInclude(refused, { _tag: "InvalidRequest", details: { param: "Idempotency-Key" } });
    }).pipe(Effect.provide(world()))
  );

  it.effect("a key whose schema was deleted saves nothing again", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const body = { name: "x", schema: SCHEMA };
      const { id } = yield* save(accountId, body, "k");
      yield* Schemas.use((schemas) => schemas.remove(accountId, id));
      for (const again of [body, { ...body, name: "y" }]) {
        assert.deepInclude(yield* Effect.flip(save(accountId, again, "k")), {
          code: "conflict",
          details: { param: "Idempotency-Key", reason: "schema_deleted" }
        });
      }
      assert.strictEqual((yield* save(accountId, body, "other")).version, 1);
    }).pipe(Effect.provide(world()))
  );

  it.effect("a repeat with the same key is answered even if the schema would be refused by now", () => {
    let isRefusing = false;
    const refusal = new SchemaRefused({ reason: "too_costly", path: "", message: "No." });
    const schemaChecker = FakeSchemaChecker.layer(undefined, () => (isRefusing ? refusal : null));
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const body = { name: "x", schema: SCHEMA };
      const saved = yield* save(accountId, body, "k");
      isRefusing = true;
      assert.deepStrictEqual(yield* save(accountId, body, "k"), saved);
      assert.strictEqual((yield* Effect.flip(save(accountId, body, "new")))._tag, "InvalidRequest");
    }).pipe(Effect.provide(world({ schemaChecker })));
  });

  it.effect("a predefined schema cannot be deleted, and a missing one is not found", () =>
    Effect.gen(function* () {
      const { get, remove } = yield* Schemas;
      const accountId = yield* openAccount();
      assert.strictEqual((yield* get(accountId, RECIPE)).name, "recipe");
      const refused = yield* Effect.flip(remove(accountId, RECIPE));
      assert.deepInclude(refused, { _tag: "InvalidRequest", details: { param: "id", reason: "predefined" } });
      for (const id of ["sch_unknown", "auto", "", "\u0000", "sch_\u0000", "winnow.predefined.recipe.v9"]) {
        assert.strictEqual((yield* Effect.flip(get(accountId, id)))._tag, "NotFound");
        assert.strictEqual((yield* Effect.flip(remove(accountId, id)))._tag, "NotFound");
      }
    }).pipe(Effect.provide(world()))
  );
});

describe("a submit with a schemaId", () => {
  it.effect("runs with the saved schema and its prompt, which the request's own overrides", () => {
    const { asked, layer } = withModel();
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { id } = yield* save(accountId, { name: "Topic", schema: SCHEMA, prompt: "Be brief." });
      const body = { url: ARTICLE, schemaId: id };
      const done = yield* runToEnd(accountId, body);
      assert.deepInclude(done.result, { outcome: "ok", extraction: { topic: "x" } });
      yield* runToEnd(accountId, { ...body, prompt: "Be long." });
      yield* runToEnd(accountId, { url: ARTICLE, schemaId: RECIPE });
      const recipe = PREDEFINED.get(RECIPE);
      assert.deepStrictEqual(
        asked.map(({ schema, prompt }): ReadonlyArray<unknown> => [schema, prompt]),
        [
          [SCHEMA, "Be brief."],
          [SCHEMA, "Be long."],
          [recipe?.schema, recipe?.prompt]
        ]
      );
    }).pipe(Effect.provide(layer));
  });

  it.effect(
    "is reused by its id, separately from the same schema inline or with another id; a probe shows it",
    () => {
      const { layer } = withModel();
      return Effect.gen(function* () {
        const accountId = yield* openAccount();
        const first = yield* save(accountId, { name: "Topic", schema: SCHEMA });
        const second = yield* save(accountId, { name: "Topic", schema: SCHEMA });
        assert.strictEqual(second.version, 2);
        const body = { url: ARTICLE, schemaId: first.id };
        assert.isFalse((yield* probe(accountId, body)).cached);
        const done = yield* runToEnd(accountId, body);
        assert.isTrue((yield* probe(accountId, body)).cached);
        assert.strictEqual((yield* submit(accountId, body)).extraction.cachedFrom, done.id);
        for (const other of [
          { url: ARTICLE, schema: SCHEMA },
          { url: ARTICLE, schemaId: second.id }
        ]) {
          assert.isNull((yield* submit(accountId, other)).extraction.cachedFrom);
        }
      }).pipe(Effect.provide(layer));
    }
  );

  it.effect(
    "that is unknown or of another account is not found, before any debit; a probe does not check it",
    () => {
      const { layer } = withModel();
      return Effect.gen(function* () {
        const [owner, stranger] = [yield* openAccount(), yield* openAccount()];
        const { id } = yield* save(owner, { name: "Topic", schema: SCHEMA });
        const before = yield* balanceOf(stranger);
        for (const schemaId of [id, "sch_unknown"]) {
          const body = { url: ARTICLE, schemaId };
          const refused = yield* Effect.flip(submit(stranger, body));
          assert.deepInclude(refused, { code: "not_found", message: "There is no such schema." });
          assert.deepInclude(refused, { details: { param: "schemaId" } });
          assert.strictEqual((yield* probe(stranger, body)).price.mode, "ai");
        }
        assert.strictEqual(yield* balanceOf(stranger), before);
      }).pipe(Effect.provide(layer));
    }
  );

  it.effect("keeps its copy of a deleted schema, and a replay returns its extraction", () => {
    const { asked, layer } = withModel();
    return Effect.gen(function* () {
      const { remove } = yield* Schemas;
      const accountId = yield* openAccount();
      const { id } = yield* save(accountId, { name: "Topic", schema: SCHEMA });
      const body = { url: ARTICLE, schemaId: id };
      const { extraction } = yield* submit(accountId, body, "key");
      yield* remove(accountId, id);
      assert.strictEqual((yield* submit(accountId, body, "key")).extraction.id, extraction.id);
      yield* Effect.flip(submit(accountId, body));
      yield* execute(extraction);
      assert.deepStrictEqual(asked[0]?.schema, SCHEMA);
    }).pipe(Effect.provide(layer));
  });
});
