/**
 * What an account is told about itself (contract 8, "Account endpoints").
 */
import * as Schema from "effect/Schema";
import { Credits } from "@winnow/core/domain/Credits";
import { LedgerKind } from "@winnow/core/domain/Ledger";
import { DateTime, described } from "./described.ts";

const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

export const AccountOverview = described(
  {
    id: Schema.String,
    name: Schema.String,
    balance: Credits,
    runningExtractions: count,
    queuedExtractions: count
  },
  {
    identifier: "AccountOverview",
    description: "The account that the key or session belongs to, as of one moment.",
    fields: {
      id: "Id of the account.",
      name: "For people.",
      balance: "Credits.",
      runningExtractions: "Those that hold one of the two slots: `pending` and `running`.",
      queuedExtractions: "Those that wait for a slot."
    },
    examples: [
      { id: "acc_01hzx3", name: "Newsroom", balance: 10_770, runningExtractions: 2, queuedExtractions: 5 }
    ]
  }
);

const ledgerEntry = {
  id: "42",
  kind: "debit",
  credits: -230,
  balanceAfter: 10_770,
  extractionId: "ext_01hzx3",
  createdAt: "2026-11-21T08:00:00.000Z",
  note: "Extraction"
};

export const LedgerItem = described(
  {
    id: Schema.String,
    kind: LedgerKind,
    credits: Schema.Int,
    balanceAfter: Credits,
    extractionId: Schema.NullOr(Schema.String),
    createdAt: DateTime,
    note: Schema.String
  },
  {
    identifier: "LedgerEntry",
    description: "One movement of credits; never changed, never removed.",
    fields: {
      id: "Opaque.",
      kind: "What moved them.",
      credits: "Signed: negative took from the balance.",
      balanceAfter: "The balance once it was posted.",
      extractionId: "The extraction it belongs to; it may be deleted by now.",
      createdAt: "When it was posted.",
      note: "For people."
    },
    examples: [ledgerEntry]
  }
);

export const LedgerPage = described(
  { data: Schema.Array(LedgerItem), has_more: Schema.Boolean, next_cursor: Schema.NullOr(Schema.String) },
  {
    identifier: "LedgerPage",
    description: "One page of the ledger.",
    fields: {
      data: "Newest first.",
      has_more: "Whether another page follows.",
      next_cursor: "Opaque: pass it as `cursor`. Null on the last page."
    },
    examples: [{ data: [ledgerEntry], has_more: false, next_cursor: null }]
  }
);

const apiKey = {
  id: "key_01hzx3",
  name: "Nightly import",
  start: "wnw_8Kd2",
  createdAt: "2026-11-21T08:00:00.000Z"
};

const ApiKeyItem = described(
  { id: Schema.String, name: Schema.String, start: Schema.NullOr(Schema.String), createdAt: DateTime },
  {
    identifier: "ApiKeyItem",
    description: "A key that works.",
    fields: {
      id: "For revoking it.",
      name: "For people.",
      start: "How the key begins, to tell it from others; null for old ones.",
      createdAt: "When it was made."
    },
    examples: [apiKey]
  }
);

export const ApiKeyList = described(
  { data: Schema.Array(ApiKeyItem) },
  {
    identifier: "ApiKeyList",
    description: "All API keys of the account that were not revoked.",
    fields: { data: "Newest first; 100 at most." },
    examples: [{ data: [apiKey] }]
  }
);

export const CreatedApiKey = described(
  {
    id: Schema.String,
    name: Schema.String,
    start: Schema.String,
    key: Schema.String,
    createdAt: DateTime
  },
  {
    identifier: "CreatedApiKey",
    description: "A key that was just made.",
    fields: {
      id: "For revoking it.",
      name: "For people.",
      start: "How it begins; lists show this much of it.",
      key: "Shown this once; keep it.",
      createdAt: "When it was made."
    },
    examples: [{ ...apiKey, key: "wnw_8Kd2xW0aYkQ3LmT6uR9pBvNcE1sHfG5jZiO7tDqXyV4rUl" }]
  }
);
