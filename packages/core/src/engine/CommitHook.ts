/**
 * What follows from every decision, so that no code path can forget it: the events of ended runs are written in the
 * same transaction (domain/result/Announcement); after the commit, the dispatcher is woken, and metrics and log lines
 * are written from the changes.
 *
 * If the process is killed right after the commit, the counts are too low; the ledger is authoritative.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Metric from "effect/Metric";
import { announcing } from "../domain/result/Announcement.ts";
import type { Changes } from "../domain/run/Decision.ts";
import type { Extraction } from "../domain/run/Extraction.ts";
import { pricedFacts } from "../domain/source/SourceFacts.ts";
import type { LedgerLine } from "../domain/money/Ledger.ts";
import { isTerminal } from "../domain/run/Transition.ts";
import { present } from "../domain/text/Json.ts";
import { Store } from "../ports/Store.ts";
import * as EngineMetrics from "./EngineMetrics.ts";
import { EngineSettings } from "./EngineSettings.ts";
import { WebhookDispatcher } from "./webhooks/WebhookDispatcher.ts";

const secondsBetween = (fromMs: number, toMs: number): number => Math.max(0, toMs - fromMs) / 1_000;

const countLine = ({ kind, credits }: LedgerLine): Effect.Effect<void> => {
  if (kind === "debit") return Metric.update(EngineMetrics.creditsDebited, -credits);
  if (kind === "refund") return Metric.update(EngineMetrics.creditsRefunded, credits);
  return credits > 0 ? EngineMetrics.countPaidIn(credits, { kind }) : Effect.void;
};

/** The kind of source that a run found; until it has a result, the one that the inspection at submit saw. */
const kindOf = ({ result, seen }: Extraction): string => result?.facts.kind ?? pricedFacts(seen).kind;

const recordEnd = Effect.fnUntraced(function* (extraction: Extraction) {
  const { id, status, failure, attempt, creditsDebited, creditsRefunded } = extraction;
  const { startedAtMs, completedAtMs } = extraction;
  const kind = kindOf(extraction);
  yield* EngineMetrics.countRunEnd(1, { kind, state: status, reason: failure?.reason ?? "" });
  const seconds = startedAtMs === null ? null : secondsBetween(startedAtMs, completedAtMs ?? startedAtMs);
  if (seconds !== null) yield* EngineMetrics.timeRun(seconds, { kind, outcome: status });
  yield* Effect.logInfo("Extraction ended").pipe(
    Effect.annotateLogs({
      extractionId: id,
      status,
      kind,
      ...present({ reason: failure?.reason ?? null, cause: failure?.unreachableCause ?? null, seconds }),
      attempt,
      creditsDebited,
      creditsRefunded
    })
  );
});

const recordTransition = Effect.fnUntraced(function* (extraction: Extraction) {
  const { status, attempt, cachedFrom, startedAtMs, createdAtMs } = extraction;
  // A reused result is not a run: it is counted as a submit.
  if (cachedFrom !== null) return;
  if (isTerminal(status)) return yield* recordEnd(extraction);
  if (status === "running" && attempt === 1 && startedAtMs !== null) {
    yield* EngineMetrics.timeWait(secondsBetween(createdAtMs, startedAtMs), { kind: kindOf(extraction) });
  }
  // A dispatched run pends too, but was never started.
  if (status === "pending" && attempt > 0) yield* Metric.update(EngineMetrics.runsReleased, 1);
});

const count = (changes: Changes): Effect.Effect<void> =>
  Effect.andThen(
    Effect.forEach(changes.ledger, countLine, { discard: true }),
    Effect.forEach([...changes.inserted, ...changes.updated], recordTransition, { discard: true })
  );

/** Wraps a Store. */
export const layer: Layer.Layer<Store, never, Store | WebhookDispatcher> = Layer.effect(
  Store,
  Effect.gen(function* () {
    const store = yield* Store;
    const { wake } = yield* WebhookDispatcher;
    const { publicUrl } = yield* EngineSettings;
    yield* EngineMetrics.declare;
    const committed = (changes: Changes): Effect.Effect<void> =>
      Effect.andThen(changes.deliveries.length > 0 ? wake : Effect.void, count(changes));
    return Store.of({
      ...store,
      transact: (accountId, decider) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
          store.transact(accountId, announcing(decider, { publicUrl, nowMs }))
        ).pipe(Effect.tap(({ changes }) => committed(changes)))
    });
  })
);
