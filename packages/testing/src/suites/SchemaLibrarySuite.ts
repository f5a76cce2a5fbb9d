/**
 * What every implementation of SchemaLibrary promises. The layer includes the Store with its accounts.
 * Run by MemorySchemaLibrary.test.ts, PgSchemaLibrary.test.ts.
 */
import { assert, layer as withLayer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import type * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import type { CursorPosition } from "@winnow/core/domain/request/Cursor";
import { keyOfDeleted } from "@winnow/core/domain/request/Idempotency";
import { NotFound } from "@winnow/core/domain/request/Refusal";
import {
  libraryFull,
  type SavedSchema,
  type UnsavedSchema
} from "@winnow/core/domain/json-schema/SavedSchema";
import { SchemaLibrary } from "@winnow/core/ports/SchemaLibrary";
import type { Store } from "@winnow/core/ports/Store";
import { uniqueId } from "../samples/samples.ts";
import { openAccount } from "../samples/StoreSteps.ts";

const MANY = 1_000;

const draft = (overrides: Partial<UnsavedSchema> = {}): UnsavedSchema => ({
  id: uniqueId("sch"),
  name: "Talk",
  schema: { type: "object", properties: { title: { type: "string" } } },
  prompt: null,
  createdAtMs: 1_700_000_000_000,
  ...overrides
});

export const suite = <E>(name: string, layer: Layer.Layer<SchemaLibrary | Store, E>): void =>
  withLayer(layer, { excludeTestServices: true })(`SchemaLibrary: ${name}`, (it) => {
    it.effect("a schema is read exactly as it was saved", () =>
      Effect.gen(function* () {
        const library = yield* SchemaLibrary;
        const accountId = yield* openAccount();
        const odd = draft({
          name: "Grüße ' \" $1 \u{1f600}",
          schema: { type: "object", properties: { "\u0000\n": { const: [1.5, null, "\ud800"] } } },
          prompt: "NUL \u0000 and \udc00"
        });
        const saved = yield* library.save(accountId, odd, MANY);
        assert.deepStrictEqual(saved, { ...odd, version: 1 });
        assert.deepStrictEqual(yield* library.get(accountId, odd.id), Option.some(saved));
      })
    );

    it.effect("saving a name again creates the next version, per account", () =>
      Effect.gen(function* () {
        const library = yield* SchemaLibrary;
        const [accountId, other] = [yield* openAccount(), yield* openAccount()];
        const versionOf = (account: string, name: string) =>
          Effect.map(library.save(account, draft({ name }), MANY), ({ version }) => version);
        const versions = [
          yield* versionOf(accountId, "Talk"),
          yield* versionOf(accountId, "Talk"),
          yield* versionOf(accountId, "talk"),
          yield* versionOf(other, "Talk")
        ];
        assert.deepStrictEqual(versions, [1, 2, 1, 1]);
      })
    );

    it.effect("concurrent saves get distinct versions, up to the limit", () =>
      Effect.gen(function* () {
        const library = yield* SchemaLibrary;
        const accountId = yield* openAccount();
        const saves = yield* Effect.forEach(
          Array.from({ length: 20 }, () => draft()),
          (each) => Effect.result(library.save(accountId, each, 12)),
          { concurrency: 20 }
        );
        const saved = saves.flatMap((each) => (each._tag === "Success" ? [each.success.version] : []));
        assert.deepStrictEqual(
          saved.toSorted((left, right) => left - right),
          [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
        );
        const refused = saves.flatMap((each) => (each._tag === "Failure" ? [each.failure] : []));
        assert.deepStrictEqual(refused[0], libraryFull(12));
        assert.strictEqual(refused.length, 8);
      })
    );

    it.effect("saving the same draft again changes nothing, even at the limit", () =>
      Effect.gen(function* () {
        const library = yield* SchemaLibrary;
        const accountId = yield* openAccount();
        const first = draft();
        const again = { ...first, name: "Another", schema: { type: "object", title: "Another" } };
        const saved = yield* Effect.forEach(
          [first, first, again, first],
          (each) => library.save(accountId, each, 1),
          {
            concurrency: 4
          }
        );
        const stored = Option.getOrThrow(yield* library.get(accountId, first.id));
        assert.strictEqual(stored.version, 1);
        for (const each of saved) assert.deepStrictEqual(each, stored);
        assert.deepStrictEqual(yield* library.list(accountId, { after: null, limit: 10 }), [stored]);
      })
    );

    it.effect("an unknown account is rejected", () =>
      Effect.gen(function* () {
        const library = yield* SchemaLibrary;
        const failure = yield* Effect.flip(library.save(uniqueId("acc"), draft(), MANY));
        assert.deepStrictEqual(failure, NotFound.of("account"));
      })
    );

    it.effect("pages are ordered newest first, also with equal timestamps", () =>
      Effect.gen(function* () {
        const library = yield* SchemaLibrary;
        const accountId = yield* openAccount();
        const drafts = Array.from({ length: 11 }, (_, index) =>
          draft({ createdAtMs: 5 + ((index * 7) % 3) })
        );
        yield* Effect.forEach(drafts, (each) => library.save(accountId, each, MANY));
        const seen: Array<SavedSchema> = [];
        let after: CursorPosition | null = null;
        for (let page = 0; page < 10; page++) {
          const rows: ReadonlyArray<SavedSchema> = yield* library.list(accountId, { after, limit: 3 });
          seen.push(...rows);
          after = rows.at(-1) ?? after;
        }
        const expected = drafts.toSorted(
          (left, right) => right.createdAtMs - left.createdAtMs || (left.id < right.id ? 1 : -1)
        );
        assert.deepStrictEqual(
          seen.map(({ id }) => id),
          expected.map(({ id }) => id)
        );
      })
    );

    it.effect("a removed schema is gone, cannot return, and no longer counts towards the limit", () =>
      Effect.gen(function* () {
        const library = yield* SchemaLibrary;
        const accountId = yield* openAccount();
        const first = draft();
        const { id } = yield* library.save(accountId, first, 1);
        assert.isTrue(yield* library.remove(accountId, id));
        assert.isFalse(yield* library.remove(accountId, id));
        assert.deepStrictEqual(yield* library.get(accountId, id), Option.none());
        const repeated = yield* Effect.flip(library.save(accountId, first, 1));
        assert.deepStrictEqual(repeated, keyOfDeleted("schema_deleted"));
        yield* library.save(accountId, draft(), 1);
      })
    );

    it.effect("another account's schema cannot be read, listed or removed", () =>
      Effect.gen(function* () {
        const library = yield* SchemaLibrary;
        const [owner, other] = [yield* openAccount(), yield* openAccount()];
        const { id } = yield* library.save(owner, draft(), MANY);
        assert.deepStrictEqual(yield* library.get(other, id), Option.none());
        assert.deepStrictEqual(yield* library.list(other, { after: null, limit: 10 }), []);
        assert.isFalse(yield* library.remove(other, id));
        assert.isTrue(Option.isSome(yield* library.get(owner, id)));
      })
    );
  });
