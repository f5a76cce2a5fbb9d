/**
 * Wire shapes of the account endpoints, and of its members.
 */
import * as Schema from "effect/Schema";
import { Integer } from "@winnow/core/domain/text/Integer";
import { Credits } from "@winnow/core/domain/money/Credits";
import { LedgerKind } from "@winnow/core/domain/money/Ledger";
import { DEFAULT_PLAN } from "@winnow/core/domain/money/Plan";
import * as Plan from "@winnow/core/domain/money/Plan";
import {
  absent,
  DateTime,
  described,
  domainFields,
  field,
  fromCore,
  pageSchema
} from "../../http/openapi/described.ts";

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

export const PlanLimits = described(domainFields(Plan.PlanLimits.fields, LIMIT_FIELDS), {
  identifier: "PlanLimits",
  description: "What an account may do.",
  examples: [DEFAULT_LIMITS]
});

export const AccountOverview = described(
  {
    id: field(Schema.String, "Id of the account."),
    name: field(Schema.String, "Display name."),
    balance: field(Credits, "Credits."),
    runningExtractions: field(count, "Extractions that hold a slot: `pending` and `running`."),
    queuedExtractions: field(count, "Extractions waiting for a slot, items of batches included."),
    plan: field(Schema.String, "Name of the account's plan."),
    limits: field(PlanLimits, "The account's limits."),
    aiConfigured: field(
      Schema.Boolean,
      "Whether this server has a language model; without one, a submit with a schema is rejected."
    ),
    sampleUrls: field(Schema.Array(Schema.String), "URLs that the operator suggests to try, at most three.")
  },
  {
    identifier: "AccountOverview",
    description: "The authenticated account; all values are from the same moment.",
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
).pipe(fromCore({ runningExtractions: "runningCount", queuedExtractions: "queuedCount" }));

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
    data: field(
      Schema.Array(
        described(
          {
            day: field(Schema.String, "`YYYY-MM-DD`, UTC."),
            runs: field(count, "Extractions submitted, including those served from the cache."),
            debited: field(Credits, "Credits debited on that day."),
            refunded: field(Credits, "Credits refunded for the runs of that day, whenever that was.")
          },
          {
            identifier: "UsageDay",
            description: "The account's usage on one day.",
            examples: [usageDay]
          }
        )
      ),
      "One entry per day, oldest first."
    ),
    keys: field(
      Schema.Array(
        described(
          {
            apiKeyId: field(
              Schema.NullOr(Schema.String),
              "Null for runs without a key: of signed-in people, the operator or an embedding program. A key may have been revoked since."
            ),
            apiKeyName: field(
              Schema.NullOr(Schema.String),
              "Null for runs without a key and for revoked keys."
            ),
            runs: field(count, "Extractions submitted, including those served from the cache."),
            debited: field(Credits, "Credits debited."),
            refunded: field(Credits, "Credits refunded for these runs.")
          },
          {
            identifier: "UsageOfKey",
            description: "What one API key used in the period.",
            examples: [usageOfKey]
          }
        )
      ),
      "One entry per API key that was used in the period, the one that spent most first."
    )
  },
  {
    identifier: "UsageReport",
    description: "Usage by day and by API key. Deleting an extraction does not change it.",
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
    id: field(Schema.String, "Opaque."),
    kind: field(LedgerKind, "Kind of entry."),
    credits: field(Integer, "Signed: negative for debits."),
    balanceAfter: field(Credits, "The balance after this entry."),
    extractionId: field(
      Schema.NullOr(Schema.String),
      "The extraction it belongs to, which may have been deleted since."
    ),
    extractionTitle: field(
      Schema.NullOr(Schema.String),
      "Its title, or its URL while there is none; null without one or after its deletion."
    ),
    batchId: field(
      absent(Schema.String),
      "The batch it was debited for, in one entry for all items; absent otherwise."
    ),
    createdAt: field(DateTime, "When it was posted."),
    note: field(Schema.String, "Why the balance changed, in plain English.")
  },
  {
    identifier: "LedgerEntry",
    description: "One change of the balance. Entries are never changed or removed.",
    examples: [ledgerEntry]
  }
).pipe(fromCore({ createdAt: "createdAtMs" }));

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
  {
    name: field(Schema.optionalKey(Name), 'Display name; "API key" by default.'),
    dailyCredits: field(
      Schema.optionalKey(DailyCredits),
      "Credits that the key may spend per day (UTC), less the refunds of that day's runs; null, the default, for no limit."
    )
  },
  {
    identifier: "ApiKeyBody",
    description: "A new API key.",
    examples: [{ name: "Nightly import", dailyCredits: 5_000 }]
  }
);

/** Name of a key created without one. */
export const KEY_NAME_DEFAULT = "API key";

