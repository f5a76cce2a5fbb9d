/** Webhook endpoints on PostgreSQL, in the database of the store. Tests: PgWebhooks.test.ts. */
import { NotFound } from "@winnow/core/domain/request/Refusal";
import { ENDPOINT_REMOVED } from "@winnow/core/domain/webhook/WebhookDelivery";
import { WebhookEndpoint } from "@winnow/core/domain/webhook/WebhookEndpoint";
import { WebhookEndpoints } from "@winnow/core/ports/WebhookEndpoints";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as SqlClient from "effect/sql/SqlClient";
import { AccountTransactions } from "./AccountTransactions.ts";
import type { DocumentRow } from "./Documents.ts";
import { orUnavailable } from "./StorageFault.ts";

const readEndpoint = Schema.decodeUnknownSync(WebhookEndpoint);

/** What `winnow.register_webhook_endpoint` returns. */
const readRegistration = Schema.decodeUnknownSync(
  Schema.Union([WebhookEndpoint, Schema.Literals(["no_account", "removed", "full"])])
);

const first = ([row]: ReadonlyArray<DocumentRow>): Option.Option<WebhookEndpoint> =>
  Option.map(Option.fromUndefinedOr(row), ({ document }) => readEndpoint(document));

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const transactions = yield* AccountTransactions;
  const document = sql.literal("winnow.webhook_endpoint_json(w) as document");

  return WebhookEndpoints.of({
    register: Effect.fn("PgWebhookEndpoints.register")(function* (endpoint, endpointsMax) {
      const { id, accountId, url, secret, createdAtMs, createdBy } = endpoint;
      const registering = sql<DocumentRow>`select winnow.register_webhook_endpoint(
        ${accountId}, ${id}, ${url}, ${secret}, ${createdBy}, ${String(createdAtMs)}::bigint, ${endpointsMax}) as document`;
      const [row] = yield* orUnavailable(transactions.run(accountId, registering));
      const found = readRegistration(row?.document);
      if (found === "no_account") return yield* NotFound.of("account");
      if (typeof found === "string") return { _tag: found };
      return found.secret === secret
        ? { _tag: "registered", endpoint: found }
        : { _tag: "known", endpoint: found };
    }),
    list: Effect.fn("PgWebhookEndpoints.list")(function* (accountId) {
      const rows = yield* sql<DocumentRow>`select ${document} from winnow.webhook_endpoint w
        where w.account_id = ${accountId} order by w.position`;
      return rows.map((row) => readEndpoint(row.document));
    }, orUnavailable),
    get: Effect.fn("PgWebhookEndpoints.get")(function* (accountId, id) {
      return first(
        yield* sql<DocumentRow>`select ${document} from winnow.webhook_endpoint w
          where w.id = ${id} and w.account_id = ${accountId}`
      );
    }, orUnavailable),
    setSecrets: Effect.fn("PgWebhookEndpoints.setSecrets")(function* (accountId, id, before, secrets) {
      const { secret, previousSecret } = secrets;
      const expiresAtMs = previousSecret === null ? null : String(previousSecret.expiresAtMs);
      return first(
        yield* sql<DocumentRow>`update winnow.webhook_endpoint w set secret = ${secret},
            previous_secret = ${previousSecret?.secret ?? null}, previous_expires_at_ms = ${expiresAtMs}::bigint
          where w.id = ${id} and w.account_id = ${accountId} and w.secret = ${before} returning ${document}`
      );
    }, orUnavailable),
    enable: Effect.fn("PgWebhookEndpoints.enable")(function* (accountId, id) {
      return first(
        yield* sql<DocumentRow>`update winnow.webhook_endpoint w
          set failing_since_ms = null, disabled_at_ms = null
          where w.id = ${id} and w.account_id = ${accountId} returning ${document}`
      );
    }, orUnavailable),
    remove: Effect.fn("PgWebhookEndpoints.remove")(function* (accountId, id) {
      const [row] = yield* transactions.run(
        accountId,
        sql<{ readonly removed: boolean }>`select
          winnow.remove_webhook_endpoint(${accountId}, ${id}, ${ENDPOINT_REMOVED}) as removed`
      );
      return row?.removed === true;
    }, orUnavailable)
  });
});

/** Needs a migrated database (Migrations). */
export const layer: Layer.Layer<WebhookEndpoints, never, SqlClient.SqlClient | AccountTransactions> =
  Layer.effect(WebhookEndpoints, make);
