/** Saved schemas in memory: the reference implementation. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { isPast, newestFirst } from "../domain/request/Cursor.ts";
import { keyOfDeleted } from "../domain/request/Idempotency.ts";
import { NotFound } from "../domain/request/Refusal.ts";
import { libraryFull, type SavedSchema } from "../domain/json-schema/SavedSchema.ts";
import { SchemaLibrary } from "../ports/SchemaLibrary.ts";
import { Store } from "../ports/Store.ts";

const make = Effect.gen(function* () {
  const store = yield* Store;
  /** By account and id. */
  const libraries = new Map<string, Map<string, SavedSchema>>();
  /** Ids of removed schemas; an id belongs to one account. */
  const removed = new Set<string>();
  const libraryOf = (accountId: string) => libraries.get(accountId) ?? new Map<string, SavedSchema>();

  return SchemaLibrary.of({
    save: Effect.fnUntraced(function* (accountId, draft, schemasMax) {
      const account = yield* store.getAccount(accountId);
      if (Option.isNone(account)) return yield* NotFound.of("account");
      // Synchronous from here on, so that no other fiber can interfere.
      const library = libraryOf(accountId);
      const before = library.get(draft.id);
      if (before !== undefined) return before;
      if (removed.has(draft.id)) return yield* keyOfDeleted("schema_deleted");
      if (library.size >= schemasMax) return yield* libraryFull(schemasMax);
      const versions = [...library.values()]
        .filter(({ name }) => name === draft.name)
        .map(({ version }) => version);
      const saved: SavedSchema = { ...draft, version: Math.max(0, ...versions) + 1 };
      libraries.set(accountId, library.set(saved.id, saved));
      return saved;
    }),
    get: (accountId, id) => Effect.sync(() => Option.fromUndefinedOr(libraryOf(accountId).get(id))),
    list: (accountId, { after, limit }) =>
      Effect.sync(() =>
        [...libraryOf(accountId).values()].filter(isPast(after)).sort(newestFirst).slice(0, limit)
      ),
    remove: (accountId, id) =>
      Effect.sync(() => {
        const isRemoved = libraryOf(accountId).delete(id);
        if (isRemoved) removed.add(id);
        return isRemoved;
      })
  });
});

export const layer: Layer.Layer<SchemaLibrary, never, Store> = Layer.effect(SchemaLibrary, make);
