/**
 * Events of an account for one watcher, from all processes: signals of the feed, with the data read from the
 * store, and regular polling of the store, because the feed may lose signals.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import type { AccountSignal } from "../domain/AccountSignal.ts";
import type { Extraction } from "../domain/Extraction.ts";
import { NotFound } from "../domain/Refusal.ts";
import type { RunProgress } from "../domain/RunProgress.ts";
import type { WebhookDelivery } from "../domain/WebhookDelivery.ts";
import { RunFeed } from "../ports/RunFeed.ts";
import { Store } from "../ports/Store.ts";
import { WebhookOutbox } from "../ports/WebhookOutbox.ts";

/** Signals are collected for this time, so that frequent changes are read once. */
export const GATHERED_MS = 100;

/** Maximum signals per batch. */
const GATHERED_MAX = 256;

/** A poll reads two short lists and the account's row. */
export const ACCOUNT_POLL_INTERVAL_MS = 10_000;

/** Newest extractions read per poll. */
const READS_MAX = 20;

/** Maximum extractions whose state a watcher remembers. */
const REMEMBERED_MAX = 1_000;

export type AccountEvent =
  /** Current state; null if it was deleted. */
  | { readonly type: "extraction"; readonly id: string; readonly extraction: Extraction | null }
  | { readonly type: "progress"; readonly id: string; readonly progress: RunProgress }
  | { readonly type: "balance"; readonly balance: number }
  | { readonly type: "delivery"; readonly delivery: WebhookDelivery };

export class AccountEvents extends Context.Service<
  AccountEvents,
  {
    /** The current balance first, then events from now on. Ends with its scope. */
    readonly watch: (accountId: string) => Effect.Effect<Stream.Stream<AccountEvent>, NotFound, Scope.Scope>;
  }
>()("@winnow/core/engine/AccountEvents") {}

const stateOf = ({ status, attempt }: Extraction): string => `${status} ${attempt}`;

/** What one watcher has already received, to avoid duplicates. */
class SentStates {
  private balance: number | null = null;
  private readonly states = new Map<string, string>();

  isNewBalance(balance: number): boolean {
    const isNew = balance !== this.balance;
    this.balance = balance;
    return isNew;
  }

  isNew(extraction: Extraction): boolean {
    const state = stateOf(extraction);
    if (this.states.get(extraction.id) === state) return false;
    this.states.delete(extraction.id);
    this.states.set(extraction.id, state);
    const [oldest] = this.states.keys();
    if (this.states.size > REMEMBERED_MAX && oldest !== undefined) this.states.delete(oldest);
    return true;
  }
}

type Ports = Context.Context<Store | WebhookOutbox>;

const distinct = (signals: ReadonlyArray<AccountSignal>, type: "extraction" | "delivery") => [
  ...new Set(signals.flatMap((signal) => (signal.type === type ? [signal.id] : [])))
];

const readBalance = Effect.fnUntraced(function* (accountId: string, sent: SentStates) {
  const account = Option.getOrNull(yield* Store.use((store) => store.getAccount(accountId)));
  return account !== null && sent.isNewBalance(account.balance)
    ? [{ type: "balance" as const, balance: account.balance }]
    : [];
});

const readExtraction = Effect.fnUntraced(function* (accountId: string, id: string, sent: SentStates) {
  const extraction = Option.getOrNull(yield* Store.use((store) => store.getExtraction(accountId, id)));
  const isNew = extraction === null || sent.isNew(extraction);
  return isNew ? [{ type: "extraction" as const, id, extraction }] : [];
});

const readDelivery = Effect.fnUntraced(function* (accountId: string, id: string) {
  const found = Option.getOrNull(yield* WebhookOutbox.use((outbox) => outbox.get(accountId, id)));
  return found === null ? [] : [{ type: "delivery" as const, delivery: found.delivery }];
});

