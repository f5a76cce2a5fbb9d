/**
 * What every implementation of Sessions promises. The layer includes the Store whose accounts sign in.
 */
import { assert, layer as withLayer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import type * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import {
  newSession,
  SESSION_TTL_MS,
  SIGN_IN_LINK_TTL_MS,
  signInLinkOf
} from "@winnow/core/domain/access/Session";
import { Sessions } from "@winnow/core/ports/Sessions";
import type { Store } from "@winnow/core/ports/Store";
import { uniqueId } from "../samples/samples.ts";
import { members } from "./SessionsMembers.ts";
import { openAccount } from "../samples/storeSteps.ts";

const NOW_MS = 1_700_000_000_000;

const sampleLink = (accountId: string, nowMs = NOW_MS) => signInLinkOf(accountId, uniqueId("hash"), nowMs);

const sampleSession = (nowMs = NOW_MS) => newSession(uniqueId("ses"), uniqueId("hash"), nowMs);

/** A live session of the account. */
const open = Effect.fnUntraced(function* (accountId: string, nowMs = NOW_MS) {
  const sessions = yield* Sessions;
  const link = sampleLink(accountId, nowMs);
  yield* sessions.createLink(link);
  return Option.getOrThrow(yield* sessions.redeemLink(link.hash, sampleSession(nowMs)));
});

export const suite = <E>(name: string, layer: Layer.Layer<Sessions | Store, E>): void =>
  withLayer(layer, { excludeTestServices: true })(`Sessions: ${name}`, (it) => {
    members(it);

    it.effect("a link opens a session of its account once", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const accountId = yield* openAccount();
        const link = sampleLink(accountId);
        yield* sessions.createLink(link);
        const session = sampleSession(NOW_MS + 1);
        const opened = { ...session, accountId, member: null };
        assert.deepStrictEqual(yield* sessions.redeemLink(link.hash, session), Option.some(opened));
        assert.deepStrictEqual(yield* sessions.redeemLink(link.hash, sampleSession()), Option.none());
        assert.deepStrictEqual(yield* sessions.findSession(session.hash, NOW_MS), Option.some(opened));
      })
    );

    it.effect("of fifty concurrent redemptions of a link, exactly one gets a session", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const accountId = yield* openAccount();
        const link = sampleLink(accountId);
        yield* sessions.createLink(link);
        const tries = Array.from({ length: 50 }, () => sampleSession());
        const results = yield* Effect.forEach(tries, (session) => sessions.redeemLink(link.hash, session), {
          concurrency: 50
        });
        assert.strictEqual(results.filter(Option.isSome).length, 1);
        const found = yield* Effect.forEach(tries, ({ hash }) => sessions.findSession(hash, NOW_MS));
        assert.deepStrictEqual(found, results);
      })
    );

    it.effect("a link works until its last millisecond and not afterwards", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const accountId = yield* openAccount();
        const [early, late] = [sampleLink(accountId), sampleLink(accountId)];
        yield* Effect.forEach([early, late], sessions.createLink);
        const endMs = NOW_MS + SIGN_IN_LINK_TTL_MS;
        const inTime = yield* sessions.redeemLink(early.hash, sampleSession(endMs - 1));
        assert.isTrue(Option.isSome(inTime));
        assert.deepStrictEqual(yield* sessions.redeemLink(late.hash, sampleSession(endMs)), Option.none());
        assert.deepStrictEqual(yield* sessions.redeemLink(uniqueId("hash"), sampleSession()), Option.none());
      })
    );

    it.effect("a session ends at its expiry", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const session = yield* open(yield* openAccount());
        const find = (nowMs: number) => sessions.findSession(session.hash, nowMs);
        assert.deepStrictEqual(yield* find(NOW_MS + SESSION_TTL_MS - 1), Option.some(session));
        assert.deepStrictEqual(yield* find(NOW_MS + SESSION_TTL_MS), Option.none());
        assert.deepStrictEqual(yield* sessions.findSession(uniqueId("hash"), NOW_MS), Option.none());
      })
    );

    it.effect("a revoked session ends at once, and no other", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const accountId = yield* openAccount();
        const [laptop, phone] = [yield* open(accountId), yield* open(accountId)];
        yield* sessions.revokeSession(laptop.id);
        yield* sessions.revokeSession(laptop.id);
        assert.deepStrictEqual(yield* sessions.findSession(laptop.hash, NOW_MS), Option.none());
        assert.deepStrictEqual(yield* sessions.findSession(phone.hash, NOW_MS), Option.some(phone));
      })
    );

    it.effect("revoking all ends every session and unused link of this account only", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const [accountId, otherAccount] = [yield* openAccount(), yield* openAccount()];
        const [laptop, phone, otherDevice] = [
          yield* open(accountId),
          yield* open(accountId),
          yield* open(otherAccount)
        ];
        const [link, theirLink] = [sampleLink(accountId), sampleLink(otherAccount)];
        yield* Effect.forEach([link, theirLink], sessions.createLink);
        yield* sessions.revokeAll(accountId);
        for (const { hash } of [laptop, phone]) {
          assert.deepStrictEqual(yield* sessions.findSession(hash, NOW_MS), Option.none());
        }
        assert.deepStrictEqual(yield* sessions.redeemLink(link.hash, sampleSession()), Option.none());
        assert.deepStrictEqual(
          yield* sessions.findSession(otherDevice.hash, NOW_MS),
          Option.some(otherDevice)
        );
        assert.isTrue(Option.isSome(yield* sessions.redeemLink(theirLink.hash, sampleSession())));
      })
    );

    it.effect("active sessions of an account are listed newest first, with their browsers", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const [accountId, otherAccount] = [yield* openAccount(), yield* openAccount()];
        const older = yield* open(accountId);
        const link = sampleLink(accountId, NOW_MS + 5);
        yield* sessions.createLink(link);
        const named = newSession(uniqueId("ses"), uniqueId("hash"), NOW_MS + 5, "A".repeat(1_000));
        const newer = Option.getOrThrow(yield* sessions.redeemLink(link.hash, named));
        assert.strictEqual(newer.userAgent, "A".repeat(300));
        const otherSession = yield* open(otherAccount);
        const list = (nowMs: number) => sessions.listSessions(accountId, nowMs);
        assert.deepStrictEqual(yield* list(NOW_MS + 5), [newer, older]);
        assert.deepStrictEqual(yield* list(NOW_MS + SESSION_TTL_MS), [newer]);
        yield* sessions.revokeSession(newer.id);
        assert.deepStrictEqual(yield* list(NOW_MS + 5), [older]);
        assert.deepStrictEqual(yield* sessions.listSessions(otherAccount, NOW_MS), [otherSession]);
      })
    );

    it.effect("sweeping removes only expired sessions and links", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const accountId = yield* openAccount();
        const [live, unused] = [yield* open(accountId), sampleLink(accountId)];
        yield* sessions.createLink(unused);
        yield* open(accountId, NOW_MS + 1);
        assert.isTrue(Option.isSome(yield* sessions.findSession(live.hash, NOW_MS + 1)));
        assert.isTrue(Option.isSome(yield* sessions.redeemLink(unused.hash, sampleSession(NOW_MS + 2))));
      })
    );

    it.effect("a link can be looked up without redeeming it", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const link = sampleLink(yield* openAccount());
        yield* sessions.createLink(link);
        assert.deepStrictEqual(yield* sessions.findLink(link.hash, NOW_MS), Option.some(link));
        assert.deepStrictEqual(yield* sessions.findLink(link.hash, link.expiresAtMs), Option.none());
        assert.deepStrictEqual(yield* sessions.findLink(uniqueId("hash"), NOW_MS), Option.none());
        assert.isTrue(Option.isSome(yield* sessions.redeemLink(link.hash, sampleSession())));
        assert.deepStrictEqual(yield* sessions.findLink(link.hash, NOW_MS), Option.none());
      })
    );
  });
