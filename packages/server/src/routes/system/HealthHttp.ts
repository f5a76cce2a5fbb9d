/** Health, readiness and metrics of this process. */
import { NotFound, NotReady } from "@winnow/core/domain/request/Refusal";
import { EngineSettings } from "@winnow/core/engine/EngineSettings";
import { shortage } from "@winnow/core/engine/runs/DiskSpaceGate";
import { Downloader } from "@winnow/core/ports/Downloader";
import { FreeSpace } from "@winnow/core/ports/FreeSpace";
import { Store } from "@winnow/core/ports/Store";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { WorkerApi } from "./HealthApi.ts";
import { errorResponse } from "../../http/ApiErrors.ts";
import { METRICS_CONTENT_TYPE, MetricsText } from "./MetricsText.ts";
import { WorkerState } from "./WorkerState.ts";

/** A database that takes longer counts as unavailable. */
export const PING_TIMEOUT_MS = 2_000;

const notReady = (message: string) => new NotReady({ message });

/**
 * Whether the database responds, the worker runs if the role has one, programs have started, and there is disk
 * space for runs.
 */
export const readiness = Effect.gen(function* () {
  const store = yield* Store;
  const worker = yield* WorkerState;
  yield* store.ping.pipe(
    Effect.timeout(PING_TIMEOUT_MS),
    Effect.catchCause(() => Effect.fail(notReady("The database does not respond.")))
  );
  if (!(yield* worker.isReady)) return yield* notReady("The worker is not running.");
  const downloader = Option.getOrNull(yield* Effect.serviceOption(Downloader));
  if (downloader !== null && !(yield* downloader.isWarm)) {
    return yield* notReady("The download programs are still starting.");
  }
  const why = yield* shortage;
  if (why !== null) return yield* notReady(why);
});

/** Response of a process without the API for all other paths. */
export const nothingElse = HttpRouter.add(
  "*",
  "/*",
  errorResponse(
    new NotFound({
      message: "This process only runs extractions; use one with WINNOW_ROLE=api or WINNOW_ROLE=all."
    })
  )
);

/** For both Api and WorkerApi. */
export const layer = HttpApiBuilder.group(
  WorkerApi,
  "health",
  Effect.fnUntraced(function* (handlers) {
    const services = yield* Effect.context<Store | WorkerState>().pipe(
      Effect.map(Context.pick(Store, WorkerState, FreeSpace, EngineSettings))
    );
    const downloader = yield* Effect.serviceOption(Downloader);
    const around = Option.match(downloader, {
      onNone: () => services,
      onSome: (found) => Context.add(services, Downloader, found)
    });
    const metrics = yield* MetricsText;
    return handlers
      .handle("healthz", () => Effect.succeed({ status: "ok" as const }))
      .handle("readyz", () => Effect.as(Effect.provideContext(readiness, around), { status: "ok" as const }))
      .handle("metrics", () =>
        Effect.map(metrics, (text) => HttpServerResponse.text(text, { contentType: METRICS_CONTENT_TYPE }))
      );
  })
);
