/** A process that sends webhooks and kills itself before its n-th statement: a claim, an arrival, a record. */
import { WebhookDispatcher } from "@winnow/core/engine/webhooks/WebhookDispatcher";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import * as PgConnection from "../../src/database/store/PgConnection.ts";
import { beginSteps } from "./crashSteps.ts";
import * as RecordingTransport from "./recordingTransport.ts";
import { childLogging, endWithParent, layer, workplaceOf } from "./TestEngine.ts";

endWithParent();

const workplace = workplaceOf(process.env);
const url = Redacted.make(workplace.databaseUrl);
const transport = Layer.orDie(Layer.provide(RecordingTransport.layer, PgConnection.layer({ url })));

const dispatch = Effect.gen(function* () {
  const dispatcher = yield* WebhookDispatcher;
  beginSteps();
  yield* dispatcher.run;
  return yield* Effect.never;
});

await Effect.runPromise(
  Effect.scoped(dispatch).pipe(
    Effect.provide([layer(workplace, FakeDownloader.layer({}), undefined, transport), childLogging])
  )
);
