/** Wire shapes of the account endpoints, and of its members. Tests: bodies.test.ts, account.test.ts, members.test.ts. */
import * as Schema from "effect/Schema";
import { NameText } from "@winnow/core/domain/text/NameText";
import { Integer } from "@winnow/core/domain/text/Integer";
import { Credits } from "@winnow/core/domain/money/Credits";
import { LedgerKind } from "@winnow/core/domain/money/Ledger";
import { PRICE_PARTS } from "@winnow/core/domain/money/PriceParts";
import { DEFAULT_PLAN } from "@winnow/core/domain/money/Plan";
import * as Plan from "@winnow/core/domain/money/Plan";
import {
  absent,
  DateTime,
  described,
  domainFields,
  field,
  fromCore,
  pageSchema,
  TextOrNull
} from "../../http/openapi/described.ts";

const { DEFAULT_LIMITS } = Plan;

const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

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

export const PlanLimits = described(
  "PlanLimits",
  "What an account may do.",
  domainFields(Plan.PlanLimits.fields, LIMIT_FIELDS)
).annotate({ examples: [DEFAULT_LIMITS] as never });

export const AccountOverview = described(
  "AccountOverview",
  "The authenticated account; all values are from the same moment.",
  {
    id: field(Schema.String, "Id of the account.", "acc_01hzx3"),
    name: field(Schema.String, "Display name.", "Newsroom"),
    balance: field(Credits, "Credits.", 10_770),
    runningExtractions: field(count, "Extractions that hold a slot: `pending` and `running`.", 2),
    queuedExtractions: field(count, "Extractions waiting for a slot, items of batches included.", 5),
    plan: field(Schema.String, "Name of the account's plan.", DEFAULT_PLAN),
    limits: field(PlanLimits, "The account's limits."),
    aiConfigured: field(
      Schema.Boolean,
      "Whether this server has a language model; without one, a submit with a schema is rejected.",
      true
    ),
    sampleUrls: field(Schema.Array(Schema.String), "URLs that the operator suggests to try, at most three.", [
      "https://video.example/watch/42"
    ])
  }
).pipe(fromCore({ runningExtractions: "runningCount", queuedExtractions: "queuedCount" }));

const usedFields = {
  runs: field(count, "Extractions submitted, including those served from the cache.", 12),
  debited: field(Credits, "Credits debited.", 2_760),
  refunded: field(Credits, "Credits refunded for these runs, whenever that was.", 240)
};

const UsageDay = described("UsageDay", "The account's usage on one day.", {
  day: field(Schema.String, "`YYYY-MM-DD`, UTC.", "2026-11-21"),
  ...usedFields
});

const UsageOfKey = described("UsageOfKey", "What one API key used in the period.", {
  apiKeyId: field(
    TextOrNull,
    "Null for runs without a key: of signed-in people, the operator or an embedding program. A key may have been revoked since.",
    "key_01hzx3"
  ),
  apiKeyName: field(TextOrNull, "Null for runs without a key and for revoked keys.", "Nightly import"),
  ...usedFields
});

const UsageOfSchema = described("UsageOfSchema", "What extractions with one schema used in the period.", {
  schemaId: field(
    Schema.String,
    "The saved or predefined schema, which may have been deleted since.",
    "sch_01hzx3"
  ),
  ...usedFields
});

const { runs: _, ...usedCredits } = usedFields;

const UsageOfPart = described("UsageOfPart", "What one part of the price cost in the period.", {
  part: field(
    Schema.Literals(PRICE_PARTS),
    "The base fee, or the part by its place in the `price` of an extraction: `downloadBreakdown` for files, `breakdown` for what the language model read.",
    "downloadBreakdown.video"
  ),
  ...usedCredits
});

export const UsageReport = described(
  "UsageReport",
  "Usage by day, by API key, by schema and by part of the price. Deleting an extraction does not change it.",
  {
    data: field(Schema.Array(UsageDay), "One entry per day, oldest first."),
    keys: field(
      Schema.Array(UsageOfKey),
      "One entry per API key that was used in the period, the one that spent most first."
    ),
    bySchema: field(
      absent(Schema.Array(UsageOfSchema)),
      "One entry per saved or predefined schema that was used in the period, the one that cost most first; absent if none was."
    ),
    byPart: field(
      absent(Schema.Array(UsageOfPart)),
      "One entry per part of the price that was debited in the period, the one that cost most first; absent if nothing was. They add up to the credits of the days."
    )
  }
);

const LedgerItem = described(
  "LedgerEntry",
  "One change of the balance. Entries are never changed or removed.",
  {
    id: field(Schema.String, "Opaque.", "42"),
    kind: field(LedgerKind, "Kind of entry.", "debit"),
    credits: field(Integer, "Signed: negative for debits.", -230),
    balanceAfter: field(Credits, "The balance after this entry.", 10_770),
    extractionId: field(
      TextOrNull,
      "The extraction it belongs to, which may have been deleted since.",
      "ext_01hzx3"
    ),
    extractionTitle: field(
      TextOrNull,
      "Its title, or its URL while there is none; null without one or after its deletion.",
      "A talk"
    ),
    batchId: field(
      absent(Schema.String),
      "The batch it was debited for, in one entry for all items; absent otherwise."
    ),
    createdAt: field(DateTime, "When it was posted.", "2026-11-21T08:00:00.000Z"),
    note: field(Schema.String, "Why the balance changed, in plain English.", "Debited at submit")
  }
).pipe(fromCore({ createdAt: "createdAtMs" }));

