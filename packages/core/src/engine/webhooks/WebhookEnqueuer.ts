/**
 * Wraps a Store: adds the events of ended runs to every decision (domain/result/Announcement), and wakes the
 * dispatcher after the commit.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { announcing } from "../../domain/result/Announcement.ts";
import { Store } from "../../ports/Store.ts";
import { afterCommit } from "../AfterCommit.ts";
import { EngineSettings } from "../EngineSettings.ts";
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
