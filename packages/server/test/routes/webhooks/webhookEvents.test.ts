/** Receivers are sent what the result endpoint returns. */
import { assert, layer } from "@effect/vitest";
import { Inbox, layer as transport } from "@winnow/testing/fakes/FakeWebhookTransport";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { ARTICLE, CAROUSEL, PRIVATE, TestApp, VIDEO } from "../../TestApp.ts";
import { lookUntil } from "../../lookUntil.ts";

/** One transport, shared by the app and by the test, which reads its inbox. */
const app = TestApp.with({ webhooks: transport }).pipe(Layer.provideMerge(transport));

layer(app, { excludeTestServices: true })("an event", (it) => {
  it.effect("has exactly the response of the result endpoint, for any outcome", () =>
    Effect.gen(function* () {
      const { account, call, finished } = yield* TestApp;
      const { received } = yield* Inbox;
      const owner = yield* account(5_000);
      for (const [source, event] of [
        [{ url: VIDEO }, "extraction.completed"],
        [{ url: VIDEO, range: { startSec: 65, endSec: 150.5 } }, "extraction.completed"],
        [{ url: CAROUSEL }, "extraction.completed"],
        [{ url: ARTICLE }, "extraction.completed"],
        [{ url: ARTICLE }, "extraction.completed"], // from the cache
        [{ url: PRIVATE }, "extraction.failed"]
      ] as const) {
        const id = yield* finished(owner, { ...source, webhookUrl: "https://hooks.example/" });
        const arrived = yield* lookUntil(
          Effect.sync(() => received().find(({ text }) => text.includes(id))),
          (request) => request !== undefined
        );
        const { json } = yield* call(`/v1/extractions/${id}/result`, owner);
        assert.deepStrictEqual(JSON.parse(arrived?.text ?? ""), { event, data: json });
        assert.deepStrictEqual(json.range, "range" in source ? source.range : undefined);
        assert.strictEqual(arrived?.headers["X-Service-Event"], event);
      }
    })
  );
});
