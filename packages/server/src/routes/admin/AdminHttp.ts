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
import { answered, apiOf } from "../../http/handlers.ts";
import { decodedBody } from "../../http/requestBody.ts";
import { pageLimit, pageOf } from "../../http/pages.ts";
import { PublicUrl } from "../../http/PublicUrl.ts";
import { signInUrl } from "../sign-in/SignInHttp.ts";
import { dateTime } from "../../http/openapi/described.ts";

const accountResponse = ({ id, name, balance }: Account) => ({ id, name, balance });

/** The account as the operator sees it. */
const managedAccount = Effect.fnUntraced(function* (account: Account) {
  const { name: plan, limits } = yield* Accounts.use((accounts) => accounts.planFor(account));
  return { ...accountResponse(account), owedCredits: account.owedCredits, plan, limits };
});

/** @fails InvalidRequest no such plan */
const createManaged = Effect.fnUntraced(function* ({ name, plan = DEFAULT_PLAN }: AccountBody) {
  const accounts = yield* Accounts;
  yield* accounts.checkPlan(plan);
  return yield* managedAccount(yield* accounts.create(name, plan));
});

/** @fails NotFound, InvalidRequest no such account, no such plan */
const changeManaged = Effect.fnUntraced(function* (id: string, change: AccountChange) {
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
  );
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
      .handle("listAccounts", ({ query }) => answered(Effect.provideContext(listAccounts(query), services)))
      .handleRaw("changeAccount", ({ params, request }) =>
        answered(
          Effect.flatMap(decodedBody(request, AccountChangeBody), (change) =>
            Effect.provideContext(changeManaged(params.id, change), services)
          )
        )
      )
      .handleRaw("createAccount", ({ request }) =>
        answered(
          Effect.flatMap(decodedBody(request, AccountBody), (body) =>
            Effect.provideContext(createManaged(body), services)
          )
        )
      )
      .handle("getAccount", ({ params }) => answered(Effect.flatMap(accounts.get(params.id), managed)))
      .handleRaw("createApiKey", ({ params, request }) =>
        answered(
          Effect.flatMap(decodedBody(request, ApiKeyBody), ({ name, dailyCredits }) =>
            accounts.createApiKey(params.id, name ?? KEY_NAME_DEFAULT, dailyCredits)
          )
        )
      )
      .handle("revokeApiKey", ({ params }) => answered(accounts.revokeApiKey(params.id)))
      .handleRaw("topUp", ({ params, request }) =>
        answered(
          Effect.flatMap(decodedBody(request, TopUpBody), ({ credits }) =>
            Effect.map(
              accounts.topUp(params.id, credits, request.headers["idempotency-key"] ?? null),
              (balance) => ({ balance })
            )
          )
        )
      )
      .handle("createSignInLink", ({ params }) =>
        answered(
          Effect.map(signIn.createLink(params.id), ({ token, expiresAtMs }) => ({
            url: signInUrl(publicUrl, token),
            expiresAt: dateTime(expiresAtMs)
          }))
        )
      )
      .handle("signOutEverywhere", ({ params }) => answered(signIn.signOutEverywhere(params.id)));
  })
);
