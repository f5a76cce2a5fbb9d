/**
 * What an account is told about itself (contract 8, "Account endpoints").
 */
import * as Schema from "effect/Schema";
import { Credits } from "@winnow/core/domain/Credits";
import { LedgerKind } from "@winnow/core/domain/Ledger";
import { DEFAULT_PLAN } from "@winnow/core/domain/Plan";
import * as Plan from "@winnow/core/domain/PlanLimits";
import { DateTime, described } from "./described.ts";

const { DEFAULT_LIMITS } = Plan;

const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

/** What each limit bounds. */
export const LIMIT_FIELDS = {
  runningMax: "Extractions that run at once.",
  waitingMax: "Extractions that may wait for a slot.",
  submitsPerMinute: "Submits a minute.",
  probesPerMinute: "Probes a minute.",
  readsPerMinute: "Reads of an extraction, its request and its result a minute.",
  othersPerMinute: "Requests a minute to each other endpoint.",
  maxDurationSec: "Longest video, in seconds.",
  retentionDays: "Days that results and files are kept.",
  webhookEndpointsMax: "Registered webhook endpoints."
};

export const PlanLimits = described(Plan.PlanLimits.fields, {
  identifier: "PlanLimits",
  description: "What an account may do.",
  fields: LIMIT_FIELDS,
  examples: [DEFAULT_LIMITS]
});

export const AccountOverview = described(
  {
    id: Schema.String,
    name: Schema.String,
    balance: Credits,
    runningExtractions: count,
    queuedExtractions: count,
    plan: Schema.String,
    limits: PlanLimits
  },
  {
    identifier: "AccountOverview",
    description: "The account that the key or session belongs to, as of one moment.",
    fields: {
      id: "Id of the account.",
      name: "For people.",
      balance: "Credits.",
      runningExtractions: "Those that hold a slot: `pending` and `running`.",
      queuedExtractions: "Those that wait for a slot.",
      plan: "Name of the plan that the limits belong to.",
      limits: "What the account may do."
    },
    examples: [
      {
        id: "acc_01hzx3",
        name: "Newsroom",
        balance: 10_770,
        runningExtractions: 2,
        queuedExtractions: 5,
        plan: DEFAULT_PLAN,
        limits: DEFAULT_LIMITS
      }
    ]
  }
);

const usageDay = { day: "2026-11-21", runs: 12, debited: 2_760, refunded: 240 };

export const UsageReport = described(
  {
    data: Schema.Array(
      described(
        { day: Schema.String, runs: count, debited: Credits, refunded: Credits },
        {
          identifier: "UsageDay",
          description: "What the account used on one day.",
          fields: {
            day: "`YYYY-MM-DD`, UTC.",
            runs: "Extractions submitted, those served from the cache included.",
            debited: "Credits debited on the day.",
            refunded: "Credits given back on the day, for runs of earlier days too."
          },
          examples: [usageDay]
        }
      )
    )
  },
  {
    identifier: "UsageReport",
    description: "Usage by day; deleting an extraction changes nothing in it.",
    fields: { data: "Oldest first, one for each day." },
    examples: [{ data: [usageDay] }]
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
  dailyCredits: 5_000,
  createdAt: "2026-11-21T08:00:00.000Z"
};

const ApiKeyItem = described(
  {
    id: Schema.String,
    name: Schema.String,
    start: Schema.NullOr(Schema.String),
    dailyCredits: Schema.NullOr(Credits),
    lastUsedAt: Schema.NullOr(DateTime),
    createdAt: DateTime
  },
  {
    identifier: "ApiKeyItem",
    description: "A key that works.",
    fields: {
      id: "For revoking it.",
      name: "For people.",
      start: "How the key begins, to tell it from others; null for old ones.",
      dailyCredits: "Credits that it may spend in a day (UTC); null for no limit of its own.",
      lastUsedAt: "To the minute; null when it was never used.",
      createdAt: "When it was made."
    },
    examples: [{ ...apiKey, lastUsedAt: "2026-11-21T09:12:00.000Z" }]
  }
);

export const ApiKeyList = described(
  { data: Schema.Array(ApiKeyItem) },
  {
    identifier: "ApiKeyList",
    description: "All API keys of the account that were not revoked.",
    fields: { data: "Newest first; 100 at most." },
    examples: [{ data: [{ ...apiKey, lastUsedAt: null }] }]
  }
);

export const CreatedApiKey = described(
  {
    id: Schema.String,
    name: Schema.String,
    start: Schema.String,
    key: Schema.String,
    dailyCredits: Schema.NullOr(Credits),
    createdAt: DateTime
  },
  {
    identifier: "CreatedApiKey",
    description: "A key that was just made.",
    fields: {
      id: "For revoking it.",
      name: "For people.",
      start: "How it begins; lists show this much of it.",
      key: "Shown only once; keep it.",
      dailyCredits: "Credits that it may spend in a day (UTC); null for no limit of its own.",
      createdAt: "When it was made."
    },
    examples: [{ ...apiKey, key: "wnw_8Kd2xW0aYkQ3LmT6uR9pBvNcE1sHfG5jZiO7tDqXyV4rUl" }]
  }
);

const webSession = {
  id: "ses_01hzx3",
  current: true,
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
  createdAt: "2026-11-21T08:00:00.000Z",
  expiresAt: "2026-12-21T08:00:00.000Z"
};

const SessionItem = described(
  {
    id: Schema.String,
    current: Schema.Boolean,
    userAgent: Schema.NullOr(Schema.String),
    createdAt: DateTime,
    expiresAt: DateTime
  },
  {
    identifier: "SessionItem",
    description: "A browser that is signed in.",
    fields: {
      id: "Opaque.",
      current: "It is the one that asks.",
      userAgent: "What the browser called itself when it signed in; null when it said nothing.",
      createdAt: "When it signed in.",
      expiresAt: "When it has to sign in again."
    },
    examples: [webSession]
  }
);

export const SessionList = described(
  { data: Schema.Array(SessionItem) },
  {
    identifier: "SessionList",
    description: "Browsers that are signed in to the account.",
    fields: { data: "Newest first; 100 at most." },
    examples: [{ data: [webSession] }]
  }
);
