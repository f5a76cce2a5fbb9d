/**
 * Accounts, their credits and keys, as promises.
 */
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import * as Effect from "effect/Effect";
import { ApiKeyBody, KEY_NAME_DEFAULT } from "../routes/account/AccountWire.ts";
import { AccountBody, AccountChangeBody, TopUpBody } from "../routes/admin/AdminWire.ts";
import {
  accountOverview,
  apiKeyItem,
  createdApiKey,
  ledgerItem,
  usageDaysOf
} from "../routes/account/AccountHttp.ts";
import { changeManaged, createManaged } from "../routes/admin/AdminHttp.ts";
import { fitting } from "../http/decodedBody.ts";
import { pageOf } from "../http/pages.ts";
import type { Calls } from "./Calls.ts";
import type { AccountCalls, PageQuery } from "./Engine.ts";
import { limitOf } from "./extractionCalls.ts";
import { plainBody } from "./plainBody.ts";

const create = Effect.fnUntraced(function* (given: unknown) {
  return yield* createManaged(yield* fitting(yield* plainBody(given), AccountBody));
});

const change = Effect.fnUntraced(function* (accountId: string, given: unknown) {
  return yield* changeManaged(accountId, yield* fitting(yield* plainBody(given), AccountChangeBody));
});

const topUp = Effect.fnUntraced(function* (accountId: string, given: unknown, idempotencyKey: string | null) {
  const { credits } = yield* fitting(yield* plainBody(given), TopUpBody);
  const added = Accounts.use((accounts) => accounts.topUp(accountId, credits, idempotencyKey));
  return { balance: yield* added };
});

const createApiKey = Effect.fnUntraced(function* (accountId: string, given: unknown) {
  const { name = KEY_NAME_DEFAULT, dailyCredits } = yield* fitting(yield* plainBody(given), ApiKeyBody);
  const created = Accounts.use((accounts) => accounts.createApiKey(accountId, name, dailyCredits));
  return createdApiKey(yield* created);
});

const ledger = Effect.fnUntraced(function* (accountId: string, query: PageQuery) {
  const limit = yield* limitOf(query);
  const page = yield* Accounts.use((accounts) =>
    accounts.ledger(accountId, { limit, cursor: query.cursor ?? null })
  );
  return pageOf(page.entries, page.nextCursor, ledgerItem);
});

export const accountCalls = (calls: Calls<Accounts>): AccountCalls => ({
  create: (body) => calls.run(create(body)),
  change: (accountId, body) => calls.run(change(accountId, body)),
  get: (accountId) =>
    calls.run(
      Effect.map(
        Accounts.use((accounts) => accounts.activity(accountId)),
        accountOverview
      )
    ),
  topUp: (accountId, body, { idempotencyKey = null } = {}) =>
    calls.run(topUp(accountId, body, idempotencyKey)),
  createApiKey: (accountId, body = {}) => calls.run(createApiKey(accountId, body)),
  listApiKeys: (accountId) =>
    calls.run(
      Accounts.use((accounts) => accounts.listApiKeys(accountId)).pipe(
        Effect.map((keys) => ({ data: keys.map(apiKeyItem) }))
      )
    ),
  revokeApiKey: (accountId, keyId) =>
    calls.run(Accounts.use((accounts) => accounts.revokeOwnApiKey(accountId, keyId))),
  usage: (accountId, { days } = {}) =>
    calls.run(
      Effect.flatMap(usageDaysOf(days === undefined ? undefined : String(days)), (usageDays) =>
        Effect.map(
          Accounts.use((accounts) => accounts.usage(accountId, usageDays)),
          (data) => ({ data })
        )
      )
    ),
  ledger: (accountId, query = {}) => calls.run(ledger(accountId, query))
});
