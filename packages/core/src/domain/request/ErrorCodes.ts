/** Codes of errors, and what client and agents say of each, by `npm run generate`. Tests: the examples' troubleshooting.test.ts. */

/** What refusals with the same code have in common. */
export interface CodeRow {
  /** For agents, after the message; null if that says what to do. */
  readonly remedy: string | null;
  /** Better ones by `details.reason`. */
  readonly remedies?: Readonly<Record<string, string>>;
  /** Values of `details.reason` that the client's types know. */
  readonly reasons?: string;
  /** What `details.reason` tells, where its values do not say it. */
  readonly reasonMeans?: string;
  /** The reasons of failed runs are among them. */
  readonly hasFailureReasons?: true;
  /** Other members of `details` that they know, as TypeScript, and what each means. */
  readonly details?: Readonly<Record<string, string>>;
}

const FIELD = { "param?: string": "The invalid field, query parameter or header." };

/** Stable; messages are not. */
export const CODES = {
  unauthorized: { remedy: "Tell the user that the API key is missing or invalid." },
  invalid_request: {
    remedy: "Correct the argument and call again.",
    remedies: {
      price_above_limit:
        "Nothing was debited. Ask the user before you call again with a higher maxCredits, or request fewer " +
        "`parts` or `inputs`."
    },
    reasons: "requires_schema unknown_field ai_not_configured speech_not_configured price_above_limit",
    details: {
      ...FIELD,
      "credits?: number": "With `price_above_limit`: the price.",
      "maxCredits?: number": "With `price_above_limit`: the limit of the request."
    }
  },
  invalid_url: {
    remedy: null,
    reasons: "not_absolute backslash control_character unparseable too_long",
    details: FIELD
  },
  unsupported_url: {
    remedy: null,
    reasons:
      "scheme credentials channel playlist search not_a_listing empty_listing live host_not_public not_extractable duration_exceeded",
    details: {
      ...FIELD,
      "durationSec?: number | null":
        "With `duration_exceeded`, in seconds; null if the source does not state it.",
      "maxDurationSec?: number": "With `duration_exceeded`, in seconds."
    }
  },
  insufficient_credits: {
    remedy:
      "Nothing was debited. Request fewer `parts` or `inputs`, or tell the user that the account needs more " +
      "credits.",
    remedies: {
      daily_credits: "Nothing was debited. Tell the user; cached results and reading remain free."
    },
    reasons: "daily_credits",
    reasonMeans: "The key's limit of the day, not the balance.",
    details: { "balance: number": "Of the account, in credits.", "cost: number": "In credits." }
  },
  content_unavailable: {
    remedy: "Retrying does not help; use a URL that anyone can open.",
    hasFailureReasons: true
  },
  rate_limited: {
    remedy: "Try again in 60 s.",
    reasons: "queue_full too_many_streams open_downloads refunded_model_use",
    details: {
      "waitingMax?: number": "With `queue_full`: the limit on waiting extractions.",
      "maxStreams?: number": "With `too_many_streams`.",
      "maxDownloads?: number": "With `open_downloads`.",
      "tokensToday?: number":
        "With `refunded_model_use`: tokens of the language model that refunded runs used today (UTC).",
      "tokensPerDayMax?: number": "With `refunded_model_use`: the limit."
    }
  },
  not_found: { remedy: "Check the id and the name; list_extractions lists the extractions." },
  conflict: {
    remedy: "Change an argument, or find the existing extraction with list_extractions.",
    reasons: "extraction_deleted schema_deleted endpoint_deleted batch_cancelled"
  },
  internal_error: {
    remedy: "Try again later.",
    reasons: "busy database_away artifacts_away",
    reasonMeans:
      "With 503: the service is busy, or has lost its database or files for a while. With 502, of a probe: why the " +
      "source could not be inspected.",
    hasFailureReasons: true
  }
} as const satisfies Readonly<Record<string, CodeRow>>;

export type ErrorCode = keyof typeof CODES;
