// @generated from packages/server/openapi.json by scripts/generate.ts: do not edit.

/** An account. */
export type Account = {
  /** Id of the account. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** Credits. */
  readonly balance: Credits;
};

/** A new account. */
export type AccountBody = {
  /** For people. */
  readonly name: string;
};

/** The account that the key or session belongs to, as of one moment. */
export type AccountOverview = {
  /** Id of the account. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** Credits. */
  readonly balance: Credits;
  /** Those that hold one of the two slots: `pending` and `running`. */
  readonly runningExtractions: number;
  /** Those that wait for a slot. */
  readonly queuedExtractions: number;
};

/** USD of the AI pass per modality; all zero on download-only quotes. */
export type AiBreakdown = {
  /** USD. */
  readonly text: number;
  /** USD; 0 beside video. */
  readonly audio: number;
  /** USD; on photo posts the slides. */
  readonly video: number;
};

/** A key that was just made. */
export type ApiKey = {
  /** For revoking it. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** Shown this once; keep it. */
  readonly key: string;
};

/** A new API key. */
export type ApiKeyBody = {
  /** For people; "API key" by default. */
  readonly name?: string;
};

/** A key that works. */
export type ApiKeyItem = {
  /** For revoking it. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** How the key begins, to tell it from others; null for old ones. */
  readonly start: string | null;
  /** When it was made. */
  readonly createdAt: string;
};

/** All API keys of the account that were not revoked. */
export type ApiKeyList = {
  /** Newest first; 100 at most. */
  readonly data: ReadonlyArray<ApiKeyItem>;
};

/** Ready-to-fetch URLs of the file endpoint; a key is there when its artifact is. */
export type Artifacts = {
  /** URL of `video.mp4`. */
  readonly video?: string;
  /** URL of `audio.m4a`. */
  readonly audio?: string;
  /** URL of `transcript.txt`. */
  readonly transcript?: string;
  /** URL of `comments.json`. */
  readonly comments?: string;
  /** URL of `thumbnail.jpg`. */
  readonly thumbnail?: string;
  /** URL of `description.txt`. */
  readonly description?: string;
  /** URLs of the slides in their order; empty when there are none. */
  readonly images: ReadonlyArray<string>;
  /** URL by file name, of every artifact. */
  readonly files: Readonly<Record<string, string>>;
};

/** The balance afterwards. */
export type Balance = {
  /** Credits. */
  readonly balance: Credits;
};

/** The result of a complete extraction. Look at `outcome` first. */
export type CompleteResult = {
  /** Id of the extraction. */
  readonly id: string;
  /** Always `complete`. */
  readonly status: "complete";
  /** Metadata and file names. */
  readonly summary: Summary;
  /** Ready-to-fetch URLs. */
  readonly artifacts: Artifacts;
  /** Verdict of an AI run; null on download-only runs. */
  readonly outcome: Outcome | null;
  /** One sentence, only with `no_match` and `uncertain`. */
  readonly verdictReason?: string;
  /** Conforms to the schema; null on download-only runs and when `outcome` is `no_match` or `uncertain`. */
  readonly extraction: unknown;
  /** Only with `ok`: by JSON pointer into `extraction`, where each value was found; empty without evidence. */
  readonly evidence?: Readonly<Record<string, ReadonlyArray<EvidenceItem>>>;
  /** The schema of the library that was used or, for `auto`, made and saved. */
  readonly schemaId?: string;
  /** Sentences about what was missing or done in part; policy `best-effort` leaves out missing inputs. */
  readonly warnings: ReadonlyArray<string>;
};