/** The newest event of each run. */
const progressOf = (signals: ReadonlyArray<AccountSignal>): ReadonlyArray<AccountEvent> => {
  const moved = new Set(distinct(signals, "extraction"));
  const newest = new Map(
    signals.flatMap((signal) =>
      signal.type === "progress" && !moved.has(signal.id) ? [[signal.id, signal]] : []
    )
  );
  return [...newest.values()];
};

/** If the store does not respond, nothing is emitted: the next poll catches up. */
const readAll = (accountId: string, sent: SentStates, signals: ReadonlyArray<AccountSignal>) =>
  Effect.gen(function* () {
    const events: Array<AccountEvent> = [...progressOf(signals)];
    for (const id of distinct(signals, "extraction"))
      events.push(...(yield* readExtraction(accountId, id, sent)));
    if (signals.some(({ type }) => type === "balance")) events.push(...(yield* readBalance(accountId, sent)));
    for (const id of distinct(signals, "delivery")) events.push(...(yield* readDelivery(accountId, id)));
    return events;
  }).pipe(Effect.catchDefect(() => Effect.succeed<ReadonlyArray<AccountEvent>>([])));

/** The newest extractions and those that ended since `sinceMs`. */
const recent = (accountId: string, sinceMs: number) =>
  Store.use((store) =>
    Effect.all([
      store.listExtractions(accountId, { after: null, limit: READS_MAX }),
      store.listEnded(accountId, { sinceMs, limit: READS_MAX })
    ])
  ).pipe(Effect.map((lists) => lists.flat()));

/** Changes since the last poll that the feed did not report. */
const makePoll = (accountId: string, sent: SentStates, openedAtMs: number) => {
  let sinceMs = openedAtMs;
  return Effect.gen(function* () {
    const nowMs = yield* Clock.currentTimeMillis;
    const missed = (yield* recent(accountId, sinceMs)).filter((extraction) => sent.isNew(extraction));
    // Transactions do not commit in order, so the time ranges of polls overlap.
    sinceMs = nowMs - ACCOUNT_POLL_INTERVAL_MS;
    const events: ReadonlyArray<AccountEvent> = missed.map((extraction) => ({
      type: "extraction",
      id: extraction.id,
      extraction
    }));
    return [...events, ...(yield* readBalance(accountId, sent))];
  }).pipe(Effect.catchDefect(() => Effect.succeed<ReadonlyArray<AccountEvent>>([])));
};

const watch = Effect.fn("AccountEvents.watch")(function* (accountId: string, ports: Ports) {
  const { watchAccount } = yield* RunFeed;
  const { getAccount } = yield* Store;
  // Subscribed before the first poll, so that nothing in between is missed.
  const signals = yield* watchAccount(accountId);
  if (Option.isNone(yield* getAccount(accountId))) return yield* new NotFound({ what: "account" });
  const sent = new SentStates();
  const openedAtMs = yield* Clock.currentTimeMillis;
  for (const extraction of yield* recent(accountId, openedAtMs)) sent.isNew(extraction);
  const polled = Effect.delay(makePoll(accountId, sent, openedAtMs), ACCOUNT_POLL_INTERVAL_MS);
  const signalled = Stream.groupedWithin(signals, GATHERED_MAX, GATHERED_MS).pipe(
    Stream.mapEffect((gathered) => readAll(accountId, sent, gathered))
  );
  const events = Stream.merge(signalled, Stream.fromEffectRepeat(polled)).pipe(
    Stream.flatMap((some) => Stream.fromIterable(some)),
    Stream.provideContext(ports)
  );
  return Stream.concat(Stream.fromIterable<AccountEvent>(yield* readBalance(accountId, sent)), events);
});

export const layer: Layer.Layer<AccountEvents, never, Store | WebhookOutbox | RunFeed> = Layer.effect(
  AccountEvents,
  Effect.gen(function* () {
    const ports = Context.make(Store, yield* Store).pipe(Context.add(WebhookOutbox, yield* WebhookOutbox));
    const feed = yield* RunFeed;
    return AccountEvents.of({
      watch: (accountId) =>
        watch(accountId, ports).pipe(Effect.provideContext(ports), Effect.provideService(RunFeed, feed))
    });
  })
);
