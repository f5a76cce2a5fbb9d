/** Handlers of endpoints about the account itself and its members. */
import { InvalidRequest } from "@winnow/core/domain/request/Refusal";
import type { Member } from "@winnow/core/domain/access/Member";
import { Members } from "@winnow/core/engine/accounts/Members";
import * as Effect from "effect/Effect";
import { apiOf, pageBody } from "../../http/handlers.ts";
import { Principal, WebSession } from "../../http/authentication/Authorization.ts";
import { KEY_NAME_DEFAULT } from "./AccountWire.ts";
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

/** The admin token is not a session and cannot be signed out. */
const noSession = () =>
  new InvalidRequest({
    message:
      "The operator's admin token is not a web session, so there is none to sign out of; DELETE /admin/v1/accounts/{id}/sessions ends those of an account.",
    details: { reason: "no_session" }
  });

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
    const billing = yield* makeBilling;
    return handlers
      .handle("account", () =>
        Principal.use(({ accountId }) =>
          Effect.map(Effect.orDie(accounts.activity(accountId)), (activity) => ({
            ...activity.account,
            ...activity,
            aiConfigured,
            sampleUrls
          }))
        )
      )
      .handle("usage", ({ query }) =>
        Principal.use(({ accountId }) =>
          Effect.map(accounts.usage(accountId, query.days, query.month), ({ days: data, ...by }) => ({
            data,
            ...by
          }))
        )
      )
      .handle("billing", () => Effect.succeed(billing.offer))
      .handle("ledger", ({ query }) =>
        Principal.use(({ accountId }) => Effect.map(accounts.ledger(accountId, query), pageBody))
      );
  })
);

export const session = HttpApiBuilder.group(
  apiOf(SessionApi),
  "session",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts;
    const members = yield* Members;
    const signIn = yield* SignIn;
    const publicUrl = yield* PublicUrl;
    const billing = yield* makeBilling;

    /** Ends the request's own session, or all of its account. */
    const end = Effect.fnUntraced(function* (ending: (id: string, accountId: string) => Effect.Effect<void>) {
      const { accountId, via } = yield* Principal;
      const { id } = yield* WebSession;
      if (id === null) return yield* via === "operator" ? noSession() : signedInElsewhere();
      yield* ending(id, accountId);
      return clearSessionCookie(HttpServerResponse.empty({ status: 204 }), publicUrl);
    });

    return handlers
      .handle("startTopUp", ({ payload }) => billing.topUp(payload.credits))
      .handle("listMembers", () =>
        Principal.use(({ accountId }) =>
          Effect.map(members.list(accountId), (found) => ({ data: found.map(withStatus) }))
        )
      )
      .handle("addMember", ({ payload }) =>
        Principal.use(({ accountId, memberId }) =>
          Effect.map(members.invite(accountId, payload.email, memberId), withStatus)
        )
      )
      .handle("removeMember", ({ params, query }) =>
        Principal.use(({ accountId }) => members.remove(accountId, params.id, query.revoke === "true"))
      )
      .handle(
        "listSessions",
        Effect.fnUntraced(function* () {
          const { accountId } = yield* Principal;
          const { id } = yield* WebSession;
          const found = id === null ? [] : yield* signIn.list(accountId);
          return { data: found.map((each) => ({ ...each, current: each.id === id })) };
        })
      )
      .handle("endSessions", () => end((_, accountId) => Effect.orDie(signIn.signOutEverywhere(accountId))))
      .handle("listApiKeys", () =>
        Principal.use(({ accountId }) => Effect.map(accounts.listApiKeys(accountId), (data) => ({ data })))
      )
      .handle("createApiKey", ({ payload: { name = KEY_NAME_DEFAULT, dailyCredits } }) =>
        Principal.use(({ accountId, memberId }) =>
          accounts.createApiKey(accountId, name, dailyCredits, memberId)
        )
      )
      .handle("revokeApiKey", ({ params }) =>
        Principal.use(({ accountId }) => accounts.revokeOwnApiKey(accountId, params.id))
      )
      .handle("signOut", () => end((id) => signIn.signOut(id)));
  })
);
