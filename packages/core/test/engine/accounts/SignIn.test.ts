/** How long links and sessions last, by the clock. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { TestClock } from "effect/testing";
import { DAY_MS } from "../../../src/domain/Durations.ts";
import * as AccountsModule from "../../../src/engine/accounts/Accounts.ts";
import * as SignInModule from "../../../src/engine/accounts/SignIn.ts";
import * as MemoryJobQueue from "../../../src/memory/MemoryJobQueue.ts";
import * as MemorySessions from "../../../src/memory/MemorySessions.ts";
import * as MemoryStore from "../../../src/memory/MemoryStore.ts";

const engine = SignInModule.layer.pipe(
  Layer.provideMerge(AccountsModule.layer),
  Layer.provideMerge(MemorySessions.layer),
  Layer.provideMerge(Layer.provide(MemoryStore.layer, MemoryJobQueue.layer))
);

const MINUTE_MS = 60_000;

const setup = Effect.gen(function* () {
  const accounts = yield* AccountsModule.Accounts;
  const signIn = yield* SignInModule.SignIn;
  const { id } = yield* accounts.create("Ada");
  /** A new active session. */
  const open = Effect.gen(function* () {
    const { token } = yield* signIn.createLink(id);
    return Option.getOrThrow(yield* signIn.redeem(token));
  });
  const accountOf = (token: string) =>
    Effect.map(
      signIn.authenticate(token),
      Option.map(({ accountId }) => accountId)
    );
  return { signIn, id, open, accountOf };
});

describe("signing in", () => {
  it.effect("a link works once, for a quarter of an hour", () =>
    Effect.gen(function* () {
      const { signIn, id } = yield* setup;
      const [early, late] = [yield* signIn.createLink(id), yield* signIn.createLink(id)];
      yield* TestClock.adjust(15 * MINUTE_MS - 1);
      assert.isTrue(Option.isSome(yield* signIn.redeem(early.token)));
      assert.isTrue(Option.isNone(yield* signIn.redeem(early.token)));
      yield* TestClock.adjust(1);
      assert.isTrue(Option.isNone(yield* signIn.redeem(late.token)));
    }).pipe(Effect.provide(engine))
  );

  it.effect("a session ends after 30 days, used or not", () =>
    Effect.gen(function* () {
      const { id, open, accountOf } = yield* setup;
      const { token } = yield* open;
      yield* TestClock.adjust(30 * DAY_MS - 1);
      assert.deepStrictEqual(yield* accountOf(token), Option.some(id));
      yield* TestClock.adjust(1);
      assert.deepStrictEqual(yield* accountOf(token), Option.none());
    }).pipe(Effect.provide(engine))
  );
});
