/**
 * Wire shapes of the account endpoints, and of its members.
 */
import * as Schema from "effect/Schema";
import { Credits } from "@winnow/core/domain/money/Credits";
import { LedgerKind } from "@winnow/core/domain/money/Ledger";
import { DEFAULT_PLAN } from "@winnow/core/domain/money/Plan";
import * as Plan from "@winnow/core/domain/money/Plan";
import { DateTime, described, pageSchema } from "../../http/openapi/described.ts";

const { DEFAULT_LIMITS } = Plan;

const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

/** Maximum length of the name of an account or key, in characters: names are shown in lists. */
const NAME_CHARS_MAX = 200;

export const Name = Schema.String.check(
  Schema.isPattern(new RegExp(`^(?=.*\\S)[\\s\\S]{1,${NAME_CHARS_MAX}}$`, "u"), {
    message: `must be 1 to ${NAME_CHARS_MAX} characters, not all blank`
  })
);

/** Descriptions of the limits. */
export const LIMIT_FIELDS = {
  runningMax: "Extractions that can run at once.",
  waitingMax: "Extractions that can wait for a slot.",
  submitsPerMinute: "Submits per minute.",
  probesPerMinute: "Probes per minute.",
  readsPerMinute: "Reads of an extraction, its request and its result per minute.",
  othersPerMinute: "Requests per minute to each other endpoint.",
  maxDurationSec: "Maximum duration of a video in seconds.",
  retentionDays: "Retention of results and files in days.",
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
    limits: PlanLimits,
    aiConfigured: Schema.Boolean,
    sampleUrls: Schema.Array(Schema.String)
  },
  {
    identifier: "AccountOverview",
    description: "The authenticated account; all values are from the same moment.",
    fields: {
      id: "Id of the account.",
      name: "Display name.",
      balance: "Credits.",
      runningExtractions: "Extractions that hold a slot: `pending` and `running`.",
      queuedExtractions: "Extractions waiting for a slot, items of batches included.",
      plan: "Name of the account's plan.",
      limits: "The account's limits.",
      aiConfigured:
        "Whether this server has a language model; without one, a submit with a schema is rejected.",
      sampleUrls: "URLs that the operator suggests to try, at most three."
    },
    examples: [
      {
        id: "acc_01hzx3",
        name: "Newsroom",
        balance: 10_770,
        runningExtractions: 2,
        queuedExtractions: 5,
        plan: DEFAULT_PLAN,
        limits: DEFAULT_LIMITS,
        aiConfigured: true,
        sampleUrls: ["https://video.example/watch/42"]
      }
    ]
  }
);

const usageDay = { day: "2026-11-21", runs: 12, debited: 2_760, refunded: 240 };

const usageOfKey = {
  apiKeyId: "key_01hzx3",
  apiKeyName: "Nightly import",
  runs: 12,
  debited: 2_760,
  refunded: 240
};

export const UsageReport = described(
  {
    data: Schema.Array(
      described(
        { day: Schema.String, runs: count, debited: Credits, refunded: Credits },
        {
          identifier: "UsageDay",
          description: "The account's usage on one day.",
          fields: {
            day: "`YYYY-MM-DD`, UTC.",
            runs: "Extractions submitted, including those served from the cache.",
            debited: "Credits debited on that day.",
            refunded: "Credits refunded for the runs of that day, whenever that was."
          },
          examples: [usageDay]
        }
      )
    ),
    keys: Schema.Array(
      described(
        {
          apiKeyId: Schema.NullOr(Schema.String),
          apiKeyName: Schema.NullOr(Schema.String),
          runs: count,
          debited: Credits,
          refunded: Credits
        },
        {
          identifier: "UsageOfKey",
          description: "What one API key used in the period.",
          fields: {
            apiKeyId:
              "Null for runs without a key: of signed-in people, the operator or an embedding program. A key may have been revoked since.",
            apiKeyName: "Null for runs without a key and for revoked keys.",
            runs: "Extractions submitted, including those served from the cache.",
            debited: "Credits debited.",
            refunded: "Credits refunded for these runs."
          },
          examples: [usageOfKey]
        }
      )
    )
  },
  {
    identifier: "UsageReport",
    description: "Usage by day and by API key. Deleting an extraction does not change it.",
    fields: {
      data: "One entry per day, oldest first.",
      keys: "One entry per API key that was used in the period, the one that spent most first."
    },
    examples: [{ data: [usageDay], keys: [usageOfKey] }]
  }
);

const ledgerEntry = {
  id: "42",
  kind: "debit",
  credits: -230,
  balanceAfter: 10_770,
  extractionId: "ext_01hzx3",
  extractionTitle: "A talk",
  createdAt: "2026-11-21T08:00:00.000Z",
  note: "Debited at submit"
};

const LedgerItem = described(
  {
    id: Schema.String,
    kind: LedgerKind,
    credits: Schema.Int,
    balanceAfter: Credits,
    extractionId: Schema.NullOr(Schema.String),
    extractionTitle: Schema.NullOr(Schema.String),
    batchId: Schema.optionalKey(Schema.String),
    createdAt: DateTime,
    note: Schema.String
  },
  {
    identifier: "LedgerEntry",
    description: "One change of the balance. Entries are never changed or removed.",
    fields: {
      id: "Opaque.",
      kind: "Kind of entry.",
      credits: "Signed: negative for debits.",
      balanceAfter: "The balance after this entry.",
      extractionId: "The extraction it belongs to, which may have been deleted since.",
      extractionTitle: "Its title, or its URL while there is none; null without one or after its deletion.",
      batchId: "The batch it was debited for, in one entry for all items; absent otherwise.",
      createdAt: "When it was posted.",
      note: "Why the balance changed, in plain English."
    },
    examples: [ledgerEntry]
  }
);

