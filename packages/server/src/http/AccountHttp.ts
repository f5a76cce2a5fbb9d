/**
 * Handlers of what an account asks about itself.
 */
import { apiKeyStart, type ApiKeyRecord } from "@winnow/core/domain/ApiKey";
import type { LedgerEntry } from "@winnow/core/domain/Ledger";
import { Accounts, type AccountActivity, type CreatedApiKey } from "@winnow/core/engine/Accounts";
import { SignIn } from "@winnow/core/engine/SignIn";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { ApiKeyBody } from "../api/AdminWire.ts";
import { Api } from "../api/Api.ts";
import { InvalidRequest } from "../api/ApiErrors.ts";
import { Principal, WebSession } from "../api/Authorization.ts";
import { KEY_NAME_DEFAULT } from "./AdminHttp.ts";
import { decodedBody } from "./decodedBody.ts";
import { pageLimit } from "./pageLimit.ts";
import { PublicUrl } from "./PublicUrl.ts";
import { actionRefusals, invalidRequest, notFound } from "./refusals.ts";
import { clearSessionCookie } from "./sessionCookie.ts";
import { dateTime, pageOf } from "./wire.ts";

export const ledgerItem = (entry: LedgerEntry) => ({
  id: entry.id,
  kind: entry.kind,
  credits: entry.credits,
  balanceAfter: entry.balanceAfter,
  extractionId: entry.extractionId,
  createdAt: dateTime(entry.createdAtMs),
  note: entry.note
});

export const accountOverview = ({ account, runningCount, queuedCount }: AccountActivity) => ({
  id: account.id,
  name: account.name,
  balance: account.balance,
  runningExtractions: runningCount,
  queuedExtractions: queuedCount
});

export const apiKeyItem = ({ id, name, start, createdAtMs }: ApiKeyRecord) => ({
  id,
  name,
  start,
  createdAt: dateTime(createdAtMs)
});

/** The only answer that holds the key. */
export const createdApiKey = ({ id, name, key, createdAtMs }: CreatedApiKey) => ({
  id,
  name,
  start: apiKeyStart(key),
  key,
  createdAt: dateTime(createdAtMs)
});

/** Who signed in elsewhere must sign out there: saying that it is done would be a lie. */
const signedInElsewhere = () =>
  new InvalidRequest({
    error: {
      message: "You are signed in by the application around this server; sign out there.",
      details: { reason: "own_sign_in" }
    }
  });

export const account = HttpApiBuilder.group(
  Api,
  "account",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts;

    const overview = Effect.fn("http.account")(function* () {
      const { accountId } = yield* Principal;
      return accountOverview(yield* Effect.orDie(accounts.activity(accountId)));
    });

    const ledger = Effect.fn("http.ledger")(function* (query: { limit?: string; cursor?: string }) {
      const { accountId } = yield* Principal;
      const limit = yield* pageLimit(query.limit);
      const page = yield* accounts
        .ledger(accountId, { limit, cursor: query.cursor ?? null })
        .pipe(Effect.catchTag("InvalidRequest", invalidRequest));
      return pageOf(page.entries, page.nextCursor, ledgerItem);
    });

    return handlers.handle("account", overview).handle("ledger", ({ query }) => ledger(query));
  })
);

export const session = HttpApiBuilder.group(
  Api,
  "session",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts;
    const signIn = yield* SignIn;
    const publicUrl = yield* PublicUrl;

    const listApiKeys = Effect.fn("http.listApiKeys")(function* () {
      const { accountId } = yield* Principal;
      return { data: (yield* accounts.listApiKeys(accountId)).map(apiKeyItem) };
    });

    const createApiKey = Effect.fn("http.createApiKey")(function* (request: HttpServerRequest) {
      const { accountId } = yield* Principal;
      const { name } = yield* decodedBody(request, ApiKeyBody);
      const created = yield* accounts
        .createApiKey(accountId, name ?? KEY_NAME_DEFAULT)
        .pipe(Effect.catchTags(actionRefusals));
      return createdApiKey(created);
    });

    const revokeApiKey = Effect.fn("http.revokeApiKey")(function* (id: string) {
      const { accountId } = yield* Principal;
      yield* accounts.revokeOwnApiKey(accountId, id).pipe(Effect.catchTag("NotFound", notFound));
    });

    const signOut = Effect.fn("http.signOut")(function* () {
      const { id } = yield* WebSession;
      if (id === null) return yield* signedInElsewhere();
      yield* signIn.signOut(id);
      return clearSessionCookie(HttpServerResponse.empty({ status: 204 }), publicUrl);
    });

    return handlers
      .handle("listApiKeys", listApiKeys)
      .handleRaw("createApiKey", ({ request }) => createApiKey(request))
      .handle("revokeApiKey", ({ params }) => revokeApiKey(params.id))
      .handle("signOut", signOut);
  })
);
