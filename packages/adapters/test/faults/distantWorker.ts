/** A worker on a host of its own, which starts on request, once the host has its address. */
import { once } from "node:events";
import { Runs } from "@winnow/core/engine/runs/Runs";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import * as Effect from "effect/Effect";
import { SOURCES } from "./distantSources.ts";
import { childLogging, endWithParent, layer, workplaceOf } from "./TestEngine.ts";

const workplace = workplaceOf(process.env);

endWithParent();
await once(process.stdin, "data");
const work = Effect.andThen(
  Effect.flatMap(Runs, (runs) => runs.work(Number(process.env["TEST_WORKERS"]))),
  Effect.never
);
await Effect.runPromise(
  Effect.scoped(work).pipe(Effect.provide([layer(workplace, FakeDownloader.layer(SOURCES)), childLogging]))
);
