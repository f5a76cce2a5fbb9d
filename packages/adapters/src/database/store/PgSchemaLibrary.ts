/** Saved schemas on PostgreSQL, in the database of the store. */
import { keyOfDeleted } from "@winnow/core/domain/request/Idempotency";
import { NotFound } from "@winnow/core/domain/request/Refusal";
import { libraryFull, SavedSchema } from "@winnow/core/domain/json-schema/SavedSchema";
import { SchemaLibrary } from "@winnow/core/ports/SchemaLibrary";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as SqlClient from "effect/sql/SqlClient";
import { AccountTransactions } from "./AccountTransactions.ts";
import type { DocumentRow } from "./Documents.ts";
import { jsonOf } from "./StatementValues.ts";
import { orUnavailable } from "./StorageFault.ts";

const readSchema = Schema.decodeUnknownSync(SavedSchema);

/** What `winnow.save_schema` returns. */
const readSaved = Schema.decodeUnknownSync(
  Schema.Union([SavedSchema, Schema.Literals(["no_account", "removed", "full"])])
);

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const transactions = yield* AccountTransactions;

  const get = Effect.fn("PgSchemaLibrary.get")(function* (accountId: string, id: string) {
    const [row] = yield* sql<DocumentRow>`select winnow.saved_schema_json(s) as document
      from winnow.saved_schema s where s.id = ${id} and s.account_id = ${accountId}`;
    return Option.map(Option.fromUndefinedOr(row), ({ document }) => readSchema(document));
  }, orUnavailable);

  return SchemaLibrary.of({
    save: Effect.fn("PgSchemaLibrary.save")(function* (accountId, draft, schemasMax) {
      const saving = sql<DocumentRow>`select winnow.save_schema(
        ${accountId}, ${draft.id}, ${draft.name}, ${JSON.stringify(draft.schema)}::text::json,
        ${jsonOf(draft.prompt)}::text::json, ${String(draft.createdAtMs)}::bigint, ${schemasMax}) as document`;
      const [row] = yield* orUnavailable(transactions.run(accountId, saving));
      const saved = readSaved(row?.document);
      if (saved === "no_account") return yield* NotFound.of("account");
      if (saved === "removed") return yield* keyOfDeleted("schema_deleted");
      return saved === "full" ? yield* libraryFull(schemasMax) : saved;
    }),
    get,
    list: Effect.fn("PgSchemaLibrary.list")(function* (accountId, { after, limit }) {
      const older =
        after === null
          ? sql.literal("")
          : sql`and (s.created_at_ms, s.id) < (${String(after.createdAtMs)}::bigint, ${after.id})`;
      const rows = yield* sql<DocumentRow>`select winnow.saved_schema_json(s) as document
        from winnow.saved_schema s where s.account_id = ${accountId} ${older}
        order by s.created_at_ms desc, s.id desc limit ${limit}`;
      return rows.map(({ document }) => readSchema(document));
    }, orUnavailable),
    remove: Effect.fn("PgSchemaLibrary.remove")(function* (accountId, id) {
      const removed = yield* sql`
        with removed as (
          delete from winnow.saved_schema s where s.id = ${id} and s.account_id = ${accountId} returning s.*)
        insert into winnow.removed_id (id, account_id) select r.id, r.account_id from removed r returning id`;
      return removed.length > 0;
    }, orUnavailable)
  });
});

/** Needs a migrated database (Migrations). */
export const layer: Layer.Layer<SchemaLibrary, never, SqlClient.SqlClient | AccountTransactions> =
  Layer.effect(SchemaLibrary, make);
