/**
 * Stores the schemas of accounts, without the predefined ones. A saved schema never changes.
 * Failures of the library itself are defects.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type { CursorPosition } from "../domain/request/Cursor.ts";
import type { Conflict, InvalidRequest, NotFound } from "../domain/request/Refusal.ts";
import type { SavedSchema, UnsavedSchema } from "../domain/json-schema/SavedSchema.ts";

export class SchemaLibrary extends Context.Service<
  SchemaLibrary,
  {
    /**
     * Saves the draft as the next version of its name, 1 for a new name. Serial per account: versions are
     * unique, and there are at most `schemasMax`. If the account already has the draft's id, the existing
     * schema is returned.
     *
     * @fails NotFound no such account
     * @fails InvalidRequest the account has `schemasMax` schemas
     * @fails Conflict {reason: "schema_deleted"} the account removed the schema with the draft's id
     */
    readonly save: (
      accountId: string,
      draft: UnsavedSchema,
      schemasMax: number
    ) => Effect.Effect<SavedSchema, NotFound | InvalidRequest | Conflict>;

    /** None for another account's schema. */
    readonly get: (accountId: string, id: string) => Effect.Effect<Option.Option<SavedSchema>>;

    /** Newest first by (createdAtMs, id), strictly after `after`; at most `limit`. */
    readonly list: (
      accountId: string,
      page: { readonly after: CursorPosition | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<SavedSchema>>;

    /** False if the account has no such schema. */
    readonly remove: (accountId: string, id: string) => Effect.Effect<boolean>;
  }
>()("@winnow/core/ports/SchemaLibrary") {}
