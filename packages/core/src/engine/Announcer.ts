/**
 * Stands before a Store and adds to every decision the events of the runs that it ends (domain/Announcement),
 * then wakes the dispatcher once they are committed.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Result from "effect/Result";
import { announcing } from "../domain/Announcement.ts";
import type { Decider } from "../domain/Decision.ts";
import { Store, type ViewQuery } from "../ports/Store.ts";
import { EngineSettings } from "./EngineSettings.ts";
import { WebhookDispatcher } from "./WebhookDispatcher.ts";

export const layer: Layer.Layer<Store, never, Store | WebhookDispatcher> = Layer.effect(
  Store,
  Effect.gen(function* () {
    const store = yield* Store;
    const { wake } = yield* WebhookDispatcher;
    const { publicUrl } = yield* EngineSettings;

    const transact = Effect.fnUntraced(function* <A, E>(
      accountId: string,
      query: ViewQuery,
      decide: Decider<A, E>
    ) {
      const announced = announcing(decide, { publicUrl, nowMs: yield* Clock.currentTimeMillis });
      let isDue = false;
      const value = yield* store.transact<A, E>(accountId, query, (view) => {
        const decision = announced(view);
        isDue = Result.isSuccess(decision) && decision.success.changes.deliveries.length > 0;
        return decision;
      });
      if (isDue) yield* wake;
      return value;
    });

    return Store.of({ ...store, transact });
  })
);