/** The `Idempotency-Key` was used with a different body. */
export type ConflictError = {
  readonly error: {
    readonly code: "conflict";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** The content is private, removed or gated; permanent. */
export type ContentUnavailableError = {
  readonly error: {
    readonly code: "content_unavailable";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** A key that was just made. */
export type CreatedApiKey = {
  /** For revoking it. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** How it begins; lists show this much of it. */
  readonly start: string;
  /** Shown this once; keep it. */
  readonly key: string;
  /** When it was made. */
  readonly createdAt: string;
};

/** A receiver that was just registered. */
export type CreatedWebhookEndpoint = {
  /** Id of the endpoint. */
  readonly id: string;
  /** Where events go, normalised. */
  readonly url: string;
  /** When it was registered. */
  readonly createdAt: string;
  /** First failure since the last success; null while deliveries arrive. */
  readonly failingSince: string | null;
  /** When it was given up after 5 days of failures; null while it is enabled. */
  readonly disabledAt: string | null;
  /** Why nothing is sent and what to do, for people; null while it is enabled. */
  readonly notice: string | null;
  /** Signs its deliveries. Shown this once; keep it. */
  readonly secret: string;
};

export type Credits = number;

export type DeliveryStatus = "pending" | "delivered" | "failed" | (string & {});

/** USD per requested artifact. */
export type DownloadBreakdown = {
  /** USD. */
  readonly transcript?: number;
  /** USD. */
  readonly comments?: number;
  /** USD. */
  readonly audio?: number;
  /** USD. */
  readonly video?: number;
};

/** An event as receivers get it. */
export type EndedEvent = {
  /** The same each time; of a test, its delivery. */
  readonly id: string;
  /** What happened. */
  readonly event: WebhookEventName;
  /** The extraction that came to its end; null for `test`. */
  readonly extractionId: string | null;
  /** When it did, or when the test was sent. */
  readonly at: string;
  /** JSON text of `{event, data}`, what is sent to receivers. */
  readonly body: string;
};

/** Events since a time. */
export type EndedEventList = {
  /** Oldest first; 100 and the newest tests at most. */
  readonly data: ReadonlyArray<EndedEvent>;
  /** Whether there are more: ask again with the `at` of the last one as `since`. */
  readonly has_more: boolean;
  /** The server's clock. */
  readonly now: string;
};

/** A place of the input that a value was read from, found by the server. */
export type EvidenceItem = {
  /** `metadata` is the title and the publisher's name. */
  readonly source: EvidenceSource;
  /** Word for word as it stands in the source. */
  readonly quote: string;
  /** Seconds from the start of the media, where the source has times. */
  readonly startSec?: number;
  /** Seconds from the start of the media, where the source has times. */
  readonly endSec?: number;
};

export type EvidenceSource = TextSource | "metadata";

/** An extraction of the account. */
export type Extraction = {
  /** Use it for polling, results and files. */
  readonly id: string;
  /** As submitted. */
  readonly url: string;
  /** `complete` and `failed` are final. */
  readonly status: ExtractionStatus;
  /** When it was submitted. */
  readonly createdAt: string;
  /** When it completed or failed; null until then. */
  readonly completedAt: string | null;
  /** Debited up-front and never changed; 0 when served from a recent identical extraction. */
  readonly creditsDebited: Credits;
  /** Given back at the end: all of the debit on failure. */
  readonly creditsRefunded: Credits;
  /** The result was reused from a recent identical extraction. */
  readonly cached: boolean;
  /** Verdict of an AI run; null on download-only runs and until the end. */
  readonly outcome: Outcome | null;
  /** One sentence, only with `no_match` and `uncertain`. */
  readonly verdictReason?: string;
  /** Only with status `failed`: the reason, for people. */
  readonly error?: string;
};

/** An extraction and its phase. */
export type ExtractionDetail = {
  /** Use it for polling, results and files. */
  readonly id: string;
  /** As submitted. */
  readonly url: string;
  /** `complete` and `failed` are final. */
  readonly status: ExtractionStatus;
  /** When it was submitted. */
  readonly createdAt: string;
  /** When it completed or failed; null until then. */
  readonly completedAt: string | null;
  /** Debited up-front and never changed; 0 when served from a recent identical extraction. */
  readonly creditsDebited: Credits;
  /** Given back at the end: all of the debit on failure. */
  readonly creditsRefunded: Credits;
  /** The result was reused from a recent identical extraction. */
  readonly cached: boolean;
  /** Verdict of an AI run; null on download-only runs and until the end. */
  readonly outcome: Outcome | null;
  /** One sentence, only with `no_match` and `uncertain`. */
  readonly verdictReason?: string;
  /** Only with status `failed`: the reason, for people. */
  readonly error?: string;
  /** Coarse progress derived from the status. */
  readonly phase: ExtractionPhase;
};

/** One page of extractions. */
export type ExtractionPage = {
  /** Newest first. */
  readonly data: ReadonlyArray<Extraction>;
  /** Whether another page follows. */
  readonly has_more: boolean;
  /** Opaque: pass it as `cursor`. Null on the last page. */
  readonly next_cursor: string | null;
};

export type ExtractionPhase = "queued" | "processing" | "done" | "failed" | (string & {});

/** Where an extraction stands: the data of a `progress` event. */
export type ExtractionProgress = {
  /** As in the extraction: `queued` or `processing`. */
  readonly phase: ExtractionPhase;
  /** What the run is at; null while it waits. */
  readonly step: "inspecting" | "fetching" | "converting" | "analysing" | "storing" | (string & {}) | null;
  /** 0 to 100 of the step; null while unknown. */
  readonly percent: number | null;
  /** Fetched so far. */
  readonly bytes: number;
  /** With `auto`: the inputs that are being tried. Null otherwise. */
  readonly rung: ReadonlyArray<Modality> | null;
};

export type ExtractionStatus = "queued" | "pending" | "running" | "complete" | "failed" | (string & {});

/** The extraction failed; its credits were refunded in full. */
export type FailedResult = {
  /** Id of the extraction. */
  readonly id: string;
  /** Always `failed`. */
  readonly status: "failed";
  /** The reason, for people. */
  readonly error: string;
  /** The reason, for programs. */
  readonly failure: Failure;
};

/** Why the extraction failed and what to do. */
export type Failure = {
  /** One stable word. */
  readonly reason: FailureReason;
  /** Whether the same submit may succeed later. */
  readonly retryable: boolean;
  /** One sentence on what to do. */
  readonly hint: string;
};

export type FailureReason = "private" | "removed" | "login_required" | "age_restricted" | "geo_restricted" | "drm" | "live" | "bot_blocked" | "rate_limited" | "too_long" | "too_large" | "timeout" | "input_unavailable" | "model_error" | "invalid_model_output" | "blocked_address" | "not_extractable" | "cancelled" | "expired" | "internal" | (string & {});

/** All is well. */
export type Health = {
  /** Always `ok`. */
  readonly status: "ok";
};

/** The balance cannot cover the quoted price. */
export type InsufficientCreditsError = {
  readonly error: {
    readonly code: "insufficient_credits";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** Something failed on the side of the service. */
export type InternalError = {
  readonly error: {
    readonly code: "internal_error";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** Malformed JSON or an invalid field, named in `details.param`. */
export type InvalidRequestError = {
  readonly error: {
    readonly code: "invalid_request";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** `url` is not a parseable http or https URL. */
export type InvalidUrlError = {
  readonly error: {
    readonly code: "invalid_url";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** One movement of credits; never changed, never removed. */
export type LedgerEntry = {
  /** Opaque. */
  readonly id: string;
  /** What moved them. */
  readonly kind: LedgerKind;
  /** Signed: negative took from the balance. */
  readonly credits: number;
  /** The balance once it was posted. */
  readonly balanceAfter: Credits;
  /** The extraction it belongs to; it may be deleted by now. */
  readonly extractionId: string | null;
  /** When it was posted. */
  readonly createdAt: string;
  /** For people. */
  readonly note: string;
};

export type LedgerKind = "debit" | "refund" | "top_up" | "bonus" | "adjustment" | (string & {});

/** One page of the ledger. */
export type LedgerPage = {
  /** Newest first. */
  readonly data: ReadonlyArray<LedgerEntry>;
  /** Whether another page follows. */
  readonly has_more: boolean;
  /** Opaque: pass it as `cursor`. Null on the last page. */
  readonly next_cursor: string | null;
};

export type Modality = "transcript" | "comments" | "audio" | "video";

/** No such thing for the account. */
export type NotFoundError = {
  readonly error: {
    readonly code: "not_found";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** The server cannot do its work yet, or any more. */
export type NotReadyError = {
  readonly error: {
    readonly code: "internal_error";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

export type Outcome = "ok" | "no_match" | "uncertain";

/** The body is larger than 256 KB. */
export type PayloadTooLargeError = {
  readonly error: {
    readonly code: "invalid_request";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** The extraction is not at its end yet; ask again. */
export type PendingResult = {
  /** `queued` waits for a slot; `processing` runs or is about to. */
  readonly status: "queued" | "processing";
};

export type Policy = "strict" | "fallback" | "best-effort";

/** The exact price. The parts are unrounded; their sum is at most `usd`. */
export type Price = {
  /** `ai` with a schema, else `download`. */
  readonly mode: "ai" | "download" | (string & {});
  /** In all; 1 credit is $0.0001. */
  readonly credits: Credits;
  /** In all. */
  readonly usd: number;
  /** Flat fee of every fresh run; cached results skip it. */
  readonly baseUsd: number;
  /** Over all requested artifacts. */
  readonly downloadUsd: number;
  /** Per requested artifact. */
  readonly downloadBreakdown: DownloadBreakdown;
  /** Per modality of the AI pass. */
  readonly breakdown: AiBreakdown;
};

/** The body that will be submitted; fields that do not bear on the price are ignored. */
export type ProbeBody = {
  /** Public URL of a video, a photo post or carousel, or an article. */
  readonly url: string;
  /** What the AI pass reads; needs `schema` or `schemaId`. Default `[transcript, comments]`. Sets the price. */
  readonly inputs?: ReadonlyArray<Modality>;
  /** A predefined schema (`<namespace>.predefined.<name>.v<N>`), a saved one, or `auto`. Not with `schema`. */
  readonly schemaId?: string;
  /** Inline JSON Schema of an object, at most 100 KB. Without any schema the run is download-only. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Guidance for the model, at most 20 KB. Ignored on download-only runs. */
  readonly prompt?: string;
  /** Start with text and climb to audio and video only where needed. Requires `maxSpendCredits`. */
  readonly auto?: boolean;
  /** Skip the result cache and run afresh, billed as fresh. Default false. */
  readonly force?: boolean;
  /** Spend ceiling in credits of an `auto` run; at least the price of its cheapest step. */
  readonly maxSpendCredits?: number;
  /** When a requested input does not exist: `strict` fails the run, `fallback` (default) goes on and warns, `best-effort` goes on silently. */
  readonly policy?: Policy;
  /** Language of the transcript (BCP 47, as `en` or `pt-BR`), from subtitles made by people or of the spoken words, never a machine translation. Default: the original language. Where there is none, `strict` fails the run, else the transcript is in another: the original one where its subtitles are there. */
  readonly language?: string;
  /** Download-only: what to fetch; all four by default. Not with `schema` or `schemaId`. */
  readonly parts?: ReadonlyArray<Modality>;
  /** Public https URL that receives `extraction.completed` or `extraction.failed` of this run. */
  readonly webhookUrl?: string;
};

/** What is there, and what the matching submit debits. */
export type ProbeResponse = {
  /** As sent. */
  readonly url: string;
  /** Null where the platform hides it and for webpages; then 300 s are debited for a video. */
  readonly durationSec: number | null;
  /** Title of the content. */
  readonly title: string | null;
  /** Whether a transcript can be had. */
  readonly hasSubtitles: boolean;
  /** Whether comments can be had. */
  readonly hasComments: boolean;
  /** Slides of a photo post; 0 otherwise. */
  readonly imageCount: number;
  /** The quote. */
  readonly price: Price;
  /** A submit of this body would be served from a recent identical extraction, free. */
  readonly cached: boolean;
};

/** The range lies outside the file. */
export type RangeNotSatisfiableError = {
  readonly error: {
    readonly code: "invalid_request";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** The endpoint's window is used up, too many extractions wait (`details.reason` is `queue_full`) or too many event streams are open (`too_many_streams`). */
export type RateLimitedError = {
  readonly error: {
    readonly code: "rate_limited";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** What is sent again. */
export type RedeliverAnswer = {
  /** How many; those that cannot be sent any more are left out. */
  readonly redelivered: number;
};

/** Which failed deliveries to send again. Unknown fields are refused. */
export type RedeliverBody = {
  /** Those of events that happened then or later. */
  readonly since: string;
};

/** A receiver with its new secret. */
export type RotatedWebhookSecret = {
  /** Id of the endpoint. */
  readonly id: string;
  /** Where events go, normalised. */
  readonly url: string;
  /** When it was registered. */
  readonly createdAt: string;
  /** First failure since the last success; null while deliveries arrive. */
  readonly failingSince: string | null;
  /** When it was given up after 5 days of failures; null while it is enabled. */
  readonly disabledAt: string | null;
  /** Why nothing is sent and what to do, for people; null while it is enabled. */
  readonly notice: string | null;
  /** Signs its deliveries from now on. Shown this once; keep it. */
  readonly secret: string;
  /** Until then the old secret signs beside the new one. */
  readonly previousSecretExpiresAt: string;
};

/** A schema that a submit may name by its id. It never changes. */
export type SavedSchema = {
  /** Use it as `schemaId`. Predefined ones are `winnow.predefined.<name>.v<N>`. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** JSON Schema of an object. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Guidance for the model, at most 20 KB, when a submit brings none. */
  readonly prompt?: string;
  /** Counts those of one name, from 1. */
  readonly version: number;
  /** When it was saved. */
  readonly createdAt: string;
};

/** A schema to save. Unknown fields are refused. */
export type SchemaBody = {
  /** For people. Saving under a name that is there makes its next version, under an id of its own. */
  readonly name: string;
  /** JSON Schema of an object, at most 100 KB. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Guidance for the model, at most 20 KB, when a submit brings none. */
  readonly prompt?: string;
};

/** One page of schemas. */
export type SchemaPage = {
  /** Newest first; the predefined ones are among them. */
  readonly data: ReadonlyArray<SavedSchema>;
  /** Whether another page follows. */
  readonly has_more: boolean;
  /** Opaque: pass it as `cursor`. Null on the last page. */
  readonly next_cursor: string | null;
};

/** A link that signs in to the web app, once. */
export type SignInLink = {
  /** To be opened in a browser, by the first who does. Shown this once. */
  readonly url: string;
  /** 15 minutes after it was made. */
  readonly expiresAt: string;
};

/** What to extract. Unknown fields are refused. */
export type SubmitBody = {
  /** Public URL of a video, a photo post or carousel, or an article. */
  readonly url: string;
  /** What the AI pass reads; needs `schema` or `schemaId`. Default `[transcript, comments]`. Sets the price. */
  readonly inputs?: ReadonlyArray<Modality>;
  /** A predefined schema (`<namespace>.predefined.<name>.v<N>`), a saved one, or `auto`. Not with `schema`. */
  readonly schemaId?: string;
  /** Inline JSON Schema of an object, at most 100 KB. Without any schema the run is download-only. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Guidance for the model, at most 20 KB. Ignored on download-only runs. */
  readonly prompt?: string;
  /** Start with text and climb to audio and video only where needed. Requires `maxSpendCredits`. */
  readonly auto?: boolean;
  /** Skip the result cache and run afresh, billed as fresh. Default false. */
  readonly force?: boolean;
  /** Spend ceiling in credits of an `auto` run; at least the price of its cheapest step. */
  readonly maxSpendCredits?: number;
  /** When a requested input does not exist: `strict` fails the run, `fallback` (default) goes on and warns, `best-effort` goes on silently. */
  readonly policy?: Policy;
  /** Language of the transcript (BCP 47, as `en` or `pt-BR`), from subtitles made by people or of the spoken words, never a machine translation. Default: the original language. Where there is none, `strict` fails the run, else the transcript is in another: the original one where its subtitles are there. */
  readonly language?: string;
  /** Download-only: what to fetch; all four by default. Not with `schema` or `schemaId`. */
  readonly parts?: ReadonlyArray<Modality>;
  /** Public https URL that receives `extraction.completed` or `extraction.failed` of this run. */
  readonly webhookUrl?: string;
};

/** The extraction that was made, or that the replayed key made. */
export type SubmitResponse = {
  /** Use it for polling, results and files. */
  readonly id: string;
  /** Where the extraction stands now. */
  readonly status: ExtractionStatus;
  /** As submitted. */
  readonly url: string;
  /** Debited up-front; 0 when served from a recent identical extraction. */
  readonly creditsDebited: Credits;
  /** When it was submitted. */
  readonly createdAt: string;
};

/** Metadata and the list of artifacts; null where the platform exposes nothing. */
export type Summary = {
  /** Id of the extraction. */
  readonly runId: string;
  /** As submitted. */
  readonly url: string;
  /** Title of the content. */
  readonly title: string | null;
  /** Who published it. */
  readonly uploader: string | null;
  /** Seconds, as the platform reports. */
  readonly duration: number | null;
  /** Text of the publisher. */
  readonly description: string | null;
  /** Thumbnail URL on the source platform. */
  readonly thumbnail: string | null;
  /** Where the content was finally found. */
  readonly webpage_url: string | null;
  /** As the platform reports. */
  readonly view_count: number | null;
  /** As the platform reports. */
  readonly like_count: number | null;
  /** As the platform reports. */
  readonly comment_count: number | null;
  /** YYYYMMDD. */
  readonly upload_date: string | null;
  /** Seconds, measured on the downloaded media. */
  readonly durationSeconds: number | null;
  /** File name. */
  readonly videoFile: string | null;
  /** File name. */
  readonly thumbnailFile: string | null;
  /** File name. */
  readonly audioFile: string | null;
  /** File name; for webpages the page text. */
  readonly transcriptFile: string | null;
  /** File name. */
  readonly commentsFile: string | null;
  /** File name. */
  readonly descriptionFile: string | null;
  /** File names. */
  readonly subtitleFiles: ReadonlyArray<string>;
  /** Every downloadable artifact. */
  readonly files: ReadonlyArray<string>;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Unix milliseconds. */
  readonly finishedAt: number;
};

export type TextSource = "transcript" | "comments" | "page" | "description" | (string & {});

/** Credits bought. The first top-up of an account adds 1,000 of its own. */
export type TopUpBody = {
  /** Whole credits; 1 credit is $0.0001. */
  readonly credits: TopUpCredits;
};

export type TopUpCredits = number;

/** Missing, invalid or revoked key, or no web session where one is needed. */
export type UnauthorizedError = {
  readonly error: {
    readonly code: "unauthorized";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** The content could not be looked at right now. */
export type UnreachableError = {
  readonly error: {
    readonly code: "internal_error";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** The body is not sent as JSON. */
export type UnsupportedMediaTypeError = {
  readonly error: {
    readonly code: "invalid_request";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** The URL parses but nothing can be extracted there: a channel, a playlist, a live stream, a video over 60 minutes, a host that is not public. */
export type UnsupportedUrlError = {
  readonly error: {
    readonly code: "unsupported_url";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** One try to deliver. */
export type WebhookAttempt = {
  /** When it began. */
  readonly at: string;
  /** HTTP status of the answer; null when there was none. */
  readonly status: number | null;
  /** What went wrong, for people; null when it was delivered. */
  readonly error: string | null;
  /** Until the answer was read or given up on. */
  readonly durationMs: number;
  /** The first 1 KB of the answer; null when there was none. */
  readonly responseSnippet: string | null;
};

/** One event on its way to one receiver. */
export type WebhookDelivery = {
  /** The header `X-Service-Delivery`, the same for every attempt. */
  readonly id: string;
  /** What happened. */
  readonly event: WebhookEventName;
  /** The extraction that came to its end; null for `test`. */
  readonly extractionId: string | null;
  /** The registered receiver; null for a per-run `webhookUrl`. */
  readonly endpointId: string | null;
  /** Where it goes. */
  readonly url: string;
  /** `pending` until a receiver took it or its last attempt failed. */
  readonly status: DeliveryStatus;
  /** Attempts that were made, redeliveries included. */
  readonly attemptCount: number;
  /** When it is tried next; null once delivered or failed. */
  readonly nextAttemptAt: string | null;
  /** Why it failed although attempts were left, for people; null otherwise. */
  readonly note: string | null;
  /** When the event happened. */
  readonly createdAt: string;
};

/** A delivery and what became of it. */
export type WebhookDeliveryDetail = {
  /** The header `X-Service-Delivery`, the same for every attempt. */
  readonly id: string;
  /** What happened. */
  readonly event: WebhookEventName;
  /** The extraction that came to its end; null for `test`. */
  readonly extractionId: string | null;
  /** The registered receiver; null for a per-run `webhookUrl`. */
  readonly endpointId: string | null;
  /** Where it goes. */
  readonly url: string;
  /** `pending` until a receiver took it or its last attempt failed. */
  readonly status: DeliveryStatus;
  /** Attempts that were made, redeliveries included. */
  readonly attemptCount: number;
  /** When it is tried next; null once delivered or failed. */
  readonly nextAttemptAt: string | null;
  /** Why it failed although attempts were left, for people; null otherwise. */
  readonly note: string | null;
  /** When the event happened. */
  readonly createdAt: string;
  /** Oldest first. */
  readonly attempts: ReadonlyArray<WebhookAttempt>;
};

/** One page of deliveries. */
export type WebhookDeliveryPage = {
  /** Newest first. */
  readonly data: ReadonlyArray<WebhookDelivery>;
  /** Whether another page follows. */
  readonly has_more: boolean;
  /** Opaque: pass it as `cursor`. Null on the last page. */
  readonly next_cursor: string | null;
};

/** A receiver of the account's events. */
export type WebhookEndpoint = {
  /** Id of the endpoint. */
  readonly id: string;
  /** Where events go, normalised. */
  readonly url: string;
  /** When it was registered. */
  readonly createdAt: string;
  /** First failure since the last success; null while deliveries arrive. */
  readonly failingSince: string | null;
  /** When it was given up after 5 days of failures; null while it is enabled. */
  readonly disabledAt: string | null;
  /** Why nothing is sent and what to do, for people; null while it is enabled. */
  readonly notice: string | null;
};

/** A receiver to register. Unknown fields are refused. */
export type WebhookEndpointBody = {
  /** https, and a host that is public. One that is registered already stays as it is. */
  readonly url: string;
};

/** All receivers of the account; 5 at most. */
export type WebhookEndpointList = {
  /** In the order of registration. The first one's secret signs per-run `webhookUrl`s. */
  readonly data: ReadonlyArray<WebhookEndpoint>;
};

export type WebhookEventName = "extraction.completed" | "extraction.failed" | "test" | (string & {});
