/** A worker that takes one job, reports it, and never finishes: to be killed. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import * as PgJobQueue from "../../../src/database/queue/PgJobQueue.ts";
import * as PgConnection from "../../../src/database/store/PgConnection.ts";

const url = Redacted.make(process.env["TEST_DATABASE_URL"] ?? "");

const takeUp = Effect.gen(function* () {
  const queue = yield* JobQueue;
  yield* queue.work(1, (job) =>
    Effect.andThen(
      Effect.sync(() => process.stdout.write(`took ${job.extractionId}\n`)),
      Effect.never
    )
  );
  yield* Effect.never;
});

await Effect.runPromise(
  Effect.scoped(takeUp).pipe(
    Effect.provide(
      Layer.provide(
        PgJobQueue.layer({ leaseSeconds: Number(process.env["TEST_LEASE_SECONDS"]) }),
        PgConnection.layer({ url })
      )
    )
  )
);
