/** Receivers that record what arrives in a table, so that the record survives the process that sent it. */
import { WebhookTransport } from "@winnow/core/ports/WebhookTransport";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as SqlClient from "effect/sql/SqlClient";

export const CREATE_ARRIVALS = "create table arrival (delivery_id text not null, body text not null)";

/** Deliveries here fail at first and are acknowledged afterwards. */
export const FLAKY = "https://flaky.example/";
export const STEADY = "https://steady.example/";

export const layer = Layer.effect(
  WebhookTransport,
  Effect.map(SqlClient.SqlClient, (sql) =>
    WebhookTransport.of({
      vet: (url) => Effect.succeed(url),
      post: ({ url, headers, body }) =>
        Effect.gen(function* () {
          const id = headers["X-Service-Delivery"] ?? "";
          const [before] = yield* sql<{ readonly count: number }>`
            select count(*)::integer as count from arrival where delivery_id = ${id}`;
          yield* sql`insert into arrival (delivery_id, body) values (${id}, ${new TextDecoder().decode(body)})`;
          return { status: url === FLAKY && before?.count === 0 ? 503 : 204, body: "" };
        }).pipe(Effect.orDie)
    })
  )
);
