/**
 * Wraps Store and WebhookOutbox, and publishes committed changes of an account to the feed. Nothing depends on
 * their delivery.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { signalsOf } from "../domain/AccountSignal.ts";
import { RunFeed } from "../ports/RunFeed.ts";
import { Store } from "../ports/Store.ts";
import { WebhookOutbox } from "../ports/WebhookOutbox.ts";
import { afterCommit } from "./AfterCommit.ts";

type Signal = RunFeed["Service"]["signal"];

const signallingStore = (store: Store["Service"], signal: Signal): Store["Service"] => ({
  ...afterCommit(store, (changes, accountId) => signal(accountId, signalsOf(changes))),
  removeExpired: (query) =>
    Effect.tap(store.removeExpired(query), ({ removed }) =>
      Effect.forEach(
        Map.groupBy(removed, ({ accountId }) => accountId),
        ([accountId, runs]) =>
          signal(
            accountId,
            runs.map(({ extractionId: id }) => ({ type: "extraction", id }))
          ),
        { discard: true }
      )
    ),
  deleteExtraction: (accountId, id) =>
    Effect.tap(store.deleteExtraction(accountId, id), (deleted) =>
      Option.isSome(deleted) ? signal(accountId, [{ type: "extraction", id }]) : Effect.void
    )
});

const signallingOutbox = (outbox: WebhookOutbox["Service"], signal: Signal): WebhookOutbox["Service"] => {
  const signalDelivery = (accountId: string, id: string) => signal(accountId, [{ type: "delivery", id }]);
  return {
    ...outbox,
    insert: (delivery) =>
      Effect.andThen(outbox.insert(delivery), signalDelivery(delivery.accountId, delivery.id)),
    recordAttempt: (claimed, attempt, nowMs) =>
      Effect.tap(outbox.recordAttempt(claimed, attempt, nowMs), (recorded) =>
        recorded === null ? Effect.void : signalDelivery(recorded.accountId, recorded.id)
      ),
    redeliver: (accountId, id, nowMs) =>
      Effect.tap(outbox.redeliver(accountId, id, nowMs), ({ _tag }) =>
        _tag === "pending" ? signalDelivery(accountId, id) : Effect.void
      )
  };
};

export const layer: Layer.Layer<Store | WebhookOutbox, never, Store | WebhookOutbox | RunFeed> =
  Layer.effectContext(
    Effect.gen(function* () {
      const { signal } = yield* RunFeed;
      return Context.make(Store, signallingStore(yield* Store, signal)).pipe(
        Context.add(WebhookOutbox, signallingOutbox(yield* WebhookOutbox, signal))
      );
    })
  );
