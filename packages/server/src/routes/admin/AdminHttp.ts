/**
 * Handlers of the operator's endpoints.
 */
import type { Account } from "@winnow/core/domain/money/Account";
import type { AccountChange } from "@winnow/core/domain/run/AccountDecisions";
import { DEFAULT_PLAN } from "@winnow/core/domain/money/Plan";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { SignIn } from "@winnow/core/engine/accounts/SignIn";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import { ApiKeyBody, KEY_NAME_DEFAULT } from "../account/AccountWire.ts";
import { AccountBody, AccountChangeBody, TopUpBody } from "./AdminWire.ts";
import { AdminApi } from "./AdminApi.ts";
import { apiOf } from "../../http/handlers.ts";
import { decodedBody } from "../../http/decodedBody.ts";
import { pageLimit, pageOf } from "../../http/pages.ts";
import { PublicUrl } from "../../http/PublicUrl.ts";
import { actionRefusals, invalidRequest, keyedRefusals, notFound } from "../../http/refusals.ts";
import { signInUrl } from "../sign-in/SignInHttp.ts";
import { dateTime } from "../../http/openapi/described.ts";

export const accountResponse = ({ id, name, balance }: Account) => ({ id, name, balance });

/** The account as the operator sees it. */
export const managedAccount = Effect.fnUntraced(function* (account: Account) {
  const { name: plan, limits } = yield* Accounts.use((accounts) => accounts.planFor(account));
  return { ...accountResponse(account), owedCredits: account.owedCredits, plan, limits };
});

/** @fails InvalidRequest no such plan */
export const createManaged = Effect.fnUntraced(function* ({ name, plan = DEFAULT_PLAN }: AccountBody) {
  const accounts = yield* Accounts;
  yield* accounts.checkPlan(plan);
  return yield* managedAccount(yield* accounts.create(name, plan));
});

/** @fails NotFound, InvalidRequest no such account, no such plan */
export const changeManaged = Effect.fnUntraced(function* (id: string, change: AccountChange) {
  return yield* managedAccount(yield* Accounts.use((accounts) => accounts.change(id, change)));
});

interface AccountQuery {
  readonly limit?: string;
  readonly cursor?: string;
  readonly q?: string;
}

const listAccounts = Effect.fnUntraced(function* (query: AccountQuery) {
  const limit = yield* pageLimit(query.limit);
  const text = query.q?.trim() ?? "";
  const page = yield* Accounts.use(({ list }) =>
    list({ limit, cursor: query.cursor ?? null, text: text === "" ? null : text })
  ).pipe(Effect.catchTag("InvalidRequest", invalidRequest));
  return pageOf(yield* Effect.forEach(page.accounts, managedAccount), page.nextCursor, (account) => account);
});

export const layer = HttpApiBuilder.group(
  apiOf(AdminApi),
  "admin",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts;
    const signIn = yield* SignIn;
    const services = yield* Effect.context<Accounts>();
    const managed = (account: Account) => Effect.provideContext(managedAccount(account), services);
    const publicUrl = yield* PublicUrl;

    return handlers
      .handle("listAccounts", ({ query }) => Effect.provideContext(listAccounts(query), services))
      .handleRaw("changeAccount", ({ params, request }) =>
        Effect.flatMap(decodedBody(request, AccountChangeBody), (change) =>
          changeManaged(params.id, change).pipe(
            Effect.provideContext(services),
            Effect.catchTags(actionRefusals)
          )
        )
      )
      .handleRaw("createAccount", ({ request }) =>
        Effect.flatMap(decodedBody(request, AccountBody), (body) =>
          createManaged(body).pipe(
            Effect.provideContext(services),
            Effect.catchTag("InvalidRequest", invalidRequest)
          )
        )
      )
      .handle("getAccount", ({ params }) =>
        Effect.flatMap(Effect.catchTag(accounts.get(params.id), "NotFound", notFound), managed)
      )
      .handleRaw("createApiKey", ({ params, request }) =>
        Effect.flatMap(decodedBody(request, ApiKeyBody), ({ name, dailyCredits }) =>
          Effect.catchTags(
            accounts.createApiKey(params.id, name ?? KEY_NAME_DEFAULT, dailyCredits),
            actionRefusals
          )
        )
      )
      .handle("revokeApiKey", ({ params }) =>
        Effect.catchTag(accounts.revokeApiKey(params.id), "NotFound", notFound)
      )
      .handleRaw("topUp", ({ params, request }) =>
        Effect.flatMap(decodedBody(request, TopUpBody), ({ credits }) =>
          Effect.map(
            Effect.catchTags(
              accounts.topUp(params.id, credits, request.headers["idempotency-key"] ?? null),
              keyedRefusals
            ),
            (balance) => ({ balance })
          )
        )
      )
      .handle("createSignInLink", ({ params }) =>
        Effect.map(
          Effect.catchTag(signIn.createLink(params.id), "NotFound", notFound),
          ({ token, expiresAtMs }) => ({
            url: signInUrl(publicUrl, token),
            expiresAt: dateTime(expiresAtMs)
          })
        )
      )
      .handle("signOutEverywhere", ({ params }) =>
        Effect.catchTag(signIn.signOutEverywhere(params.id), "NotFound", notFound)
      );
  })
);
