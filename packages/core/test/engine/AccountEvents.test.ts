/** Watching an account, with a working feed and one that loses everything. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Queue from "effect/Queue";
import * as Stream from "effect/Stream";
import * as TestClock from "effect/testing/TestClock";
import {
  ACCOUNT_POLL_INTERVAL_MS,
  AccountEvents,
  type AccountEvent
} from "../../src/engine/AccountEvents.ts";
import { Runs } from "../../src/engine/Runs.ts";
import { Webhooks } from "../../src/engine/Webhooks.ts";
import { RunFeed } from "../../src/ports/RunFeed.ts";
import * as FakeDownloader from "../../src/testing/FakeDownloader.ts";
import {
  ARTICLE,
  engine,
  execute,
  openAccount,
  OPENING_BALANCE,
  ports,
  SOURCES,
  submit,
  UNSEEN,
  VIDEO,
  world
} from "./World.ts";

const shown = (event: AccountEvent): string => {
  switch (event.type) {
    case "extraction":
      return `${event.id} ${event.extraction?.status ?? "deleted"}`;
    case "progress":
      return `${event.id} ${event.progress.step ?? ""}`;
    case "balance":
      return `balance ${event.balance}`;
    case "delivery":
      return `${event.delivery.event} ${event.delivery.status}`;
  }
};

/** Events of the account's watcher, one at a time. */
const watching = Effect.fnUntraced(function* (accountId: string) {
  const heard = yield* Queue.unbounded<string>();
  const events = yield* AccountEvents.use(({ watch }) => watch(accountId));
  yield* Effect.forkScoped(Stream.runForEach(events, (event) => Queue.offer(heard, shown(event))));
  /** All events up to and including the first one equal to `last`. */
  const until = Effect.fnUntraced(function* (last: string) {
    const seen: Array<string> = [];
    while (seen.at(-1) !== last) seen.push(yield* Queue.take(heard));
    return seen;
  });
  return { until };
});

const deafFeed = Layer.succeed(
  RunFeed,
  RunFeed.of({
    publish: () => Effect.void,
    watch: () => Effect.succeed(Stream.never),
    signal: () => Effect.void,
    watchAccount: () => Effect.succeed(Stream.never)
  })
);

/** Advances the clock so that batched signals and polls are delivered. */
const passTime = TestClock.adjust(500).pipe(Effect.forever, Effect.forkScoped);

describe("the watcher of an account", () => {
  it.effect("gets the balance first, then each state of its runs and their cost", () =>
    Effect.gen(function* () {
      yield* passTime;
      const accountId = yield* openAccount();
      const stranger = yield* openAccount();
      const { until } = yield* watching(accountId);
      assert.deepStrictEqual(yield* until(`balance ${OPENING_BALANCE}`), [`balance ${OPENING_BALANCE}`]);
      yield* submit(stranger, { url: ARTICLE });
      const { extraction } = yield* submit(accountId, { url: VIDEO });
      const { id, creditsDebited } = extraction;
      assert.deepStrictEqual(yield* until(`balance ${OPENING_BALANCE - creditsDebited}`), [
        `${id} pending`,
        `balance ${OPENING_BALANCE - creditsDebited}`
      ]);
      yield* execute(extraction);
      const seen = yield* until(`${id} complete`);
      assert.isTrue(
        seen.every((line) => line.startsWith(id)),
        seen.join()
      );
    }).pipe(Effect.scoped, Effect.provide(world()))
  );

  it.effect("gets deliveries, cancellations and deletions", () =>
    Effect.gen(function* () {
      yield* passTime;
      const accountId = yield* openAccount();
      yield* Webhooks.use((webhooks) => webhooks.register(accountId, { url: "https://example.com/hook" }));
      const { until } = yield* watching(accountId);
      const { extraction } = yield* submit(accountId, { url: ARTICLE });
      yield* until(`${extraction.id} pending`);
      yield* Runs.use((runs) => runs.cancel(accountId, extraction.id));
      yield* until("extraction.failed pending");
      yield* Runs.use((runs) => runs.remove(accountId, extraction.id));
      yield* until(`${extraction.id} deleted`);
    }).pipe(Effect.scoped, Effect.provide(world()))
  );

  it.effect("gets the same events later if the feed loses everything", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction: before } = yield* submit(accountId, { url: ARTICLE });
      const { until } = yield* watching(accountId);
      yield* until(`balance ${OPENING_BALANCE - before.creditsDebited}`);
      const { extraction } = yield* submit(accountId, { url: UNSEEN });
      const balance = OPENING_BALANCE - before.creditsDebited - extraction.creditsDebited;
      yield* TestClock.adjust(ACCOUNT_POLL_INTERVAL_MS);
      assert.deepStrictEqual(yield* until(`balance ${balance}`), [
        `${extraction.id} pending`,
        `balance ${balance}`
      ]);
      yield* execute(extraction);
      yield* TestClock.adjust(ACCOUNT_POLL_INTERVAL_MS);
      const refunded = balance + extraction.creditsDebited;
      assert.deepStrictEqual(yield* until(`balance ${refunded}`), [
        `${extraction.id} failed`,
        `balance ${refunded}`
      ]);
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Layer.provideMerge(
          engine(),
          Layer.merge(
            ports({ sources: { ...SOURCES, [UNSEEN]: FakeDownloader.refuses("private") } }),
            deafFeed
          )
        )
      )
    )
  );

  it.effect("cannot watch an unknown account", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(AccountEvents.use(({ watch }) => watch("acc_none")));
      assert.strictEqual(failure.what, "account");
    }).pipe(Effect.scoped, Effect.provide(world()))
  );
});
