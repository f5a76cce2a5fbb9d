/** Handlers of endpoints about the account itself and its members. */
import { InvalidRequest } from "@winnow/core/domain/request/Refusal";
import type { Member } from "@winnow/core/domain/access/Member";
import { Members } from "@winnow/core/engine/accounts/Members";
import * as Effect from "effect/Effect";
import { apiOf, pageBody } from "../../http/handlers.ts";
import type { PageQuery } from "../../http/parameters.ts";
import { Principal, WebSession } from "../../http/authentication/Authorization.ts";
import { type ApiKeyBody, KEY_NAME_DEFAULT } from "./AccountWire.ts";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { SignIn } from "@winnow/core/engine/accounts/SignIn";
import { EngineSettings } from "@winnow/core/engine/EngineSettings";
import { Probes } from "@winnow/core/engine/extractions/Probes";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { AccountApi, SessionApi } from "./AccountApi.ts";
import { makeBilling } from "../billing/BillingHttp.ts";
import { PublicUrl } from "../../http/PublicUrl.ts";
import { clearSessionCookie } from "../sign-in/signInCookies.ts";

const withStatus = (member: Member) => ({
  ...member,
  status: member.subject === null ? ("invited" as const) : ("member" as const)
});

const makeMembers = Effect.map(Members, (members) => ({
  list: Effect.fn("http.listMembers")(function* () {
    const { accountId } = yield* Principal;
    return { data: (yield* members.list(accountId)).map(withStatus) };
  }),
  add: Effect.fn("http.addMember")(function* (email: string) {
    const { accountId, memberId } = yield* Principal;
    return withStatus(yield* members.invite(accountId, email, memberId));
  }),
  remove: Effect.fn("http.removeMember")(function* (id: string, isRevoking: boolean) {
    const { accountId } = yield* Principal;
    yield* members.remove(accountId, id, isRevoking);
  })
}));

/** The admin token is not a session and cannot be signed out. */
const noSession = () =>
  new InvalidRequest({
    message:
      "The operator's admin token is not a web session, so there is none to sign out of; DELETE /admin/v1/accounts/{id}/sessions ends those of an account.",
    details: { reason: "no_session" }
  });

/** For requests without a session of this server: there is none to end. */
const failWithoutOwnSession = Effect.flatMap(Principal, ({ via }) =>
  Effect.fail(via === "operator" ? noSession() : signedInElsewhere())
);

/** People who signed in elsewhere must sign out there; reporting success would be wrong. */
const signedInElsewhere = () =>
  new InvalidRequest({
    message: "You are signed in through the application that embeds this server; sign out there.",
    details: { reason: "own_sign_in" }
  });

export const account = HttpApiBuilder.group(
  apiOf(AccountApi),
  "account",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts;
    const { aiConfigured } = yield* Probes;
    const { sampleUrls } = yield* EngineSettings;

    const overview = Effect.fn("http.account")(function* () {
      const { accountId } = yield* Principal;
      const activity = yield* Effect.orDie(accounts.activity(accountId));
      return { ...activity.account, ...activity, aiConfigured, sampleUrls };
    });

    const ledger = Effect.fn("http.ledger")(function* (query: PageQuery) {
      const { accountId } = yield* Principal;
      return pageBody(yield* accounts.ledger(accountId, query));
    });

    const usage = Effect.fn("http.usage")(function* (days: number) {
      const { accountId } = yield* Principal;
      const usage = yield* accounts.usage(accountId, days);
      return { data: usage.days, keys: usage.keys };
    });

    const billing = yield* makeBilling;

    return handlers
      .handle("account", overview)
      .handle("usage", ({ query }) => usage(query.days))
      .handle("billing", billing.offer)
      .handle("ledger", ({ query }) => ledger(query));
  })
);

export const session = HttpApiBuilder.group(
  apiOf(SessionApi),
  "session",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts;
    const signIn = yield* SignIn;
    const publicUrl = yield* PublicUrl;

    const listApiKeys = Effect.fn("http.listApiKeys")(function* () {
      const { accountId } = yield* Principal;
      return { data: yield* accounts.listApiKeys(accountId) };
    });

    const createApiKey = Effect.fn("http.createApiKey")(function* ({
      name,
      dailyCredits
    }: typeof ApiKeyBody.Type) {
      const { accountId, memberId } = yield* Principal;
      const displayName = name ?? KEY_NAME_DEFAULT;
      return yield* accounts.createApiKey(accountId, displayName, dailyCredits, memberId);
    });

    const revokeApiKey = Effect.fn("http.revokeApiKey")(function* (id: string) {
      const { accountId } = yield* Principal;
      yield* accounts.revokeOwnApiKey(accountId, id);
    });

    const signOut = Effect.fn("http.signOut")(function* () {
      const { id } = yield* WebSession;
      if (id === null) return yield* failWithoutOwnSession;
      yield* signIn.signOut(id);
      return clearSessionCookie(HttpServerResponse.empty({ status: 204 }), publicUrl);
    });

    const listSessions = Effect.fn("http.listSessions")(function* () {
      const { accountId } = yield* Principal;
      const { id } = yield* WebSession;
      const found = id === null ? [] : yield* signIn.list(accountId);
      return { data: found.map((each) => ({ ...each, current: each.id === id })) };
    });

    const endSessions = Effect.fn("http.endSessions")(function* () {
      const { accountId } = yield* Principal;
      const { id } = yield* WebSession;
      if (id === null) return yield* failWithoutOwnSession;
      yield* Effect.orDie(signIn.signOutEverywhere(accountId));
      return clearSessionCookie(HttpServerResponse.empty({ status: 204 }), publicUrl);
    });

    const members = yield* makeMembers;
    const billing = yield* makeBilling;

    return handlers
      .handle("startTopUp", ({ payload }) => billing.topUp(payload.credits))
      .handle("listMembers", members.list)
      .handle("addMember", ({ payload }) => members.add(payload.email))
      .handle("removeMember", ({ params, query }) => members.remove(params.id, query.revoke === "true"))
      .handle("listSessions", listSessions)
      .handle("endSessions", endSessions)
      .handle("listApiKeys", listApiKeys)
      .handle("createApiKey", ({ payload }) => createApiKey(payload))
      .handle("revokeApiKey", ({ params }) => revokeApiKey(params.id))
      .handle("signOut", signOut);
  })
);
