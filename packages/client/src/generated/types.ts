// @generated from packages/server/openapi.json by scripts/generate.ts: do not edit.

/** An account. */
export type Account = {
  /** Id of the account. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** Credits. */
  readonly balance: Credits;
  /** Name of its plan. */
  readonly plan: string;
  /** What it may do: its plan's limits, with its own over them. */
  readonly limits: PlanLimits;
};

/** The balance: the data of a `balance` event. */
export type AccountBalanceEvent = {
  /** Credits. */
  readonly balance: Credits;
};

/** A new account. */
export type AccountBody = {
  /** For people. */
  readonly name: string;
  /** Name of one of the server's plans (`WINNOW_PLANS`); `default` without it. */
  readonly plan?: string;
};

/** What is to change about an account; what is absent stays. */
export type AccountChangeBody = {
  /** For people. */
  readonly name?: string;
  /** Name of one of the server's plans (`WINNOW_PLANS`). */
  readonly plan?: string;
  /** Limits of its own, over those of its plan; null gives one back to the plan. */
  readonly limits?: LimitsChange;
};

/** What happened to an extraction: the data of an `extraction` event. */
export type AccountExtractionEvent = {
  /** Id of the extraction. */
  readonly id: string;
  /** As lists show it, when it was made or changed its state; null otherwise. */
  readonly extraction: Extraction | null;
  /** Where it stands while it runs; null otherwise. */
  readonly progress: ExtractionProgress | null;
  /** It is gone. */
  readonly deleted: boolean;
};

/** The account that the key or session belongs to, as of one moment. */
export type AccountOverview = {
  /** Id of the account. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** Credits. */
  readonly balance: Credits;
  /** Those that hold a slot: `pending` and `running`. */
  readonly runningExtractions: number;
  /** Those that wait for a slot. */
  readonly queuedExtractions: number;
  /** Name of the plan that the limits belong to. */
  readonly plan: string;
  /** What the account may do. */
  readonly limits: PlanLimits;
};

/** One page of accounts. */
export type AccountPage = {
  /** Newest first. */
  readonly data: ReadonlyArray<Account>;
  /** Whether another page follows. */
  readonly has_more: boolean;
  /** Opaque: pass it as `cursor`. Null on the last page. */
  readonly next_cursor: string | null;
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
  /** Shown only once; keep it. */
  readonly key: string;
};

/** A new API key. */
export type ApiKeyBody = {
  /** For people; "API key" by default. */
  readonly name?: string;
  /** Credits that the key may spend in a day (UTC), what came back taken off; null, the default, for as many as the account has. */
  readonly dailyCredits?: Credits | null;
};

/** A key that works. */
export type ApiKeyItem = {
  /** For revoking it. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** How the key begins, to tell it from others; null for old ones. */
  readonly start: string | null;
  /** Credits that it may spend in a day (UTC); null for no limit of its own. */
  readonly dailyCredits: Credits | null;
  /** To the minute; null when it was never used. */
  readonly lastUsedAt: string | null;
  /** When it was made. */
  readonly createdAt: string;
};

/** All API keys of the account that were not revoked. */
export type ApiKeyList = {
  /** Newest first; 100 at most. */
  readonly data: ReadonlyArray<ApiKeyItem>;
};

/** A stored file. */
export type ArtifactDetail = {
  /** File name. */
  readonly name: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** As the file endpoint sends it. */
  readonly contentType: string;
};