export const LedgerPage = pageSchema("LedgerPage", "One page of the ledger.", LedgerItem);

const DailyCredits = Schema.NullOr(Credits).annotate({ message: "must be a number or null" });

export const ApiKeyBody = described("ApiKeyBody", "A new API key.", {
  name: field(Schema.optionalKey(NameText), 'Display name; "API key" by default.', "Nightly import"),
  dailyCredits: field(
    Schema.optionalKey(DailyCredits),
    "Credits that the key may spend per day (UTC), less the refunds of that day's runs; null, the default, for no limit.",
    5_000
  )
});

/** Name of a key created without one. */
export const KEY_NAME_DEFAULT = "API key";

/** Bodies keep the order of their fields (test/routes/bodies.txt). */
const apiKeyFields = {
  id: field(Schema.String, "Use it to revoke the key.", "key_01hzx3"),
  name: field(Schema.String, "Display name.", "Nightly import"),
  start: field(Schema.String, "First characters of the key, to tell keys apart.", "wnw_8Kd2"),
  dailyCredits: field(
    Schema.NullOr(Credits),
    "Credits that the key may spend per day (UTC); null for no limit.",
    5_000
  ),
  createdBy: field(
    TextOrNull,
    "Id of the member who created it, who may have been removed since; null for the operator and an " +
      "embedding application.",
    null
  ),
  createdAt: field(DateTime, "When it was created.", "2026-11-21T08:00:00.000Z")
};

const { createdAt, ...beforeCreation } = apiKeyFields;

const ApiKeyItem = described("ApiKeyItem", "An active API key.", {
  ...beforeCreation,
  lastUsedAt: field(
    Schema.NullOr(DateTime),
    "To the minute; null if it was never used.",
    "2026-11-21T09:12:00.000Z"
  ),
  createdAt
}).pipe(fromCore({ lastUsedAt: "lastUsedAtMs", createdAt: "createdAtMs" }));

export const ApiKeyList = described("ApiKeyList", "The active API keys of the account.", {
  data: field(Schema.Array(ApiKeyItem), "Newest first; at most 100.")
});

const { id, name, start, ...aboutKey } = apiKeyFields;

export const CreatedApiKey = described("CreatedApiKey", "A new API key.", {
  id,
  name,
  start,
  key: field(
    Schema.String,
    "Shown only once; store it safely.",
    "wnw_8Kd2xW0aYkQ3LmT6uR9pBvNcE1sHfG5jZiO7tDqXyV4rUl"
  ),
  ...aboutKey
}).pipe(fromCore({ createdAt: "createdAtMs" }));

const SessionItem = described("SessionItem", "A web session.", {
  id: field(Schema.String, "Opaque.", "ses_01hzx3"),
  current: field(Schema.Boolean, "Whether this is the session of the request.", true),
  userAgent: field(
    TextOrNull,
    "The browser's `User-Agent` at sign-in; null if it sent none.",
    "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
  ),
  createdAt: field(DateTime, "When the session started.", "2026-11-21T08:00:00.000Z"),
  expiresAt: field(DateTime, "When the session ends.", "2026-12-21T08:00:00.000Z")
}).pipe(fromCore({ createdAt: "createdAtMs", expiresAt: "expiresAtMs" }));

export const SessionList = described("SessionList", "The web sessions of the account.", {
  data: field(Schema.Array(SessionItem), "Newest first; at most 100.")
});

// Wire shapes of members.

export const MemberBody = described("MemberBody", "A member to invite.", {
  email: field(
    Schema.String,
    "E-mail address, as confirmed by the member's identity provider.",
    "ada@example.com"
  )
});

export const MemberItem = described(
  "Member",
  "A person who may sign in to the account, or is invited to it.",
  {
    id: field(Schema.String, "Opaque.", "mem_01jd0v7m3ybe1q4sc8v2k9xk5t"),
    email: field(
      TextOrNull,
      "The address they were invited with; null if they signed up without one.",
      "ada@example.com"
    ),
    name: field(
      TextOrNull,
      "Their identifier at the identity provider; null while they are invited.",
      "248289761001"
    ),
    status: field(
      Schema.Literals(["invited", "member"]),
      "`invited` until they accept the invitation.",
      "member"
    ),
    createdAt: field(DateTime, "When the member was invited, or signed up.", "2026-11-22T10:00:00.000Z"),
    expiresAt: field(Schema.NullOr(DateTime), "When the invitation expires; null for members.", null),
    invitedBy: field(
      TextOrNull,
      "Id of the member who invited them, who may have been removed since; null if it is unknown.",
      null
    )
  }
).pipe(fromCore({ name: "subject", createdAt: "createdAtMs", expiresAt: "expiresAtMs" }));

export const MemberList = described("MemberList", "The members of the account.", {
  data: field(Schema.Array(MemberItem), "Oldest first.")
});
