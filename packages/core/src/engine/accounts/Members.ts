/** Members of an account: invitations, and removal with what the member made. Tests: the server's members.test.ts, invitations.test.ts. */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { invitationOf, MEMBERS_MAX, parseMemberEmail, type Member } from "../../domain/access/Member.ts";
import { InvalidRequest, NotFound } from "../../domain/request/Refusal.ts";
import { Sessions } from "../../ports/Sessions.ts";
import { Store } from "../../ports/Store.ts";
import { WebhookEndpoints } from "../../ports/WebhookEndpoints.ts";
import { isId, makeId } from "../Ids.ts";

export class Members extends Context.Service<
  Members,
  {
    /**
     * Invites an address; its owner chooses at the next sign-in. The result is the same whether or not others have
     * invited it or its owner has an account. Repeating it extends the invitation. `invitedBy` is the id of a member.
     *
     * @fails InvalidRequest {param:"email"}, {reason:"too_many_members"}
     */
    readonly invite: (
      accountId: string,
      email: string,
      invitedBy?: string | null
    ) => Effect.Effect<Member, NotFound | InvalidRequest>;

    /** Members and open invitations, oldest first. */
    readonly list: (accountId: string) => Effect.Effect<ReadonlyArray<Member>>;

    /**
     * Removes a member, whose sessions end immediately, or withdraws an invitation. With `isRevoking`, also the API
     * keys, webhook endpoints and open invitations that the member made.
     */
    readonly remove: (accountId: string, id: string, isRevoking?: boolean) => Effect.Effect<void, NotFound>;
  }
>()("@winnow/core/engine/accounts/Members") {}

const tooMany = () =>
  new InvalidRequest({
    message: `The account already has ${MEMBERS_MAX} members and invitations; remove one first.`,
    details: { param: "email", reason: "too_many_members" }
  });

const noMember = () => NotFound.of("member");

/** Revokes what a member made. Safe to repeat. */
const makeRevoke = Effect.gen(function* () {
  const sessions = yield* Sessions;
  const store = yield* Store;
  const endpoints = yield* WebhookEndpoints;

  return Effect.fnUntraced(function* (accountId: string, memberId: string) {
    const isTheirs = ({ createdBy }: { readonly createdBy: string | null }) => createdBy === memberId;
    const keys = (yield* store.listApiKeys(accountId)).filter(isTheirs);
    yield* Effect.forEach(keys, ({ id }) => store.revokeApiKey(id));
    const registered = (yield* endpoints.list(accountId)).filter(isTheirs);
    yield* Effect.forEach(registered, ({ id }) => endpoints.remove(accountId, id));
    const listed = yield* sessions.listMembers(accountId, yield* Clock.currentTimeMillis);
    const invited = listed.filter(({ invitedBy, subject }) => invitedBy === memberId && subject === null);
    yield* Effect.forEach(invited, ({ id }) => sessions.removeMember(accountId, id));
  });
});

const make = Effect.gen(function* () {
  const sessions = yield* Sessions;
  const store = yield* Store;
  const revoke = yield* makeRevoke;

  const list = Effect.fn("Members.list")(function* (accountId: string) {
    return yield* sessions.listMembers(accountId, yield* Clock.currentTimeMillis);
  });

  return Members.of({
    list,

    invite: Effect.fn("Members.invite")(function* (accountId, text, invitedBy = null) {
      const email = yield* Effect.fromResult(parseMemberEmail(text));
      yield* Effect.mapError(Effect.flatMap(store.getAccount(accountId), Effect.fromOption), () =>
        NotFound.of("account")
      );
      const listed = yield* list(accountId);
      if (listed.length >= MEMBERS_MAX && !listed.some((each) => each.email === email))
        return yield* tooMany();
      const id = yield* makeId("mem");
      return yield* sessions.invite(
        invitationOf({ id, accountId, email, invitedBy }, yield* Clock.currentTimeMillis)
      );
    }),

    remove: Effect.fn("Members.remove")(function* (accountId, id, isRevoking = false) {
      const known = isId("mem", id) && (yield* list(accountId)).some((each) => each.id === id);
      if (!known) return yield* noMember();
      // First, so that a failure in between can be repeated: the member is removed last.
      if (isRevoking) yield* revoke(accountId, id);
      if (!(yield* sessions.removeMember(accountId, id))) return yield* noMember();
      // Again, for what their sessions made meanwhile; these have ended now.
      if (isRevoking) yield* revoke(accountId, id);
    })
  });
});

export const layer: Layer.Layer<Members, never, Sessions | Store | WebhookEndpoints> = Layer.effect(
  Members,
  make
);