/** Ready-to-fetch URLs of the file endpoint; a key is present when its artifact is. */
export type Artifacts = {
  /** URL of `video.mp4`. The video with its sound. */
  readonly video?: string;
  /** URL of `audio.m4a`. The sound alone. */
  readonly audio?: string;
  /** URL of `transcript.txt`. The spoken words of a video; the text of a webpage. Each page of a PDF or a presentation ends with a form feed. */
  readonly transcript?: string;
  /** URL of `comments.json`. The newest comments, with authors and times. */
  readonly comments?: string;
  /** URL of `thumbnail.jpg`. The preview picture. */
  readonly thumbnail?: string;
  /** URL of `description.txt`. The publisher's description. */
  readonly description?: string;
  /** URLs in order; an empty list when there are none. The slides of a photo post; the photos of one with videos. */
  readonly images: ReadonlyArray<string>;
  /** URL by file name, of every artifact. */
  readonly files: Readonly<Record<string, string>>;
  /** Size and type of every artifact. */
  readonly details: ReadonlyArray<ArtifactDetail>;
};

/** The balance afterwards. */
export type Balance = {
  /** Credits. */
  readonly balance: Credits;
};

/** How the account gets more credits. */
export type BillingOffer = {
  /** Payment services; empty where the server sells nothing. */
  readonly methods: ReadonlyArray<string>;
  /** What is sold. */
  readonly packs: ReadonlyArray<CreditPack>;
  /** Of the smallest pack; null where nothing is sold. */
  readonly minimumCredits: number | null;
  /** What the operator says about more credits; null for nothing. */
  readonly note: string | null;
};

