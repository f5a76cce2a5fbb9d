/**
 * What every implementation of Sessions promises. The layer includes the Store whose accounts sign in.
 * Run by MemorySessions.test.ts, PgSessions.test.ts.
 */
import { assert, layer as withLayer, type Vitest } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import {
  INVITATION_TTL_MS,
  INVITATIONS_SHOWN_MAX,
  invitationOf,
  type Identity,
  type Member
} from "@winnow/core/domain/access/Member";
import { Sessions } from "@winnow/core/ports/Sessions";
import type { Store } from "@winnow/core/ports/Store";
import { uniqueId } from "../samples/samples.ts";
import { openAccount } from "../samples/StoreSteps.ts";
import type * as Layer from "effect/Layer";
import {
  newSession,
  SESSION_TTL_MS,
  SIGN_IN_LINK_TTL_MS,
  signInLinkOf
} from "@winnow/core/domain/access/Session";

// Members and invitations.

const NOW_MS = 1_700_000_000_000;

const uniqueEmail = () => `${uniqueId("ada")}@example.com`;

const sampleInvitation = (accountId: string, email = uniqueEmail(), nowMs = NOW_MS): Member =>
  invitationOf({ id: uniqueId("mem"), accountId, email, invitedBy: null }, nowMs);

const sampleIdentity = (overrides: Partial<Identity> = {}): Identity => ({
  issuer: "https://issuer.example",
  subject: uniqueId("subject"),
  email: null,
  name: null,
  ...overrides
});

/** A member who signed up. */
const sampleMember = (accountId: string, { issuer, subject, email }: Identity): Member => ({
  ...sampleInvitation(accountId),
  email,
  issuer,
  subject,
  expiresAtMs: null
});

/** The member after they accepted. */
const accepted = (invitation: Member, { issuer, subject }: Identity): Member => ({
  ...invitation,
  issuer,
  subject,
  expiresAtMs: null
});

type Tests = Vitest.MethodsNonLive<Sessions | Store>;

