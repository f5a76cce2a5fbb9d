/**
 * What every implementation of Sessions promises. The layer includes the Store whose accounts sign in.
 */
import { assert, layer as withLayer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import type * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { newSession, SESSION_TTL_MS, SIGN_IN_LINK_TTL_MS, signInLinkOf } from "../domain/Session.ts";
import type { Identity, Member } from "../domain/Member.ts";
import { Sessions } from "../ports/Sessions.ts";
import type { Store } from "../ports/Store.ts";
import { uniqueId } from "./samples.ts";
import { openAccount } from "./storeSteps.ts";

const NOW_MS = 1_700_000_000_000;

const sampleLink = (accountId: string, nowMs = NOW_MS) => signInLinkOf(accountId, uniqueId("hash"), nowMs);

const sampleSession = (nowMs = NOW_MS) => newSession(uniqueId("ses"), uniqueId("hash"), nowMs);

const sampleMember = (accountId: string): Member => ({
  id: uniqueId("mem"),
  accountId,
  email: `${uniqueId("ada")}@example.com`,
  issuer: null,
  subject: null,
  createdAtMs: NOW_MS
});

const sampleIdentity = (overrides: Partial<Identity> = {}) => ({
  issuer: "https://issuer.example",
  subject: uniqueId("subject"),
  email: null,
  name: null,
  ...overrides
});

/** A live session of the account. */
const open = Effect.fnUntraced(function* (accountId: string, nowMs = NOW_MS) {
  const sessions = yield* Sessions;
  const link = sampleLink(accountId, nowMs);
  yield* sessions.createLink(link);
  return Option.getOrThrow(yield* sessions.redeemLink(link.hash, sampleSession(nowMs)));
});

export const suite = <E>(name: string, layer: Layer.Layer<Sessions | Store, E>): void =>
  withLayer(layer, { excludeTestServices: true })(`Sessions: ${name}`, (it) => {
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

    it.effect("a member is matched by address at the first sign-in, then by the issuer's id", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const accountId = yield* openAccount();
        const waiting = sampleMember(accountId);
        assert.deepStrictEqual(yield* sessions.addMember(waiting), Option.some(waiting));
        const ada = sampleIdentity({ email: waiting.email });
        const opened = Option.getOrThrow(yield* sessions.admit(ada, sampleSession()));
        assert.strictEqual(opened.accountId, accountId);
        assert.deepStrictEqual(opened.member, { id: waiting.id, issuer: ada.issuer, subject: ada.subject });
        assert.deepStrictEqual(yield* sessions.findSession(opened.hash, NOW_MS), Option.some(opened));
        const { issuer, subject } = ada;
        assert.deepStrictEqual(yield* sessions.listMembers(accountId), [{ ...waiting, issuer, subject }]);
        // Their address changed, and another person has it now.
        const renamed = yield* sessions.admit({ ...ada, email: null }, sampleSession());
        assert.isTrue(Option.isSome(renamed));
        const heir = sampleIdentity({ email: waiting.email });
        assert.deepStrictEqual(yield* sessions.admit(heir, sampleSession()), Option.none());
      })
    );

    it.effect(
      "people who are not members are rejected, and so is another issuer's person with the same id",
      () =>
        Effect.gen(function* () {
          const sessions = yield* Sessions;
          const { issuer, subject } = sampleIdentity();
          const member = { ...sampleMember(yield* openAccount()), issuer, subject };
          const { email } = member;
          yield* sessions.addMember(member);
          const admit = (overrides: Partial<Identity>) =>
            sessions.admit({ issuer, subject, email: null, name: null, ...overrides }, sampleSession());
          assert.isTrue(Option.isSome(yield* admit({})));
          assert.deepStrictEqual(yield* admit({ issuer: uniqueId("issuer") }), Option.none());
          assert.deepStrictEqual(yield* admit({ subject: uniqueId("subject") }), Option.none());
          // A member who has signed in is no longer matched by address.
          assert.deepStrictEqual(yield* admit({ subject: uniqueId("subject"), email }), Option.none());
          assert.deepStrictEqual(yield* admit({ subject: uniqueId("subject"), email: null }), Option.none());
        })
    );

    it.effect("an address can be added to one account, and adding it again returns the same member", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const [mine, otherAccount] = [yield* openAccount(), yield* openAccount()];
        const member = sampleMember(mine);
        yield* sessions.addMember(member);
        const again = { ...sampleMember(mine), email: member.email };
        assert.deepStrictEqual(yield* sessions.addMember(again), Option.some(member));
        const elsewhere = { ...sampleMember(otherAccount), email: member.email };
        assert.deepStrictEqual(yield* sessions.addMember(elsewhere), Option.none());
        assert.deepStrictEqual(yield* sessions.listMembers(otherAccount), []);
        const later = { ...sampleMember(mine), createdAtMs: NOW_MS + 1 };
        yield* sessions.addMember(later);
        assert.deepStrictEqual(yield* sessions.listMembers(mine), [member, later]);
      })
    );

    it.effect("twenty concurrent first sign-ins of one member all become that member", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const member = sampleMember(yield* openAccount());
        yield* sessions.addMember(member);
        const ada = sampleIdentity({ email: member.email });
        const tries = Array.from({ length: 20 }, () => sessions.admit(ada, sampleSession()));
        const opened = yield* Effect.all(tries, { concurrency: 20 });
        for (const each of opened) assert.strictEqual(Option.getOrThrow(each).member?.id, member.id);
      })
    );

    it.effect("a removed member is signed out at once, and no one else", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const [accountId, otherAccount] = [yield* openAccount(), yield* openAccount()];
        const members = [sampleMember(accountId), sampleMember(accountId)] as const;
        yield* Effect.forEach(members, sessions.addMember);
        const open = ({ email }: Member) =>
          Effect.map(sessions.admit(sampleIdentity({ email }), sampleSession()), Option.getOrThrow);
        const [removed, stays] = [yield* open(members[0]), yield* open(members[1])];
        assert.isFalse(yield* sessions.removeMember(otherAccount, members[0].id));
        assert.isTrue(yield* sessions.removeMember(accountId, members[0].id));
        assert.isFalse(yield* sessions.removeMember(accountId, members[0].id));
        assert.deepStrictEqual(yield* sessions.findSession(removed.hash, NOW_MS), Option.none());
        assert.deepStrictEqual(yield* sessions.findSession(stays.hash, NOW_MS), Option.some(stays));
        const { issuer = "", subject = "" } = removed.member ?? {};
        const back = yield* sessions.admit({ issuer, subject, email: null, name: null }, sampleSession());
        assert.deepStrictEqual(back, Option.none());
      })
    );
  });
