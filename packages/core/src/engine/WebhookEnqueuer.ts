/**
 * Stands before a Store and adds to every decision the events of the runs that it ends (domain/Announcement),
 * then wakes the dispatcher once they are committed.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { announcing } from "../domain/Announcement.ts";
import { Store } from "../ports/Store.ts";
import { afterCommit } from "./AfterCommit.ts";
import { EngineSettings } from "./EngineSettings.ts";
import { WebhookDispatcher } from "./WebhookDispatcher.ts";

export const layer: Layer.Layer<Store, never, Store | WebhookDispatcher> = Layer.effect(
  Store,
  Effect.gen(function* () {
    const { wake } = yield* WebhookDispatcher;
    const { publicUrl } = yield* EngineSettings;
    const store = afterCommit(yield* Store, ({ deliveries }) => (deliveries.length > 0 ? wake : Effect.void));
    return Store.of({
      ...store,
      transact: (accountId, query, decide) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
          store.transact(accountId, query, announcing(decide, { publicUrl, nowMs }))
        )
    });
  })
);