const members = (it: Tests): void => {
  it.effect("an invitation admits nobody until its person accepts it, and then them by the issuer's id", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions;
      const accountId = yield* openAccount();
      const invitation = sampleInvitation(accountId);
      assert.deepStrictEqual(yield* sessions.invite(invitation), invitation);
      const ada = sampleIdentity({ email: invitation.email });
      assert.deepStrictEqual(yield* sessions.admit(ada, sampleSession()), Option.none());
      assert.deepStrictEqual(yield* sessions.findMember(ada), Option.none());
      assert.isTrue(yield* sessions.accept(invitation.id, ada, NOW_MS));
      const member = accepted(invitation, ada);
      assert.deepStrictEqual(yield* sessions.findMember(ada), Option.some(member));
      assert.deepStrictEqual(yield* sessions.listMembers(accountId, NOW_MS), [member]);
      const session = sampleSession();
      const { issuer, subject } = ada;
      const opened = { ...session, accountId, member: { id: member.id, issuer, subject } };
      // Their address changed.
      assert.deepStrictEqual(yield* sessions.admit({ ...ada, email: null }, session), Option.some(opened));
      assert.deepStrictEqual(yield* sessions.findSession(opened.hash, NOW_MS), Option.some(opened));
      for (const other of [{ issuer: uniqueId("issuer") }, { subject: uniqueId("subject") }]) {
        assert.deepStrictEqual(
          yield* sessions.admit({ ...ada, ...other }, sampleSession()),
          Option.none(),
          "the address alone admits nobody"
        );
      }
    })
  );

  it.effect("several accounts can invite one address, and none of them learns of the others", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions;
      const [mine, other] = [yield* openAccount(), yield* openAccount()];
      const email = uniqueEmail();
      const [first, second] = [
        sampleInvitation(mine, email),
        sampleInvitation(other, email, NOW_MS + 1)
      ] as const;
      assert.deepStrictEqual(yield* sessions.invite(first), first);
      assert.deepStrictEqual(yield* sessions.invite(second), second);
      assert.deepStrictEqual(yield* sessions.listMembers(mine, NOW_MS), [first]);
      assert.deepStrictEqual(yield* sessions.listMembers(other, NOW_MS), [second]);
      assert.deepStrictEqual(yield* sessions.listInvitations(email, NOW_MS), [first, second]);
      const ada = sampleIdentity({ email });
      assert.isTrue(yield* sessions.accept(second.id, ada, NOW_MS));
      assert.isFalse(yield* sessions.accept(first.id, ada, NOW_MS), "a person has one account");
      assert.deepStrictEqual(yield* sessions.listMembers(mine, NOW_MS), [first], "no trace of the other");
    })
  );

  it.effect("inviting an address again extends the invitation, and returns a member as they are", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions;
      const accountId = yield* openAccount();
      const invitation = sampleInvitation(accountId);
      const email = invitation.email ?? "";
      yield* sessions.invite(invitation);
      const again = sampleInvitation(accountId, email, NOW_MS + 5);
      const extended = { ...invitation, expiresAtMs: again.expiresAtMs };
      assert.deepStrictEqual(yield* sessions.invite(again), extended);
      assert.deepStrictEqual(yield* sessions.listMembers(accountId, NOW_MS), [extended]);
      const ada = sampleIdentity({ email });
      yield* sessions.accept(invitation.id, ada, NOW_MS);
      const member = accepted(invitation, ada);
      assert.deepStrictEqual(yield* sessions.invite(sampleInvitation(accountId, email)), member);
      assert.deepStrictEqual(yield* sessions.listMembers(accountId, NOW_MS), [member]);
    })
  );

  it.effect("an invitation expires, and can be made again", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions;
      const accountId = yield* openAccount();
      const invitation = sampleInvitation(accountId);
      const email = invitation.email ?? "";
      yield* sessions.invite(invitation);
      const endMs = NOW_MS + INVITATION_TTL_MS;
      assert.lengthOf(yield* sessions.listInvitations(email, endMs - 1), 1);
      assert.deepStrictEqual(yield* sessions.listInvitations(email, endMs), []);
      assert.deepStrictEqual(yield* sessions.listMembers(accountId, endMs), []);
      const ada = sampleIdentity({ email });
      assert.isFalse(yield* sessions.accept(invitation.id, ada, endMs));
      yield* sessions.invite(sampleInvitation(accountId, email, endMs));
      assert.isTrue(yield* sessions.accept(invitation.id, ada, endMs));
    })
  );

  it.effect("only the owner of the address can accept", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions;
      const invitation = sampleInvitation(yield* openAccount());
      yield* sessions.invite(invitation);
      for (const email of [null, uniqueEmail(), `x${invitation.email}`]) {
        assert.isFalse(yield* sessions.accept(invitation.id, sampleIdentity({ email }), NOW_MS));
      }
      const ada = sampleIdentity({ email: invitation.email });
      assert.isFalse(yield* sessions.accept(uniqueId("mem"), ada, NOW_MS));
      assert.isTrue(yield* sessions.accept(invitation.id, ada, NOW_MS));
      const heir = sampleIdentity({ email: invitation.email });
      assert.isFalse(yield* sessions.accept(invitation.id, heir, NOW_MS));
      assert.deepStrictEqual(yield* sessions.admit(heir, sampleSession()), Option.none());
    })
  );

  it.effect("of twenty concurrent acceptances by one person, exactly one succeeds", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions;
      const email = uniqueEmail();
      const invitations = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        Effect.flatMap(openAccount(), (accountId) => sessions.invite(sampleInvitation(accountId, email)))
      );
      assert.lengthOf(yield* sessions.listInvitations(email, NOW_MS), INVITATIONS_SHOWN_MAX);
      const ada = sampleIdentity({ email });
      const results = yield* Effect.forEach(invitations, ({ id }) => sessions.accept(id, ada, NOW_MS), {
        concurrency: 20
      });
      assert.lengthOf(results.filter(Boolean), 1);
      const chosen = invitations[results.indexOf(true)];
      const member = Option.getOrThrow(yield* sessions.findMember(ada));
      assert.strictEqual(member.id, chosen?.id);
    })
  );

  it.effect("a person who signed up is a member of that account, and signing up twice changes nothing", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions;
      const [mine, other] = [yield* openAccount(), yield* openAccount()];
      const ada = sampleIdentity();
      const member = sampleMember(mine, ada);
      yield* sessions.addMember(member);
      yield* sessions.addMember(sampleMember(other, ada));
      assert.deepStrictEqual(yield* sessions.findMember(ada), Option.some(member));
      assert.deepStrictEqual(yield* sessions.listMembers(other, NOW_MS), []);
    })
  );

  it.effect("a removed member is signed out at once, and no one else", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions;
      const [accountId, otherAccount] = [yield* openAccount(), yield* openAccount()];
      const people = [sampleIdentity(), sampleIdentity()] as const;
      const members = people.map((person) => sampleMember(accountId, person)) as [Member, Member];
      yield* Effect.forEach(members, sessions.addMember);
      const open = (person: Identity) =>
        Effect.map(sessions.admit(person, sampleSession()), Option.getOrThrow);
      const [removed, stays] = [yield* open(people[0]), yield* open(people[1])];
      assert.isFalse(yield* sessions.removeMember(otherAccount, members[0].id));
      assert.isTrue(yield* sessions.removeMember(accountId, members[0].id));
      assert.isFalse(yield* sessions.removeMember(accountId, members[0].id));
      assert.deepStrictEqual(yield* sessions.findSession(removed.hash, NOW_MS), Option.none());
      assert.deepStrictEqual(yield* sessions.findSession(stays.hash, NOW_MS), Option.some(stays));
      assert.deepStrictEqual(yield* sessions.admit(people[0], sampleSession()), Option.none());
    })
  );
};

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
        assert.strictEqual(yield* sessions.revokedAllCount(accountId), 1);
        assert.strictEqual(yield* sessions.revokedAllCount(otherAccount), 0);
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
