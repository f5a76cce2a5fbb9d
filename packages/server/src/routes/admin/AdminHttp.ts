/**
 * Handlers of the operator's endpoints.
 */
import type { Account } from "@winnow/core/domain/money/Account";
import { DEFAULT_PLAN } from "@winnow/core/domain/money/Plan";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { SignIn } from "@winnow/core/engine/accounts/SignIn";
import { SourceRoutes } from "../../SourceRoutes.ts";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import { type ApiKeyBody, KEY_NAME_DEFAULT } from "../account/AccountWire.ts";
import { AdminApi, type AccountBody } from "./AdminApi.ts";
import { apiOf, pageBody } from "../../http/handlers.ts";
import type { PageQuery } from "../../http/parameters.ts";
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

    const list = Effect.fn("http.listAccounts")(function* ({
      q = "",
      ...paged
    }: PageQuery & { readonly q?: string }) {
      const page = yield* accounts.list({ ...paged, text: q.trim() || null });
      return pageBody({ ...page, rows: yield* Effect.forEach(page.rows, managed) });
    });

    const create = Effect.fn("http.createAccount")(function* ({
      name,
      plan = DEFAULT_PLAN
    }: typeof AccountBody.Type) {
      yield* accounts.checkPlan(plan);
      return yield* managed(yield* accounts.create(name, plan));
    });

    const createApiKey = Effect.fn("http.createAccountApiKey")(function* (
      id: string,
      { name, dailyCredits }: typeof ApiKeyBody.Type
    ) {
      return yield* accounts.createApiKey(id, name ?? KEY_NAME_DEFAULT, dailyCredits);
    });

    const topUp = Effect.fn("http.topUpAccount")(function* (
      id: string,
      credits: number,
      key: string | undefined
    ) {
      return { balance: yield* accounts.topUp(id, credits, key ?? null) };
    });

    const createSignInLink = Effect.fn("http.createSignInLink")(function* (id: string) {
      const { token, expiresAtMs } = yield* signIn.createLink(id);
      return { url: signInUrl(publicUrl, token), expiresAtMs };
    });

    const listRoutes = Effect.map(sourceRoutes.report, (routes) => ({ routes }));

    const runRoute = Effect.fn("http.getRunRoute")(function* (accountId: string, extractionId: string) {
      const { id, result, status } = yield* extractions.get(accountId, extractionId);
      return { id, status, route: result?.route ?? null };
    });

    return handlers
      .handle("listAccounts", ({ query }) => list(query))
      .handle("createAccount", ({ payload }) => create(payload))
      .handle("getAccount", ({ params }) => Effect.flatMap(accounts.get(params.id), managed))
      .handle("changeAccount", ({ params, payload }) =>
        Effect.flatMap(accounts.change(params.id, payload), managed)
      )
      .handle("createApiKey", ({ params, payload }) => createApiKey(params.id, payload))
      .handle("revokeApiKey", ({ params }) => accounts.revokeApiKey(params.id))
      .handle("topUp", ({ params, payload, headers }) =>
        topUp(params.id, payload.credits, headers["idempotency-key"])
      )
      .handle("createSignInLink", ({ params }) => createSignInLink(params.id))
      .handle("listRoutes", () => listRoutes)
      .handle("getRunRoute", ({ params }) => runRoute(params.id, params.extractionId))
      .handle("signOutEverywhere", ({ params }) => signIn.signOutEverywhere(params.id));
  })
);
