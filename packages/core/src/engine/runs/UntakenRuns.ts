/**
 * Ends runs that no worker takes, so that a server without workers does not hold their credits for good. Every process
 * does it, because there may be no worker. Tests: Sweeper.test.ts.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schedule from "effect/Schedule";
import { retentionOf } from "../../domain/money/Plan.ts";
import { decideUntaken } from "../../domain/result/Settlement.ts";
import { Plans } from "../../ports/Plans.ts";
import type { RunFeed } from "../../ports/RunFeed.ts";
import { Store } from "../../ports/Store.ts";
import { announceEnd } from "./Runs.ts";

/** Runs wait for days: an hour more does not matter. */
const INTERVAL = "1 hour";

/** Maximum runs per query. */
const ENDED_MAX = 200;

/** Fails all runs that waited too long; returns their number. */
export const endUntaken = Effect.fn("UntakenRuns.end")(function* () {
  const store = yield* Store;
  const retention = retentionOf((yield* Plans).book());
  const nowMs = yield* Clock.currentTimeMillis;
  let count = 0;
  for (let more = true; more;) {
    const found = yield* store.findUntaken({ nowMs, retention, limit: ENDED_MAX });
    const before = count;
    for (const { accountId, extractionId } of found) {
      const { value } = yield* Effect.orDie(store.transact(accountId, decideUntaken(extractionId, nowMs)));
      if (value === null) continue;
      count += 1;
      yield* announceEnd(value);
    }
    more = count > before && found.length === ENDED_MAX;
  }
  return count;
});

/** Runs until the scope closes. */
export const layer: Layer.Layer<never, never, Store | RunFeed> = Layer.effectDiscard(
  endUntaken().pipe(
    Effect.catchCause((cause) => Effect.logWarning("Runs that no worker took could not be ended", cause)),
    Effect.repeat(Schedule.spaced(INTERVAL)),
    Effect.forkScoped
  )
);
