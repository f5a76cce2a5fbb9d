import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { TestClock } from "effect/testing";
import { NotFound } from "../../../src/domain/request/Refusal.ts";
import { isSessionToken, isSignInToken } from "../../../src/domain/access/Session.ts";
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
const DAY_MS = 24 * 60 * MINUTE_MS;

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
  it.effect("a link opens a session of its account", () =>
    Effect.gen(function* () {
      const { signIn, id, accountOf } = yield* setup;
      const link = yield* signIn.createLink(id);
      assert.isTrue(isSignInToken(link.token));
      assert.strictEqual(link.expiresAtMs, 15 * MINUTE_MS);
      const session = Option.getOrThrow(yield* signIn.redeem(link.token));
      assert.isTrue(isSessionToken(session.token));
      assert.strictEqual(session.expiresAtMs, 30 * DAY_MS);
      assert.match(session.id, /^ses_/u);
      assert.deepStrictEqual(yield* accountOf(session.token), Option.some(id));
    }).pipe(Effect.provide(engine))
  );

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

  it.effect("signing out ends one session, signing out everywhere all of them and the unused links", () =>
    Effect.gen(function* () {
      const { signIn, id, open, accountOf } = yield* setup;
      const [laptop, phone] = [yield* open, yield* open];
      const unused = yield* signIn.createLink(id);
      yield* signIn.signOut(laptop.id);
      assert.deepStrictEqual(yield* accountOf(laptop.token), Option.none());
      assert.deepStrictEqual(yield* accountOf(phone.token), Option.some(id));
      yield* signIn.signOutEverywhere(id);
      assert.deepStrictEqual(yield* accountOf(phone.token), Option.none());
      assert.isTrue(Option.isNone(yield* signIn.redeem(unused.token)));
    }).pipe(Effect.provide(engine))
  );

  it.effect("one kind of token is not accepted as another, and an unknown account has no links", () =>
    Effect.gen(function* () {
      const { signIn, id, open } = yield* setup;
      const link = yield* signIn.createLink(id);
      const session = yield* open;
      assert.isTrue(Option.isNone(yield* signIn.authenticate(link.token)));
      assert.isTrue(Option.isNone(yield* signIn.redeem(session.token)));
      assert.isTrue(Option.isNone(yield* signIn.redeem("")));
      const nobody = new NotFound({ what: "account" });
      assert.deepStrictEqual(yield* Effect.flip(signIn.createLink("acc_x")), nobody);
      assert.deepStrictEqual(yield* Effect.flip(signIn.signOutEverywhere("acc_x")), nobody);
    }).pipe(Effect.provide(engine))
  );
});
