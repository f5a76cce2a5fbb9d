/**
 * Handlers of the operator's endpoints.
 */
import type { Account } from "@winnow/core/domain/Account";
import { Accounts } from "@winnow/core/engine/Accounts";
import { SignIn } from "@winnow/core/engine/SignIn";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import { AccountBody, ApiKeyBody, TopUpBody } from "../api/AdminWire.ts";
import { Api } from "../api/Api.ts";
import { decodedBody } from "./decodedBody.ts";
import { pageLimit } from "./pageLimit.ts";
import { PublicUrl } from "./PublicUrl.ts";
import { actionRefusals, invalidRequest, keyedRefusals, notFound } from "./refusals.ts";
import { signInUrl } from "./SignInHttp.ts";
import { dateTime, pageOf } from "./wire.ts";

/** Of a key that was given none. */
export const KEY_NAME_DEFAULT = "API key";

export const accountResponse = ({ id, name, balance }: Account) => ({ id, name, balance });

interface AccountQuery {
  readonly limit?: string;
  readonly cursor?: string;
  readonly q?: string;
}

export const layer = HttpApiBuilder.group(
  Api,
  "admin",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts;
    const signIn = yield* SignIn;
    const publicUrl = yield* PublicUrl;
    const listAccounts = Effect.fnUntraced(function* (query: AccountQuery) {
      const limit = yield* pageLimit(query.limit);
      const text = query.q?.trim() ?? "";
      const page = yield* accounts
        .list({ limit, cursor: query.cursor ?? null, text: text === "" ? null : text })
        .pipe(Effect.catchTag("InvalidRequest", invalidRequest));
      return pageOf(page.accounts, page.nextCursor, accountResponse);
    });

    return handlers
      .handle("listAccounts", ({ query }) => listAccounts(query))
      .handleRaw("changeAccount", ({ params, request }) =>
        Effect.flatMap(decodedBody(request, AccountBody), ({ name }) =>
          Effect.map(Effect.catchTag(accounts.rename(params.id, name), "NotFound", notFound), accountResponse)
        )
      )
      .handleRaw("createAccount", ({ request }) =>
        Effect.map(
          Effect.flatMap(decodedBody(request, AccountBody), ({ name }) => accounts.create(name)),
          accountResponse
        )
      )
      .handle("getAccount", ({ params }) =>
        Effect.map(Effect.catchTag(accounts.get(params.id), "NotFound", notFound), accountResponse)
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
