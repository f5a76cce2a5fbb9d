/** A worker on a host of its own, which starts on request, once the host has its addresses. */
import { once } from "node:events";
import { Worker } from "@winnow/core/engine/runs/Worker";
import * as Effect from "effect/Effect";
import { distantLayer } from "./distantEngine.ts";
import { endWithParent } from "./TestEngine.ts";

endWithParent();
await once(process.stdin, "data");
const work = Effect.andThen(
  Effect.flatMap(Worker, (worker) => worker.work(Number(process.env["TEST_WORKERS"]))),
  Effect.never
);
await Effect.runPromise(Effect.scoped(work).pipe(Effect.provide(distantLayer(process.env))));