export const LedgerPage = pageSchema(LedgerItem, {
  identifier: "LedgerPage",
  description: "One page of the ledger.",
  example: ledgerEntry
});

const apiKey = {
  id: "key_01hzx3",
  name: "Nightly import",
  start: "wnw_8Kd2",
  dailyCredits: 5_000,
  createdAt: "2026-11-21T08:00:00.000Z"
};

const DailyCredits = Schema.NullOr(Credits).annotate({ message: "Expected number or null" });

export const ApiKeyBody = described(
  { name: Schema.optionalKey(Name), dailyCredits: Schema.optionalKey(DailyCredits) },
  {
    identifier: "ApiKeyBody",
    description: "A new API key.",
    fields: {
      name: 'Display name; "API key" by default.',
      dailyCredits:
        "Credits that the key may spend per day (UTC), less the refunds of that day's runs; null, the default, for no limit."
    },
    examples: [{ name: "Nightly import", dailyCredits: 5_000 }]
  }
);

/** Name of a key created without one. */
export const KEY_NAME_DEFAULT = "API key";

const ApiKeyItem = described(
  {
    id: Schema.String,
    name: Schema.String,
    start: Schema.String,
    dailyCredits: Schema.NullOr(Credits),
    createdBy: Schema.NullOr(Schema.String),
    lastUsedAt: Schema.NullOr(DateTime),
    createdAt: DateTime
  },
  {
    identifier: "ApiKeyItem",
    description: "An active API key.",
    fields: {
      id: "Use it to revoke the key.",
      name: "Display name.",
      start: "First characters of the key, to tell keys apart.",
      dailyCredits: "Credits that the key may spend per day (UTC); null for no limit.",
      createdBy:
        "Id of the member who created it, who may have been removed since; null for the operator and an " +
        "embedding application.",
      lastUsedAt: "To the minute; null if it was never used.",
      createdAt: "When it was created."
    },
    examples: [{ ...apiKey, createdBy: null, lastUsedAt: "2026-11-21T09:12:00.000Z" }]
  }
);

export const ApiKeyList = described(
  { data: Schema.Array(ApiKeyItem) },
  {
    identifier: "ApiKeyList",
    description: "The active API keys of the account.",
    fields: { data: "Newest first; at most 100." },
    examples: [{ data: [{ ...apiKey, createdBy: null, lastUsedAt: null }] }]
  }
);

export const CreatedApiKey = described(
  {
    id: Schema.String,
    name: Schema.String,
    start: Schema.String,
    key: Schema.String,
    dailyCredits: Schema.NullOr(Credits),
    createdBy: Schema.NullOr(Schema.String),
    createdAt: DateTime
  },
  {
    identifier: "CreatedApiKey",
    description: "A new API key.",
    fields: {
      id: "Use it to revoke the key.",
      name: "Display name.",
      start: "First characters of the key, as lists show it.",
      key: "Shown only once; store it safely.",
      dailyCredits: "Credits that the key may spend per day (UTC); null for no limit.",
      createdBy: "Id of the member who created it; null if it is unknown.",
      createdAt: "When it was created."
    },
    examples: [{ ...apiKey, createdBy: null, key: "wnw_8Kd2xW0aYkQ3LmT6uR9pBvNcE1sHfG5jZiO7tDqXyV4rUl" }]
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
    description: "A web session.",
    fields: {
      id: "Opaque.",
      current: "Whether this is the session of the request.",
      userAgent: "The browser's `User-Agent` at sign-in; null if it sent none.",
      createdAt: "When the session started.",
      expiresAt: "When the session ends."
    },
    examples: [webSession]
  }
);

export const SessionList = described(
  { data: Schema.Array(SessionItem) },
  {
    identifier: "SessionList",
    description: "The web sessions of the account.",
    fields: { data: "Newest first; at most 100." },
    examples: [{ data: [webSession] }]
  }
);

// Wire shapes of members.

export const MemberBody = described(
  { email: Schema.String },
  {
    identifier: "MemberBody",
    description: "A member to invite.",
    fields: { email: "E-mail address, as confirmed by the member's identity provider." },
    examples: [{ email: "ada@example.com" }]
  }
);

const example = {
  id: "mem_01jd0v7m3ybe1q4sc8v2k9xk5t",
  email: "ada@example.com",
  name: "248289761001",
  status: "member",
  createdAt: "2026-11-22T10:00:00.000Z",
  expiresAt: null,
  invitedBy: null
} as const;

export const MemberItem = described(
  {
    id: Schema.String,
    email: Schema.NullOr(Schema.String),
    name: Schema.NullOr(Schema.String),
    status: Schema.Literals(["invited", "member"]),
    createdAt: DateTime,
    expiresAt: Schema.NullOr(DateTime),
    invitedBy: Schema.NullOr(Schema.String)
  },
  {
    identifier: "Member",
    description: "A person who may sign in to the account, or is invited to it.",
    fields: {
      id: "Opaque.",
      email: "The address they were invited with; null if they signed up without one.",
      name: "Their identifier at the identity provider; null while they are invited.",
      status: "`invited` until they accept the invitation.",
      createdAt: "When the member was invited, or signed up.",
      expiresAt: "When the invitation expires; null for members.",
      invitedBy: "Id of the member who invited them, who may have been removed since; null if it is unknown."
    },
    examples: [example]
  }
);

export const MemberList = described(
  { data: Schema.Array(MemberItem) },
  {
    identifier: "MemberList",
    description: "The members of the account.",
    fields: { data: "Oldest first." },
    examples: [{ data: [example] }]
  }
);