/** Too many wait for their turn (`details.reason` is `busy`); nothing was debited. `Retry-After` says when to try again. */
export type BusyError = {
  readonly error: {
    readonly code: "internal_error";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** A language of the captions, and who wrote them. */
export type CaptionLanguage = {
  /** BCP 47; `und` where the source does not name it. */
  readonly language: string;
  /** Who wrote them: people, or a machine from what is said. */
  readonly origin: "people" | "automatic" | (string & {});
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
  /** What became of each part: `not_found` when the source said that there is none, `lookup_failed` when it was asked three times in vain. Neither is paid for, and a result with a failed look-up is never reused. */
  readonly parts: PartStates;
  /** Sentences about what was missing or done in part; policy `best-effort` leaves out missing inputs. */
  readonly warnings: ReadonlyArray<string>;
};

/** The `Idempotency-Key` was used with a different body, or its extraction was deleted (`details.reason` is `extraction_deleted`). */
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
  /** Shown only once; keep it. */
  readonly key: string;
  /** Credits that it may spend in a day (UTC); null for no limit of its own. */
  readonly dailyCredits: Credits | null;
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
  /** Signs its deliveries. Shown only once; keep it. */
  readonly secret: string;
};

/** Credits as they are sold. */
export type CreditPack = {
  /** How many. */
  readonly credits: number;
  /** For how many US cents. */
  readonly priceCents: number;
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
  /** Number of the page, from 1, of a document with pages such as a PDF. */
  readonly page?: number;
  /** `false` where the words stand there and do not bear the value out; absent otherwise. */
  readonly supported?: false;
};

export type EvidenceRule = "attach" | "require";

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
  /** Of the content, at most 500 characters; null while it is unknown. */
  readonly title: string | null;
  /** What the source is; null while it is unknown. */
  readonly kind: SourceKind | null;
  /** Seconds, measured where the media was downloaded, else as reported; null while unknown. */
  readonly durationSec: number | null;
  /** Path of our own copy, with the path of the server's public URL: fit for `src` in a page of this host. Null without one. */
  readonly thumbnail: string | null;
  /** `web` for the web app, `mcp` for an assistant, `api` for everything else. */
  readonly madeBy: MadeBy;
  /** The API key that asked for it, as it was called then; null without one. */
  readonly apiKeyName: string | null;
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
  /** Of the content, at most 500 characters; null while it is unknown. */
  readonly title: string | null;
  /** What the source is; null while it is unknown. */
  readonly kind: SourceKind | null;
  /** Seconds, measured where the media was downloaded, else as reported; null while unknown. */
  readonly durationSec: number | null;
  /** Path of our own copy, with the path of the server's public URL: fit for `src` in a page of this host. Null without one. */
  readonly thumbnail: string | null;
  /** `web` for the web app, `mcp` for an assistant, `api` for everything else. */
  readonly madeBy: MadeBy;
  /** The API key that asked for it, as it was called then; null without one. */
  readonly apiKeyName: string | null;
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

export type FailureReason = "private" | "removed" | "login_required" | "age_restricted" | "geo_restricted" | "drm" | "live" | "bot_blocked" | "rate_limited" | "too_long" | "too_large" | "timeout" | "unreachable" | "input_unavailable" | "model_error" | "model_refused" | "model_filtered" | "model_quota" | "model_unavailable" | "invalid_model_output" | "blocked_address" | "not_extractable" | "cancelled" | "expired" | "internal" | (string & {});

/** A link to one file that works without a key. */
export type FileLink = {
  /** For GET and HEAD, ranges included. */
  readonly url: string;
  /** 15 minutes after it was made. */
  readonly expiresAt: string;
};

/** All is well. */
export type Health = {
  /** Always `ok`. */
  readonly status: "ok";
};

/** The balance cannot cover the quoted price, or the API key has spent its `dailyCredits` (`details.reason` is `daily_credits`). */
export type InsufficientCreditsError = {
  readonly error: {
    readonly code: "insufficient_credits";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** An internal error of the server. */
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

/** `url` is not a parseable absolute URL. */
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

/** Some limits of an account; null gives one back to its plan. */
export type LimitsChange = {
  /** Extractions that run at once. */
  readonly runningMax?: number | null;
  /** Extractions that may wait for a slot. */
  readonly waitingMax?: number | null;
  /** Submits a minute. */
  readonly submitsPerMinute?: number | null;
  /** Probes a minute. */
  readonly probesPerMinute?: number | null;
  /** Reads of an extraction, its request and its result a minute. */
  readonly readsPerMinute?: number | null;
  /** Requests a minute to each other endpoint. */
  readonly othersPerMinute?: number | null;
  /** Longest video, in seconds. */
  readonly maxDurationSec?: number | null;
  /** Days that results and files are kept. */
  readonly retentionDays?: number | null;
  /** Registered webhook endpoints. */
  readonly webhookEndpointsMax?: number | null;
};

export type MadeBy = "api" | "web" | "mcp" | (string & {});

/** Somebody who may sign in to the account. */
export type Member = {
  /** Opaque. */
  readonly id: string;
  /** The address that they were added by; null when they signed up without one. */
  readonly email: string | null;
  /** What their sign-in service calls them; null until they have signed in. */
  readonly name: string | null;
  /** When they were added. */
  readonly createdAt: string;
};

/** Somebody to add. */
export type MemberBody = {
  /** Their e-mail address, as their sign-in service vouches for it. */
  readonly email: string;
};

/** The members of the account. */
export type MemberList = {
  /** Oldest first. */
  readonly data: ReadonlyArray<Member>;
};

export type Modality = "transcript" | "comments" | "audio" | "video";

/** The account has no such resource. */
export type NotFoundError = {
  readonly error: {
    readonly code: "not_found";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** The server is not ready, or no longer. */
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

export type PartState = "found" | "not_found" | "lookup_failed" | "not_requested" | (string & {});

/** What became of each part of the run. */
export type PartStates = {
  /** Of the transcript, or the text of a webpage. */
  readonly transcript: PartState;
  /** Of the comments. */
  readonly comments: PartState;
  /** Of the audio. */
  readonly audio: PartState;
  /** Of the video, or the slides of a photo post. */
  readonly video: PartState;
};

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

/** The extraction has not ended yet; poll again. */
export type PendingResult = {
  /** `queued`: waiting for a slot; `processing`: running or about to start. */
  readonly status: "queued" | "processing";
};

/** What an account may do. */
export type PlanLimits = {
  /** Extractions that run at once. */
  readonly runningMax: number;
  /** Extractions that may wait for a slot. */
  readonly waitingMax: number;
  /** Submits a minute. */
  readonly submitsPerMinute: number;
  /** Probes a minute. */
  readonly probesPerMinute: number;
  /** Reads of an extraction, its request and its result a minute. */
  readonly readsPerMinute: number;
  /** Requests a minute to each other endpoint. */
  readonly othersPerMinute: number;
  /** Longest video, in seconds. */
  readonly maxDurationSec: number;
  /** Days that results and files are kept. */
  readonly retentionDays: number;
  /** Registered webhook endpoints. */
  readonly webhookEndpointsMax: number;
};

export type Policy = "strict" | "fallback" | "best-effort";

/** The exact price; all of it 0 where the cache serves the result. The parts are unrounded; their sum is at most `usd`. */
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
  /** What a fresh run costs, as with `force`; the same as `credits` unless `cached` is true. */
  readonly freshCredits: Credits;
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
  /** A run that costs more is refused before any debit. Default: no limit but the balance. */
  readonly maxCredits?: number;
  /** A result that is reused must not be older; 0 looks up none. Default: the 30 days of the result cache. */
  readonly maxAgeSeconds?: number;
  /** When a requested input does not exist: `strict` fails the run, `fallback` (default) goes on and warns, `best-effort` goes on silently. */
  readonly policy?: Policy;
  /** `attach` (default): values come with the words they were read from, where any are found. `require`: a value without them becomes null where the schema allows that, else the outcome is `uncertain`. Ignored on download-only runs. */
  readonly evidence?: EvidenceRule;
  /** Language of the transcript (BCP 47, as `en` or `pt-BR`), from subtitles made by people or of the spoken words, never a machine translation. Default: the original language. Where there is none, `strict` fails the run, else the transcript is in another: the original one where its subtitles are there. */
  readonly language?: string;
  /** Where a video has no captions, have its sound written down by the server's speech model. The audio download and the audio rate of the AI pass come on top, and come back when captions were there. Default false. */
  readonly speech?: boolean;
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
  /** Languages of the captions (BCP 47, `und` unknown), written by `people` or `automatic` of the spoken words. */
  readonly captionLanguages: ReadonlyArray<CaptionLanguage>;
  /** How many chapters the publisher named. */
  readonly chapters: number;
  /** The quote. */
  readonly price: Price;
  /** A submit of this body would be served from a recent identical extraction, free. */
  readonly cached: boolean;
  /** What was asked for and will not be there: with `strict` the run would fail, else it goes on without. */
  readonly unavailable: ReadonlyArray<UnavailableInput>;
  /** Whether this server has a language model; without one a submit with a schema is refused. */
  readonly aiConfigured: boolean;
  /** Whether this server has a speech model; without one `speech` is refused. */
  readonly speechConfigured: boolean;
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
  /** Signs its deliveries from now on. Shown only once; keep it. */
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

/** A browser that is signed in. */
export type SessionItem = {
  /** Opaque. */
  readonly id: string;
  /** It is the one that asks. */
  readonly current: boolean;
  /** What the browser called itself when it signed in; null when it said nothing. */
  readonly userAgent: string | null;
  /** When it signed in. */
  readonly createdAt: string;
  /** When it has to sign in again. */
  readonly expiresAt: string;
};

/** Browsers that are signed in to the account. */
export type SessionList = {
  /** Newest first; 100 at most. */
  readonly data: ReadonlyArray<SessionItem>;
};

/** A link that signs in to the web app, once. */
export type SignInLink = {
  /** To be opened in a browser; works once. Shown only once. */
  readonly url: string;
  /** 15 minutes after it was made. */
  readonly expiresAt: string;
};

/** A way of signing in. */
export type SignInMethod = {
  /** `/sign-in/NAME` begins it. */
  readonly name: string;
  /** Completes "Sign in with ...". */
  readonly label: string;
  /** It asks the person nothing. */
  readonly isAutomatic: boolean;
};

/** Ways of signing in, beside the operator's one-time link. */
export type SignInMethods = {
  /** In the order in which they are offered. */
  readonly data: ReadonlyArray<SignInMethod>;
  /** An application around the server signs people in: sessions and links are none of the server's. */
  readonly ownSignIn: boolean;
  /** Where that application does; null when it did not say. */
  readonly signInUrl: string | null;
};

export type SourceKind = "video" | "photos" | "webpage" | (string & {});

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
  /** A run that costs more is refused before any debit. Default: no limit but the balance. */
  readonly maxCredits?: number;
  /** A result that is reused must not be older; 0 looks up none. Default: the 30 days of the result cache. */
  readonly maxAgeSeconds?: number;
  /** When a requested input does not exist: `strict` fails the run, `fallback` (default) goes on and warns, `best-effort` goes on silently. */
  readonly policy?: Policy;
  /** `attach` (default): values come with the words they were read from, where any are found. `require`: a value without them becomes null where the schema allows that, else the outcome is `uncertain`. Ignored on download-only runs. */
  readonly evidence?: EvidenceRule;
  /** Language of the transcript (BCP 47, as `en` or `pt-BR`), from subtitles made by people or of the spoken words, never a machine translation. Default: the original language. Where there is none, `strict` fails the run, else the transcript is in another: the original one where its subtitles are there. */
  readonly language?: string;
  /** Where a video has no captions, have its sound written down by the server's speech model. The audio download and the audio rate of the AI pass come on top, and come back when captions were there. Default false. */
  readonly speech?: boolean;
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
  /** `video.mp4`, or null. */
  readonly videoFile: string | null;
  /** `audio.m4a`, or null. */
  readonly audioFile: string | null;
  /** `transcript.txt`, or null. */
  readonly transcriptFile: string | null;
  /** `subtitles.<language>.vtt`: the names of all of them. */
  readonly subtitleFiles: ReadonlyArray<string>;
  /** `comments.json`, or null. */
  readonly commentsFile: string | null;
  /** `thumbnail.jpg`, or null. */
  readonly thumbnailFile: string | null;
  /** `description.txt`, or null. */
  readonly descriptionFile: string | null;
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

/** Where it is paid. */
export type TopUpPage = {
  /** A page of the payment service; send the browser there. */
  readonly url: string;
};

/** What to buy. */
export type TopUpRequest = {
  /** Of one of the packs on offer. */
  readonly credits: number;
};

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

/** An input or part that was asked for and that the run will not find. */
export type UnavailableInput = {
  /** What was asked for. */
  readonly input: Modality;
  /** `not_offered`: this kind of source never has it, and it was named; `not_found`: this source has none. */
  readonly reason: "not_offered" | "not_found" | (string & {});
};

/** The content could not be inspected right now. */
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

/** The URL parses but nothing can be extracted there: another scheme than http and https, a password in it, a channel, a playlist, a live stream, a video over 60 minutes, a host that is not public. */
export type UnsupportedUrlError = {
  readonly error: {
    readonly code: "unsupported_url";
    /** For people; may change. */
    readonly message: string;
    /** Structured context; absent when there is none. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
};

/** What the account used on one day. */
export type UsageDay = {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** Extractions submitted, those served from the cache included. */
  readonly runs: number;
  /** Credits debited on the day. */
  readonly debited: Credits;
  /** Credits given back on the day, for runs of earlier days too. */
  readonly refunded: Credits;
};

/** Usage by day; deleting an extraction changes nothing in it. */
export type UsageReport = {
  /** Oldest first, one for each day. */
  readonly data: ReadonlyArray<UsageDay>;
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

/** A webhook endpoint of the account. */
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
  /** https, and a host that is public. A URL that is registered already stays unchanged. */
  readonly url: string;
};

/** All endpoints of the account; 5 at most. */
export type WebhookEndpointList = {
  /** In the order of registration. The first one's secret signs per-run `webhookUrl`s. */
  readonly data: ReadonlyArray<WebhookEndpoint>;
};

export type WebhookEventName = "extraction.completed" | "extraction.failed" | "test" | (string & {});
