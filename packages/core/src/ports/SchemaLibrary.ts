/**
 * Keeps the schemas that accounts saved. Predefined ones are not part of it. A saved schema never changes.
 * Failures of the library itself are defects.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type { CursorPosition } from "../domain/Cursor.ts";
import type { NotFound } from "../domain/Refusal.ts";
import type { SavedSchema, SchemaDraft, SchemaLibraryFull } from "../domain/SavedSchema.ts";

export class SchemaLibrary extends Context.Service<
  SchemaLibrary,
  {
    /**
     * Gives the draft the version after the newest that the account has under the name, 1 for a new name.
     * Serial per account: no two get the same version, and no more than `schemasMax` are kept. A draft
     * whose id the account has already is not saved again: the answer is what was saved before.
     *
     * @fails NotFound no such account
     * @fails SchemaLibraryFull the account has `schemasMax` schemas
     */
    readonly save: (
      accountId: string,
      draft: SchemaDraft,
      schemasMax: number
    ) => Effect.Effect<SavedSchema, NotFound | SchemaLibraryFull>;

    /** Another account's schema is none. */
    readonly get: (accountId: string, id: string) => Effect.Effect<Option.Option<SavedSchema>>;

    /** Newest first by (createdAtMs, id), strictly after `after`; at most `limit`. */
    readonly list: (
      accountId: string,
      page: { readonly after: CursorPosition | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<SavedSchema>>;

    /** False when the account has no such schema. */
    readonly remove: (accountId: string, id: string) => Effect.Effect<boolean>;
  }
>()("@winnow/core/ports/SchemaLibrary") {}
