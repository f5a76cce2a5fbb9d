/**
 * Handlers without a key: the OpenAPI document and the server's health.
 */
import { Store } from "@winnow/core/ports/Store";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { Api } from "../api/Api.ts";
import { NotReady } from "../api/ApiErrors.ts";
import { openApiDocument } from "../api/OpenApiDocument.ts";
import { WorkerState } from "./WorkerState.ts";

/** A database that takes longer does not answer. */
const PING_TIMEOUT = "2 seconds";

const notReady = (message: string) => new NotReady({ error: { message } });

/** Whether the database answers and the worker is on. */
export const readiness = Effect.gen(function* () {
  const store = yield* Store;
  const worker = yield* WorkerState;
  yield* store.ping.pipe(
    Effect.timeout(PING_TIMEOUT),
    Effect.catchCause(() => Effect.fail(notReady("The database does not answer.")))
  );
  if (!(yield* worker.isReady)) return yield* notReady("The worker is not on.");
});

export const layer = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fnUntraced(function* (handlers) {
    const services = yield* Effect.context<Store | WorkerState>();
    // Made at the first request, not at the start.
    const document = yield* Effect.cached(
      Effect.sync(() => HttpServerResponse.jsonUnsafe(openApiDocument()))
    );
    return handlers
      .handle("openapi", () => document)
      .handle("healthz", () => Effect.succeed({ status: "ok" as const }))
      .handle("readyz", () =>
        Effect.as(Effect.provideContext(readiness, services), { status: "ok" as const })
      );
  })
);