const ApiKeyItem = described(
  {
    id: field(Schema.String, "Use it to revoke the key."),
    name: field(Schema.String, "Display name."),
    start: field(Schema.String, "First characters of the key, to tell keys apart."),
    dailyCredits: field(
      Schema.NullOr(Credits),
      "Credits that the key may spend per day (UTC); null for no limit."
    ),
    createdBy: field(
      Schema.NullOr(Schema.String),
      "Id of the member who created it, who may have been removed since; null for the operator and an " +
        "embedding application."
    ),
    lastUsedAt: field(Schema.NullOr(DateTime), "To the minute; null if it was never used."),
    createdAt: field(DateTime, "When it was created.")
  },
  {
    identifier: "ApiKeyItem",
    description: "An active API key.",
    examples: [{ ...apiKey, createdBy: null, lastUsedAt: "2026-11-21T09:12:00.000Z" }]
  }
).pipe(fromCore({ lastUsedAt: "lastUsedAtMs", createdAt: "createdAtMs" }));

export const ApiKeyList = described(
  { data: field(Schema.Array(ApiKeyItem), "Newest first; at most 100.") },
  {
    identifier: "ApiKeyList",
    description: "The active API keys of the account.",
    examples: [{ data: [{ ...apiKey, createdBy: null, lastUsedAt: null }] }]
  }
);

export const CreatedApiKey = described(
  {
    id: field(Schema.String, "Use it to revoke the key."),
    name: field(Schema.String, "Display name."),
    start: field(Schema.String, "First characters of the key, as lists show it."),
    key: field(Schema.String, "Shown only once; store it safely."),
    dailyCredits: field(
      Schema.NullOr(Credits),
      "Credits that the key may spend per day (UTC); null for no limit."
    ),
    createdBy: field(Schema.NullOr(Schema.String), "Id of the member who created it; null if it is unknown."),
    createdAt: field(DateTime, "When it was created.")
  },
  {
    identifier: "CreatedApiKey",
    description: "A new API key.",
    examples: [{ ...apiKey, createdBy: null, key: "wnw_8Kd2xW0aYkQ3LmT6uR9pBvNcE1sHfG5jZiO7tDqXyV4rUl" }]
  }
).pipe(fromCore({ createdAt: "createdAtMs" }));

const webSession = {
  id: "ses_01hzx3",
  current: true,
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
  createdAt: "2026-11-21T08:00:00.000Z",
  expiresAt: "2026-12-21T08:00:00.000Z"
};

const SessionItem = described(
  {
    id: field(Schema.String, "Opaque."),
    current: field(Schema.Boolean, "Whether this is the session of the request."),
    userAgent: field(
      Schema.NullOr(Schema.String),
      "The browser's `User-Agent` at sign-in; null if it sent none."
    ),
    createdAt: field(DateTime, "When the session started."),
    expiresAt: field(DateTime, "When the session ends.")
  },
  {
    identifier: "SessionItem",
    description: "A web session.",
    examples: [webSession]
  }
).pipe(fromCore({ createdAt: "createdAtMs", expiresAt: "expiresAtMs" }));

export const SessionList = described(
  { data: field(Schema.Array(SessionItem), "Newest first; at most 100.") },
  {
    identifier: "SessionList",
    description: "The web sessions of the account.",
    examples: [{ data: [webSession] }]
  }
);

// Wire shapes of members.

export const MemberBody = described(
  { email: field(Schema.String, "E-mail address, as confirmed by the member's identity provider.") },
  {
    identifier: "MemberBody",
    description: "A member to invite.",
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
    id: field(Schema.String, "Opaque."),
    email: field(
      Schema.NullOr(Schema.String),
      "The address they were invited with; null if they signed up without one."
    ),
    name: field(
      Schema.NullOr(Schema.String),
      "Their identifier at the identity provider; null while they are invited."
    ),
    status: field(Schema.Literals(["invited", "member"]), "`invited` until they accept the invitation."),
    createdAt: field(DateTime, "When the member was invited, or signed up."),
    expiresAt: field(Schema.NullOr(DateTime), "When the invitation expires; null for members."),
    invitedBy: field(
      Schema.NullOr(Schema.String),
      "Id of the member who invited them, who may have been removed since; null if it is unknown."
    )
  },
  {
    identifier: "Member",
    description: "A person who may sign in to the account, or is invited to it.",
    examples: [example]
  }
).pipe(fromCore({ name: "subject", createdAt: "createdAtMs", expiresAt: "expiresAtMs" }));

export const MemberList = described(
  { data: field(Schema.Array(MemberItem), "Oldest first.") },
  {
    identifier: "MemberList",
    description: "The members of the account.",
    examples: [{ data: [example] }]
  }
);
