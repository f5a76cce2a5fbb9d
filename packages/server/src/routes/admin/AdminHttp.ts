/** Handlers of the operator's endpoints. */
import type { Account } from "@winnow/core/domain/money/Account";
import { DEFAULT_PLAN } from "@winnow/core/domain/money/Plan";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { SignIn } from "@winnow/core/engine/accounts/SignIn";
import { SourceRoutes } from "../../SourceRoutes.ts";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import { KEY_NAME_DEFAULT } from "../account/AccountWire.ts";
import { AdminApi } from "./AdminApi.ts";
import { apiOf, pageBody } from "../../http/handlers.ts";
import { PublicUrl } from "../../http/PublicUrl.ts";
import { signInUrl } from "../sign-in/SignInHttp.ts";

export const layer = HttpApiBuilder.group(
  apiOf(AdminApi),
  "admin",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts;
    const signIn = yield* SignIn;
    const publicUrl = yield* PublicUrl;
    const sourceRoutes = yield* SourceRoutes;
    const extractions = yield* Extractions;

    /** The account as the operator sees it. */
    const managed = Effect.fnUntraced(function* (account: Account) {
      const { name: plan, limits } = yield* accounts.planFor(account);
      return { ...account, plan, limits };
    });

    return handlers
      .handle(
        "listAccounts",
        Effect.fnUntraced(function* ({ query: { q = "", ...paged } }) {
          const page = yield* accounts.list({ ...paged, text: q.trim() || null });
          return pageBody({ ...page, rows: yield* Effect.forEach(page.rows, managed) });
        })
      )
      .handle("createAccount", ({ payload: { name, plan = DEFAULT_PLAN } }) =>
        Effect.andThen(accounts.checkPlan(plan), Effect.flatMap(accounts.create(name, plan), managed))
      )
      .handle("getAccount", ({ params }) => Effect.flatMap(accounts.get(params.id), managed))
      .handle("changeAccount", ({ params, payload }) =>
        Effect.flatMap(accounts.change(params.id, payload), managed)
      )
      .handle("createApiKey", ({ params, payload: { name = KEY_NAME_DEFAULT, dailyCredits } }) =>
        accounts.createApiKey(params.id, name, dailyCredits)
      )
      .handle("revokeApiKey", ({ params }) => accounts.revokeApiKey(params.id))
      .handle("topUp", ({ params, payload, headers: { "idempotency-key": key = null } }) =>
        Effect.map(accounts.topUp(params.id, payload.credits, key), (balance) => ({ balance }))
      )
      .handle("createSignInLink", ({ params }) =>
        Effect.map(signIn.createLink(params.id), ({ token, expiresAtMs }) => ({
          url: signInUrl(publicUrl, token),
          expiresAtMs
        }))
      )
      .handle("listRoutes", () => Effect.map(sourceRoutes.report, (routes) => ({ routes })))
      .handle("getRunRoute", ({ params }) =>
        Effect.map(extractions.get(params.id, params.extractionId), ({ id, status, result }) => ({
          id,
          status,
          route: result?.route ?? null
        }))
      )
      .handle("signOutEverywhere", ({ params }) => signIn.signOutEverywhere(params.id));
  })
);
