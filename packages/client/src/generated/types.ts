// @generated from packages/server/openapi.json by scripts/schemaTypes.ts: do not edit.

/** An account. */
export type Account = {
  /** Id of the account. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Credits. */
  readonly balance: Credits;
  /** Credits of refunded or disputed payments that the balance did not hold. Refunds of runs and top-ups pay them first. */
  readonly owedCredits: Credits;
  /** Name of its plan. */
  readonly plan: string;
  /** The limits that apply: the plan's, overridden by the account's own. */
  readonly limits: PlanLimits;
};

/** A new account. */
export type AccountBody = {
  /** Display name. */
  readonly name: string;
  /** Name of one of the server's plans (`WINNOW_PLANS`); `default` if absent. */
  readonly plan?: string;
};

/** Changes to an account. Absent fields stay as they are. */
export type AccountChangeBody = {
  /** Display name. */
  readonly name?: string;
  /** Name of one of the server's plans (`WINNOW_PLANS`). */
  readonly plan?: string;
  /** Limits of this account, which override those of its plan; null resets one to the plan's value. */
  readonly limits?: LimitsChange;
};

/** The authenticated account; all values are from the same moment. */
export type AccountOverview = {
  /** Id of the account. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Credits. */
  readonly balance: Credits;
  /** Extractions that hold a slot: `pending` and `running`. */
  readonly runningExtractions: number;
  /** Extractions waiting for a slot, items of batches included. */
  readonly queuedExtractions: number;
  /** Name of the account's plan. */
  readonly plan: string;
  /** The account's limits. */
  readonly limits: PlanLimits;
  /** Whether this server has a language model; without one, a submit with a schema is rejected. */
  readonly aiConfigured: boolean;
  /** URLs that the operator suggests to try, at most three. */
  readonly sampleUrls: ReadonlyArray<string>;
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
  /** USD; 0 if video is requested too. */
  readonly audio: number;
  /** USD; on photo posts the slides. */
  readonly video: number;
};

/** A new API key. */
export type ApiKey = {
  /** Use it to revoke the key. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Shown only once; store it safely. */
  readonly key: string;
};

/** A new API key. */
export type ApiKeyBody = {
  /** Display name; "API key" by default. */
  readonly name?: string;
  /** Credits that the key may spend per day (UTC), less the refunds of that day's runs; null, the default, for no limit. */
  readonly dailyCredits?: Credits | null;
};

/** An active API key. */
export type ApiKeyItem = {
  /** Use it to revoke the key. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** First characters of the key, to tell keys apart. */
  readonly start: string;
  /** Credits that the key may spend per day (UTC); null for no limit. */
  readonly dailyCredits: Credits | null;
  /** Id of the member who created it, who may have been removed since; null for the operator and an embedding application. */
  readonly createdBy: string | null;
  /** To the minute; null if it was never used. */
  readonly lastUsedAt: string | null;
  /** When it was created. */
  readonly createdAt: string;
};

/** The active API keys of the account. */
export type ApiKeyList = {
  /** Newest first; at most 100. */
  readonly data: ReadonlyArray<ApiKeyItem>;
};

/** A stored file. */
export type ArtifactDetail = {
  /** File name. */
  readonly name: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** MIME type, as sent by the file endpoint. */
  readonly contentType: string;
};

/** URLs of the file endpoint. A key is present if its artifact exists. */
export type Artifacts = {
  /** URL of `video.mp4`. The video with its audio. */
  readonly video?: string;
  /** URL of `audio.m4a`. The audio track. */
  readonly audio?: string;
  /** URL of `transcript.txt`. The words spoken in a video; the text of a webpage. A form feed ends each page of a PDF or presentation. */
  readonly transcript?: string;
  /** URL of `comments.json`. The newest comments, with authors and timestamps. */
  readonly comments?: string;
  /** URL of `thumbnail.jpg`. The preview image. */
  readonly thumbnail?: string;
  /** URL of `description.txt`. The publisher's description. */
  readonly description?: string;
  /** URLs in order; empty if there are none. The slides of a photo post, or the photos of a post with videos. */
  readonly images: ReadonlyArray<string>;
  /** URLs of all artifacts by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** Size and type of all artifacts. */
  readonly details: ReadonlyArray<ArtifactDetail>;
};

/** The balance after the top-up. */
export type Balance = {
  /** Credits. */
  readonly balance: Credits;
};

/** A batch with its items in the order they were submitted. */
export type Batch = {
  /** Id of the batch. */
  readonly id: string;
  /** As given, or made of its hosts and schema. */
  readonly name: string;
  /** `running`; `paused`: what has not started waits; `complete`: every item has ended; `cancelled`: what had not ended was cancelled and refunded. */
  readonly status: BatchStatus;
  /** Items by state. */
  readonly counts: BatchCounts;
  /** Debited for all accepted items together. */
  readonly creditsDebited: Credits;
  /** Refunded so far. */
  readonly creditsRefunded: Credits;
  /** When it was accepted. */
  readonly createdAt: string;
  /** When its last item ended; null until then. */
  readonly completedAt: string | null;
  /** Every item, refused ones included. */
  readonly items: ReadonlyArray<BatchItem>;
};

/** Submits to accept together: `items` with fields of their own, or `urls` with the same ones. */
export type BatchBody = BatchOfItems | BatchOfUrls;

/** What to change of a batch. Unknown fields are rejected. */
export type BatchChangeBody = {
  /** New name, of at most 200 characters. */
  readonly name: string;
};

/** How many items are in which state; accepted ones are running, complete or failed. */
export type BatchCounts = {
  /** All items. */
  readonly total: number;
  /** Items that became extractions. */
  readonly accepted: number;
  /** Items that a single submit would refuse; they cost nothing. */
  readonly refused: number;
  /** Accepted items whose result was reused, free of charge. */
  readonly reused: number;
  /** Accepted items that have not ended, including those that wait. */
  readonly running: number;
  /** Complete extractions. */
  readonly complete: number;
  /** Failed extractions; refunded in full. */
  readonly failed: number;
};

/** One line of a batch. */
export type BatchItem = {
  /** Position in the list, from 0; what a listing lists stands in its place. */
  readonly index: number;
  /** As submitted or listed. */
  readonly url: string;
  /** The stretch that is asked of it; absent for the whole. */
  readonly range?: TimeRange;
  /** Id of the extraction; null if the item was refused. */
  readonly id: string | null;
  /** Status of the extraction; null if the item was refused or its extraction was deleted. */
  readonly status: ExtractionStatus | null;
  /** Null unless the item was refused. */
  readonly error: BatchItemError | null;
  /** Its part of the debit. */
  readonly creditsDebited: Credits;
};

/** A submit, or a listing with `listingUrl` and `first`. */
export type BatchItemBody = {
  /** As of a submit. Required without `fromExtraction` or `listingUrl`. */
  readonly url?: string;
  /** Id of a complete extraction of the account whose files are still there, in place of `url`: they are read again with a schema, nothing is fetched, and only the reading is charged. Not with `force`, `language`, `captions`, `parts` or `range`. */
  readonly fromExtraction?: string;
  /** What the AI pass reads; needs `schema` or `schemaId`. Default `[transcript, comments]`. Sets the price. */
  readonly inputs?: ReadonlyArray<Modality>;
  /** Only this stretch of a video, by whose seconds it is charged. Times in transcript, captions and evidence stay those of the whole video. Not with `fromExtraction`, which has that of its extraction. */
  readonly range?: TimeRange;
  /** A predefined schema (`<namespace>.predefined.<name>.v<N>`), a saved one, or `auto`. Not with `schema`. */
  readonly schemaId?: string;
  /** Inline JSON Schema of an object, at most 100 KB. Without any schema the run is download-only. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Guidance for the model, at most 20 KB. Ignored on download-only runs. */
  readonly prompt?: string;
  /** Start with text and use audio and video only if needed. Requires `maxSpendCredits`. */
  readonly auto?: boolean;
  /** Do not reuse a cached result; the run is charged in full. Default false. */
  readonly force?: boolean;
  /** Most credits that an `auto` run may cost; at least the price of its cheapest step. */
  readonly maxSpendCredits?: number;
  /** A run that costs more is rejected before any debit. Default: limited only by the balance. */
  readonly maxCredits?: number;
  /** Maximum age of a reused result; 0 disables reuse. Default: the 30 days of the result cache. */
  readonly maxAgeSeconds?: number;
  /** If a requested input does not exist: `strict` fails the run, `fallback` (default) continues with a warning, `best-effort` continues silently. */
  readonly policy?: Policy;
  /** `attach` (default): values come with the quotes they were read from, if any are found. `require`: a value without a quote becomes null if the schema allows it, else the outcome is `uncertain`. Ignored on download-only runs. */
  readonly evidence?: EvidenceRule;
  /** Language of the transcript (BCP 47, such as `en` or `pt-BR`), from subtitles made by people or automatic captions, never from a machine translation. Default: the original language. If it is not available, `strict` fails the run; otherwise the transcript is in another language, preferably the original. */
  readonly language?: string;
  /** Whose captions become the transcript: `any` (default) takes those made by people before automatic ones, `people` and `automatic` only their own. If there are none of these, the transcript is `not_found`. */
  readonly captions?: Captions;
  /** If a video has no captions, or none of the chosen kind, transcribe its audio with the server's speech model. Adds the price of the audio download and the audio rate of the AI pass, which is refunded if there were captions. Default false. */
  readonly speech?: boolean;
  /** What a download-only run fetches; all four by default. Not with `schema` or `schemaId`. */
  readonly parts?: ReadonlyArray<Modality>;
  /** Public https URL that receives `extraction.completed` or `extraction.failed` of this run. */
  readonly webhookUrl?: string;
  /** Public URL of a channel or playlist, in place of `url`. It is read by both quote and create, free of charge, and an item with the other fields for each URL that it lists takes its place; at most 50 listings in a batch, and 1,000 items with theirs. */
  readonly listingUrl?: string;
  /** How many items of `listingUrl`, from its first; required with it. */
  readonly first?: number;
};

/** Why an item was refused: the error that a single submit would get. */
export type BatchItemError = {
  /** As in errors of the API. */
  readonly code: string;
  /** For people; may change. */
  readonly message: string;
  /** Structured context. */
  readonly details?: Readonly<Record<string, unknown>>;
};

/** Submits to accept together. */
export type BatchOfItems = {
  /** Bodies of single submits, or listings; the same one twice is refused. */
  readonly items: ReadonlyArray<BatchItemBody>;
  /** A batch that costs more is refused, and nothing is debited. */
  readonly maxCredits?: number;
  /** Name of the batch, at most 200 characters. Default: made of the hosts and the schema of its items. */
  readonly name?: string;
};

/** Submits with the same fields, which are those of a single submit. */
export type BatchOfUrls = {
  /** What the AI pass reads; needs `schema` or `schemaId`. Default `[transcript, comments]`. Sets the price. */
  readonly inputs?: ReadonlyArray<Modality>;
  /** Only this stretch of a video, by whose seconds it is charged. Times in transcript, captions and evidence stay those of the whole video. Not with `fromExtraction`, which has that of its extraction. */
  readonly range?: TimeRange;
  /** A predefined schema (`<namespace>.predefined.<name>.v<N>`), a saved one, or `auto`. Not with `schema`. */
  readonly schemaId?: string;
  /** Inline JSON Schema of an object, at most 100 KB. Without any schema the run is download-only. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Guidance for the model, at most 20 KB. Ignored on download-only runs. */
  readonly prompt?: string;
  /** Start with text and use audio and video only if needed. Requires `maxSpendCredits`. */
  readonly auto?: boolean;
  /** Do not reuse a cached result; the run is charged in full. Default false. */
  readonly force?: boolean;
  /** Most credits that an `auto` run may cost; at least the price of its cheapest step. */
  readonly maxSpendCredits?: number;
  /** A batch that costs more is refused, and nothing is debited. */
  readonly maxCredits?: number;
  /** Maximum age of a reused result; 0 disables reuse. Default: the 30 days of the result cache. */
  readonly maxAgeSeconds?: number;
  /** If a requested input does not exist: `strict` fails the run, `fallback` (default) continues with a warning, `best-effort` continues silently. */
  readonly policy?: Policy;
  /** `attach` (default): values come with the quotes they were read from, if any are found. `require`: a value without a quote becomes null if the schema allows it, else the outcome is `uncertain`. Ignored on download-only runs. */
  readonly evidence?: EvidenceRule;
  /** Language of the transcript (BCP 47, such as `en` or `pt-BR`), from subtitles made by people or automatic captions, never from a machine translation. Default: the original language. If it is not available, `strict` fails the run; otherwise the transcript is in another language, preferably the original. */
  readonly language?: string;
  /** Whose captions become the transcript: `any` (default) takes those made by people before automatic ones, `people` and `automatic` only their own. If there are none of these, the transcript is `not_found`. */
  readonly captions?: Captions;
  /** If a video has no captions, or none of the chosen kind, transcribe its audio with the server's speech model. Adds the price of the audio download and the audio rate of the AI pass, which is refunded if there were captions. Default false. */
  readonly speech?: boolean;
  /** What a download-only run fetches; all four by default. Not with `schema` or `schemaId`. */
  readonly parts?: ReadonlyArray<Modality>;
  /** Public https URL that receives `extraction.completed` or `extraction.failed` of this run. */
  readonly webhookUrl?: string;
  /** The URL of each item; the same one twice is refused. */
  readonly urls: ReadonlyArray<string>;
  /** Name of the batch, at most 200 characters. Default: made of the hosts and the schema of its items. */
  readonly name?: string;
};

/** One page of batches. */
export type BatchPage = {
  /** Newest first. */
  readonly data: ReadonlyArray<BatchSummary>;
  /** Whether another page follows. */
  readonly has_more: boolean;
  /** Opaque: pass it as `cursor`. Null on the last page. */
  readonly next_cursor: string | null;
};

/** The quote of one item. */
export type BatchQuoteLine = {
  /** Position in the list, from 0; what a listing lists stands in its place. */
  readonly index: number;
  /** As submitted or listed. */
  readonly url: string;
  /** The stretch that is asked of it; absent for the whole. */
  readonly range?: TimeRange;
  /** Title of the content; null while unknown. */
  readonly title: string | null;
  /** What it costs; null if it would be refused. */
  readonly credits: Credits | null;
  /** Whether a recent identical result would be reused, free of charge. */
  readonly cached: boolean;
  /** Why it would be refused; else null. */
  readonly error: BatchItemError | null;
};

/** The last line of a quote. */
export type BatchQuoteTotal = {
  /** What the same body costs now. */
  readonly credits: Credits;
  /** The same in USD. */
  readonly usd: number;
  /** Items that would be accepted. */
  readonly accepted: number;
  /** Items that would be refused. */
  readonly refused: number;
};

export type BatchStatus = "running" | "paused" | "complete" | "cancelled" | (string & {});

/** A batch without its items. */
export type BatchSummary = {
  /** Id of the batch. */
  readonly id: string;
  /** As given, or made of its hosts and schema. */
  readonly name: string;
  /** `running`; `paused`: what has not started waits; `complete`: every item has ended; `cancelled`: what had not ended was cancelled and refunded. */
  readonly status: BatchStatus;
  /** Items by state. */
  readonly counts: BatchCounts;
  /** Debited for all accepted items together. */
  readonly creditsDebited: Credits;
  /** Refunded so far. */
  readonly creditsRefunded: Credits;
  /** When it was accepted. */
  readonly createdAt: string;
  /** When its last item ended; null until then. */
  readonly completedAt: string | null;
};

/** How to get more credits. */
export type BillingOffer = {
  /** Payment services; empty if this server sells no credits. */
  readonly methods: ReadonlyArray<string>;
  /** Credit packs for sale. */
  readonly packs: ReadonlyArray<CreditPack>;
  /** Credits of the smallest pack; null if this server sells none. */
  readonly minimumCredits: number | null;
  /** The operator's note on how to get more credits; null if there is none. */
  readonly note: string | null;
};

/** A language of the captions, and their origin. */
export type CaptionLanguage = {
  /** BCP 47; `und` if the source does not state it. */
  readonly language: string;
  /** `people`, or `automatic` speech recognition. */
  readonly origin: "people" | "automatic" | (string & {});
};

export type Captions = "any" | "people" | "automatic";

/** The result of a complete extraction. Check `outcome` first. */
export type CompleteResult = {
  /** Id of the extraction. */
  readonly id: string;
  /** Always `complete`. */
  readonly status: "complete";
  /** The stretch of the video that it is of; absent for the whole. */
  readonly range?: TimeRange;
  /** Metadata and file names. */
  readonly summary: Summary;
  /** URLs of the artifacts. */
  readonly artifacts: Artifacts;
  /** Verdict of an AI run; null on download-only runs. */
  readonly outcome: Outcome | null;
  /** One sentence; only with `no_match` and `uncertain`. */
  readonly verdictReason?: string;
  /** Conforms to the schema; null on download-only runs and when `outcome` is `no_match` or `uncertain`. */
  readonly extraction: unknown;
  /** Only with `ok`: where each value was found, by JSON pointer into `extraction`; empty if there is no evidence. */
  readonly evidence?: Readonly<Record<string, ReadonlyArray<EvidenceItem>>>;
  /** Only of AI runs: tokens, requests and seconds of sound that the server's models reported for the run that made this result; null for what they did not report. */
  readonly usage?: ModelUsage;
  /** Id of the saved schema that was used or, with `auto`, generated and saved. */
  readonly schemaId?: string;
  /** State of each part: `not_found` if the source reports that it has none, `lookup_failed` if repeated attempts to get it failed. Neither is charged, and a result with a failed look-up is never reused. */
  readonly parts: PartStates;
  /** Sentences about what is missing or incomplete; with policy `best-effort`, missing inputs are not listed. */
  readonly warnings: ReadonlyArray<string>;
  /** One for each of `warnings`, in their order: `not_found` (the source has none), `not_offered` (this kind of source never has it), `lookup_failed` (it is unknown whether there is one), `speech` (what was heard where there are no captions), `not_read` (the model did not get it), `other_language` (of the transcript), `length_unknown` (the video was charged as at most 300 s) or `other`. */
  readonly warningCodes: ReadonlyArray<WarningCode>;
  /** Debited at submit; 0 if the result was reused. */
  readonly creditsDebited: Credits;
  /** Refunded when the extraction ended; the whole debit if it failed. */
  readonly creditsRefunded: Credits;
};

/** Corrected values, which replace earlier corrections. */
export type CorrectionsBody = {
  /** By JSON pointer into the extraction; null for a value that is not stated. */
  readonly values: Readonly<Record<string, unknown>>;
};

/** A new API key. */
export type CreatedApiKey = {
  /** Use it to revoke the key. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** First characters of the key, to tell keys apart. */
  readonly start: string;
  /** Shown only once; store it safely. */
  readonly key: string;
  /** Credits that the key may spend per day (UTC); null for no limit. */
  readonly dailyCredits: Credits | null;
  /** Id of the member who created it, who may have been removed since; null for the operator and an embedding application. */
  readonly createdBy: string | null;
  /** When it was created. */
  readonly createdAt: string;
};

/** A new webhook endpoint with its secret. */
export type CreatedWebhookEndpoint = {
  /** Id of the endpoint. */
  readonly id: string;
  /** Where events are sent, normalised. */
  readonly url: string;
  /** When it was registered. */
  readonly createdAt: string;
  /** Id of the member who registered it, who may have been removed since; null if it is unknown. */
  readonly createdBy: string | null;
  /** First failure since the last success; null if the last delivery succeeded. */
  readonly failingSince: string | null;
  /** When it was disabled, after 5 days of failures; null while it is enabled. */
  readonly disabledAt: string | null;
  /** Why it is disabled and what to do, in plain English; null while it is enabled. */
  readonly notice: string | null;
  /** Signs the deliveries. Shown only once; store it safely. */
  readonly secret: string;
};

/** A pack of credits for sale. */
export type CreditPack = {
  /** Number of credits. */
  readonly credits: number;
  /** Price in US cents. */
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

/** A passage of the input that a value was read from, verified by the server. */
export type EvidenceItem = {
  /** Where the quote is from; `metadata` is the title and the publisher's name, `structured` the page's own structured data (schema.org), `slides` the words on the slides of a photo post. */
  readonly source: EvidenceSource;
  /** Verbatim from the source. */
  readonly quote: string;
  /** Seconds from the start of the media, if the source has timestamps. */
  readonly startSec?: number;
  /** Seconds from the start of the media, if the source has timestamps. */
  readonly endSec?: number;
  /** Page number, from 1, in documents with pages such as a PDF. */
  readonly page?: number;
  /** Heading of a page or document that the quote stands under or in, at most 200 characters. */
  readonly heading?: string;
  /** Number of the slide, from 1, for words on slides: 2 is `image.02.jpg`. */
  readonly slide?: number;
  /** RFC 6901 pointer to the quoted value in `metadata.json`, for structured data. */
  readonly pointer?: string;
  /** `false` if the quote exists but does not support the value; absent otherwise. */
  readonly supported?: false;
};

export type EvidenceRule = "attach" | "require";

export type EvidenceSource = "transcript" | "comments" | "page" | "description" | "structured" | "slides" | "metadata" | "ocr" | (string & {});

/** An extraction of the account. */
export type Extraction = {
  /** Id for reading status, result and files. */
  readonly id: string;
  /** As submitted. */
  readonly url: string;
  /** `complete` and `failed` are final. */
  readonly status: ExtractionStatus;
  /** When it was submitted. */
  readonly createdAt: string;
  /** When it completed or failed; null until then. */
  readonly completedAt: string | null;
  /** Debited at submit and never changed; 0 if the result was reused. */
  readonly creditsDebited: Credits;
  /** Refunded when the extraction ended; the whole debit if it failed. */
  readonly creditsRefunded: Credits;
  /** Whether the result was reused from a recent identical extraction. */
  readonly cached: boolean;
  /** Verdict of an AI run; null on download-only runs and until the extraction has ended. */
  readonly outcome: Outcome | null;
  /** Title of the content, at most 500 characters; null while unknown. */
  readonly title: string | null;
  /** Kind of source; null while unknown. */
  readonly kind: SourceKind | null;
  /** Seconds: measured if the media was downloaded, else as reported by the source; null while unknown. */
  readonly durationSec: number | null;
  /** The stretch of the video that was asked for, of which `durationSec` is; absent for the whole. */
  readonly range?: TimeRange;
  /** Absolute path of the stored thumbnail on this server, usable as `src` in pages of the same host; null if there is none. */
  readonly thumbnail: string | null;
  /** `web` for the web app, `mcp` for an MCP client, `api` for everything else. */
  readonly madeBy: MadeBy;
  /** Name of the API key that submitted it, at that time; null if none did. */
  readonly apiKeyName: string | null;
  /** With status `queued`: its place among the account's waiting extractions, 1 for the next that starts. Absent beyond 1,000, and while its batch is paused. */
  readonly queuePosition?: number;
  /** With outcome `ok`: values that no passage supports and that nobody has corrected or accepted. Absent if there are none. */
  readonly valuesToCheck?: number;
  /** The batch that it is an item of; absent for a single submit. */
  readonly batchId?: string;
  /** Name of that batch. */
  readonly batchName?: string;
  /** The extraction whose stored files it read again; absent for one that fetched its URL. */
  readonly fromExtraction?: string;
  /** One sentence; only with `no_match` and `uncertain`. */
  readonly verdictReason?: string;
  /** Human-readable reason; only with status `failed`. */
  readonly error?: string;
  /** Its code, as in the result; only with status `failed`. `cancelled`: somebody stopped it. */
  readonly failureReason?: FailureReason;
};

/** An extraction with its phase and price. */
export type ExtractionDetail = {
  /** Id for reading status, result and files. */
  readonly id: string;
  /** As submitted. */
  readonly url: string;
  /** `complete` and `failed` are final. */
  readonly status: ExtractionStatus;
  /** When it was submitted. */
  readonly createdAt: string;
  /** When it completed or failed; null until then. */
  readonly completedAt: string | null;
  /** Debited at submit and never changed; 0 if the result was reused. */
  readonly creditsDebited: Credits;
  /** Refunded when the extraction ended; the whole debit if it failed. */
  readonly creditsRefunded: Credits;
  /** Whether the result was reused from a recent identical extraction. */
  readonly cached: boolean;
  /** Verdict of an AI run; null on download-only runs and until the extraction has ended. */
  readonly outcome: Outcome | null;
  /** Title of the content, at most 500 characters; null while unknown. */
  readonly title: string | null;
  /** Kind of source; null while unknown. */
  readonly kind: SourceKind | null;
  /** Seconds: measured if the media was downloaded, else as reported by the source; null while unknown. */
  readonly durationSec: number | null;
  /** The stretch of the video that was asked for, of which `durationSec` is; absent for the whole. */
  readonly range?: TimeRange;
  /** Absolute path of the stored thumbnail on this server, usable as `src` in pages of the same host; null if there is none. */
  readonly thumbnail: string | null;
  /** `web` for the web app, `mcp` for an MCP client, `api` for everything else. */
  readonly madeBy: MadeBy;
  /** Name of the API key that submitted it, at that time; null if none did. */
  readonly apiKeyName: string | null;
  /** With status `queued`: its place among the account's waiting extractions, 1 for the next that starts. Absent beyond 1,000, and while its batch is paused. */
  readonly queuePosition?: number;
  /** With outcome `ok`: values that no passage supports and that nobody has corrected or accepted. Absent if there are none. */
  readonly valuesToCheck?: number;
  /** The batch that it is an item of; absent for a single submit. */
  readonly batchId?: string;
  /** Name of that batch. */
  readonly batchName?: string;
  /** The extraction whose stored files it read again; absent for one that fetched its URL. */
  readonly fromExtraction?: string;
  /** One sentence; only with `no_match` and `uncertain`. */
  readonly verdictReason?: string;
  /** Human-readable reason; only with status `failed`. */
  readonly error?: string;
  /** Its code, as in the result; only with status `failed`. `cancelled`: somebody stopped it. */
  readonly failureReason?: FailureReason;
  /** Simplified status. */
  readonly phase: ExtractionPhase;
  /** What `creditsDebited` is made of, at the prices of that debit: a video of unknown duration as at most 300 s, `auto` by the most expensive step within `maxSpendCredits`. What came back of it is `creditsRefunded`. */
  readonly price: Price;
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

/** Progress of an extraction: the data of a `progress` event. */
export type ExtractionProgress = {
  /** Phase of the extraction: `queued` or `processing`. */
  readonly phase: ExtractionPhase;
  /** Current step of the run; null while it waits. */
  readonly step: "inspecting" | "fetching" | "converting" | "transcribing" | "analysing" | "storing" | (string & {}) | null;
  /** Progress of the step, 0 to 100; null if unknown. */
  readonly percent: number | null;
  /** Bytes fetched so far. */
  readonly bytes: number;
  /** With `auto`: the inputs of the current step. Null otherwise. */
  readonly rung: ReadonlyArray<Modality> | null;
  /** With step `transcribing`: seconds of the recording that are transcribed. */
  readonly doneSec?: number;
  /** With step `transcribing`: seconds of the whole recording. */
  readonly totalSec?: number;
};

export type ExtractionStatus = "queued" | "pending" | "running" | "complete" | "failed" | (string & {});

/** The extraction failed; its credits were refunded in full. */
export type FailedResult = {
  /** Id of the extraction. */
  readonly id: string;
  /** Always `failed`. */
  readonly status: "failed";
  /** Human-readable reason. */
  readonly error: string;
  /** Machine-readable reason. */
  readonly failure: Failure;
  /** Debited at submit; 0 if the result was reused. */
  readonly creditsDebited: Credits;
  /** Refunded when the extraction ended; the whole debit if it failed. */
  readonly creditsRefunded: Credits;
};

/** Why the extraction failed and what to do. */
export type Failure = {
  /** Stable code. */
  readonly reason: FailureReason;
  /** Where the attempt to reach the source ended, if `reason` is `unreachable` and it is known: the host's name (`dns`), the connection (`refused`, `timeout`, `reset`), its encryption (`tls`) or the answer (`http_5xx`). */
  readonly cause?: UnreachableCause;
  /** Whether the same submit may succeed later. */
  readonly retryable: boolean;
  /** One sentence on what to do next. */
  readonly hint: string;
};

export type FailureReason = "private" | "removed" | "login_required" | "age_restricted" | "geo_restricted" | "drm" | "live" | "bot_blocked" | "rate_limited" | "too_long" | "too_large" | "timeout" | "unreachable" | "input_unavailable" | "model_error" | "model_refused" | "model_filtered" | "model_quota" | "model_unavailable" | "invalid_model_output" | "speech_timeout" | "speech_unavailable" | "speech_misconfigured" | "host_not_public" | "blocked_address" | "not_extractable" | "cancelled" | "expired" | "internal" | (string & {});

/** A link to one file that works without a key. */
export type FileLink = {
  /** Supports GET, HEAD and ranges. */
  readonly url: string;
  /** 15 minutes after it was created. */
  readonly expiresAt: string;
};

/** The check passed. */
export type Health = {
  /** Always `ok`. */
  readonly status: "ok";
};

/** One change of the balance. Entries are never changed or removed. */
export type LedgerEntry = {
  /** Opaque. */
  readonly id: string;
  /** Kind of entry. */
  readonly kind: LedgerKind;
  /** Signed: negative for debits. */
  readonly credits: number;
  /** The balance after this entry. */
  readonly balanceAfter: Credits;
  /** The extraction it belongs to, which may have been deleted since. */
  readonly extractionId: string | null;
  /** Its title, or its URL while there is none; null without one or after its deletion. */
  readonly extractionTitle: string | null;
  /** The batch it was debited for, in one entry for all items; absent otherwise. */
  readonly batchId?: string;
  /** When it was posted. */
  readonly createdAt: string;
  /** Why the balance changed, in plain English. */
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

/** Limits to change; null resets one to the plan's value. */
export type LimitsChange = {
  /** Extractions that can run at once. */
  readonly runningMax?: number | null;
  /** Extractions that can wait for a slot. */
  readonly waitingMax?: number | null;
  /** Submits per minute. */
  readonly submitsPerMinute?: number | null;
  /** Probes per minute. */
  readonly probesPerMinute?: number | null;
  /** Reads of an extraction, its request and its result per minute. */
  readonly readsPerMinute?: number | null;
  /** Requests per minute to each other endpoint. */
  readonly othersPerMinute?: number | null;
  /** Maximum duration of a video in seconds. */
  readonly maxDurationSec?: number | null;
  /** Retention of results and files in days. */
  readonly retentionDays?: number | null;
  /** Registered webhook endpoints. */
  readonly webhookEndpointsMax?: number | null;
};

export type MadeBy = "api" | "web" | "mcp" | (string & {});

/** A person who may sign in to the account, or is invited to it. */
export type Member = {
  /** Opaque. */
  readonly id: string;
  /** The address they were invited with; null if they signed up without one. */
  readonly email: string | null;
  /** Their identifier at the identity provider; null while they are invited. */
  readonly name: string | null;
  /** `invited` until they accept the invitation. */
  readonly status: "invited" | "member";
  /** When the member was invited, or signed up. */
  readonly createdAt: string;
  /** When the invitation expires; null for members. */
  readonly expiresAt: string | null;
  /** Id of the member who invited them, who may have been removed since; null if it is unknown. */
  readonly invitedBy: string | null;
};

/** A member to invite. */
export type MemberBody = {
  /** E-mail address, as confirmed by the member's identity provider. */
  readonly email: string;
};

/** The members of the account. */
export type MemberList = {
  /** Oldest first. */
  readonly data: ReadonlyArray<Member>;
};

export type Modality = "transcript" | "comments" | "audio" | "video";

/** What the run that made this result used of the server's models, as they reported it; null for what they did not report. */
export type ModelUsage = {
  /** Tokens read by the language model. */
  readonly inputTokens: number | null;
  /** Tokens written by the language model, its thinking included. */
  readonly outputTokens: number | null;
  /** Requests that the language model and the speech model answered. */
  readonly requests: number | null;
  /** Seconds of sound that the speech model transcribed. */
  readonly audioSeconds: number | null;
  /** Name of the language model. */
  readonly model: string | null;
};

export type Outcome = "ok" | "no_match" | "uncertain";

export type PartState = "found" | "not_found" | "lookup_failed" | "not_requested" | (string & {});

/** State of each part of the run. */
export type PartStates = {
  /** State of the transcript, or of the text of a webpage. */
  readonly transcript: PartState;
  /** State of the comments. */
  readonly comments: PartState;
  /** State of the audio. */
  readonly audio: PartState;
  /** State of the video. The slides of a photo post are no part: they are always fetched. */
  readonly video: PartState;
};

/** The extraction has not ended yet; poll again. */
export type PendingResult = {
  /** `queued`: waiting for a slot; `processing`: running or about to start. */
  readonly status: "queued" | "processing";
};

/** What an account may do. */
export type PlanLimits = {
  /** Extractions that can run at once. */
  readonly runningMax: number;
  /** Extractions that can wait for a slot. */
  readonly waitingMax: number;
  /** Submits per minute. */
  readonly submitsPerMinute: number;
  /** Probes per minute. */
  readonly probesPerMinute: number;
  /** Reads of an extraction, its request and its result per minute. */
  readonly readsPerMinute: number;
  /** Requests per minute to each other endpoint. */
  readonly othersPerMinute: number;
  /** Maximum duration of a video in seconds. */
  readonly maxDurationSec: number;
  /** Retention of results and files in days. */
  readonly retentionDays: number;
  /** Registered webhook endpoints. */
  readonly webhookEndpointsMax: number;
};

export type Policy = "strict" | "fallback" | "best-effort";

/** The exact price; 0 if the result comes from the cache. The components are unrounded; their sum is at most `usd`. */
export type Price = {
  /** `ai` with a schema, else `download`. */
  readonly mode: "ai" | "download" | (string & {});
  /** Total; 1 credit is $0.0001. */
  readonly credits: Credits;
  /** Total. */
  readonly usd: number;
  /** Flat fee of every fresh run; not charged for cached results. */
  readonly baseUsd: number;
  /** Total of all requested artifacts. */
  readonly downloadUsd: number;
  /** Per requested artifact. */
  readonly downloadBreakdown: DownloadBreakdown;
  /** Per modality of the AI pass. */
  readonly breakdown: AiBreakdown;
  /** Price of a fresh run, as with `force`; equal to `credits` unless `cached` is true. */
  readonly freshCredits: Credits;
};

/** The body that will be submitted. Fields that do not affect the price are ignored. */
export type ProbeBody = {
  /** Public URL of a video, a photo post or carousel, or an article. Required without `fromExtraction`. */
  readonly url?: string;
  /** Id of a complete extraction of the account whose files are still there, in place of `url`: they are read again with a schema, nothing is fetched, and only the reading is charged. Not with `force`, `language`, `captions`, `parts` or `range`. */
  readonly fromExtraction?: string;
  /** What the AI pass reads; needs `schema` or `schemaId`. Default `[transcript, comments]`. Sets the price. */
  readonly inputs?: ReadonlyArray<Modality>;
  /** Only this stretch of a video, by whose seconds it is charged. Times in transcript, captions and evidence stay those of the whole video. Not with `fromExtraction`, which has that of its extraction. */
  readonly range?: TimeRange;
  /** A predefined schema (`<namespace>.predefined.<name>.v<N>`), a saved one, or `auto`. Not with `schema`. */
  readonly schemaId?: string;
  /** Inline JSON Schema of an object, at most 100 KB. Without any schema the run is download-only. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Guidance for the model, at most 20 KB. Ignored on download-only runs. */
  readonly prompt?: string;
  /** Start with text and use audio and video only if needed. Requires `maxSpendCredits`. */
  readonly auto?: boolean;
  /** Do not reuse a cached result; the run is charged in full. Default false. */
  readonly force?: boolean;
  /** Most credits that an `auto` run may cost; at least the price of its cheapest step. */
  readonly maxSpendCredits?: number;
  /** A run that costs more is rejected before any debit. Default: limited only by the balance. */
  readonly maxCredits?: number;
  /** Maximum age of a reused result; 0 disables reuse. Default: the 30 days of the result cache. */
  readonly maxAgeSeconds?: number;
  /** If a requested input does not exist: `strict` fails the run, `fallback` (default) continues with a warning, `best-effort` continues silently. */
  readonly policy?: Policy;
  /** `attach` (default): values come with the quotes they were read from, if any are found. `require`: a value without a quote becomes null if the schema allows it, else the outcome is `uncertain`. Ignored on download-only runs. */
  readonly evidence?: EvidenceRule;
  /** Language of the transcript (BCP 47, such as `en` or `pt-BR`), from subtitles made by people or automatic captions, never from a machine translation. Default: the original language. If it is not available, `strict` fails the run; otherwise the transcript is in another language, preferably the original. */
  readonly language?: string;
  /** Whose captions become the transcript: `any` (default) takes those made by people before automatic ones, `people` and `automatic` only their own. If there are none of these, the transcript is `not_found`. */
  readonly captions?: Captions;
  /** If a video has no captions, or none of the chosen kind, transcribe its audio with the server's speech model. Adds the price of the audio download and the audio rate of the AI pass, which is refunded if there were captions. Default false. */
  readonly speech?: boolean;
  /** What a download-only run fetches; all four by default. Not with `schema` or `schemaId`. */
  readonly parts?: ReadonlyArray<Modality>;
  /** Public https URL that receives `extraction.completed` or `extraction.failed` of this run. */
  readonly webhookUrl?: string;
};

/** What the source has, and what the same body costs as a submit. */
export type ProbeResponse = {
  /** As sent. */
  readonly url: string;
  /** Kind of the source. */
  readonly kind: SourceKind;
  /** Null if the platform does not report it, and for webpages. A video of unknown duration is debited as 300 s, or as its `range` if that is shorter. */
  readonly durationSec: number | null;
  /** Title of the content. */
  readonly title: string | null;
  /** Whether there are captions of the chosen kind (`captions`), which become the transcript. */
  readonly hasSubtitles: boolean;
  /** Whether comments are available. */
  readonly hasComments: boolean;
  /** Number of slides of a photo post; 0 otherwise. */
  readonly imageCount: number;
  /** Languages of all captions (BCP 47, `und` if unknown), with their origin: `people`, or `automatic` speech recognition. */
  readonly captionLanguages: ReadonlyArray<CaptionLanguage>;
  /** Number of chapters set by the publisher. */
  readonly chapters: number;
  /** Absolute path of its picture on this server, usable as `src` in pages of the same host: a small one of the source, or the stored one of a result that is reused or read again. Null if there is none. */
  readonly thumbnail: string | null;
  /** The quote. */
  readonly price: Price;
  /** Whether a submit of this body would be served from a recent identical extraction, free of charge. */
  readonly cached: boolean;
  /** The account's extraction whose result would be served; null unless `cached` is true. */
  readonly extractionId: string | null;
  /** Requested inputs or parts that are not available. With `strict` the run would fail, else it continues without them. */
  readonly unavailable: ReadonlyArray<UnavailableInput>;
  /** Whether this server has a language model; without one, a submit with a schema is rejected. */
  readonly aiConfigured: boolean;
  /** Whether this server has a speech model; without one, `speech` is rejected. */
  readonly speechConfigured: boolean;
};

/** How many deliveries are sent again. */
export type RedeliverAnswer = {
  /** Number of deliveries, without those that can no longer be sent. */
  readonly redelivered: number;
};

/** Which failed deliveries to send again. Unknown fields are rejected. */
export type RedeliverBody = {
  /** Only deliveries of events that happened then or later. */
  readonly since: Date | string;
};

/** A link to a table of results that works without a key. */
export type ResultLink = {
  /** Supports GET. */
  readonly url: string;
  /** 30 days after it was created. */
  readonly expiresAt: string;
};

/** Which rows the link gives, and in which form: as the parameters of `GET /v1/results`. */
export type ResultLinkBody = {
  /** Required for CSV of rows that have several schemas. */
  readonly schemaId?: string;
  /** Only items of this batch; `none`: of no batch. */
  readonly batchId?: string;
  /** Only runs submitted then or later (RFC 3339). */
  readonly since?: Date | string;
  /** Only rows with a value of this support. */
  readonly support?: Support;
  /** `csv` by default. */
  readonly format?: "csv" | "jsonl" | (string & {});
  /** For CSV: a list of `quote`, `at`, `corrected`, `range`. */
  readonly columns?: string;
};

/** One page of results. */
export type ResultPage = {
  /** Newest first. */
  readonly data: ReadonlyArray<ResultRow>;
  /** Whether another page follows. */
  readonly has_more: boolean;
  /** Opaque: pass it as `cursor`. Null on the last page. */
  readonly next_cursor: string | null;
};

/** The values of one run. Everything about a value is by JSON pointer into `values`. */
export type ResultRow = {
  /** Id of the extraction. */
  readonly extractionId: string;
  /** As submitted. */
  readonly url: string;
  /** The stretch that was read; absent for the whole. */
  readonly range?: TimeRange;
  /** Title of the content. */
  readonly title: string | null;
  /** When the run completed. */
  readonly completedAt: string;
  /** The extraction, as the run read it; corrections do not change it. */
  readonly values: unknown;
  /** As in the result. */
  readonly evidence: Readonly<Record<string, ReadonlyArray<EvidenceItem>>>;
  /** Of every scalar value: `quoted` if a passage of the input supports it, `unsupported` if none was found, `not_stated` if it is null. */
  readonly support: Readonly<Record<string, Support>>;
  /** Values that a person corrected; null for one that is not stated after all. */
  readonly corrections: Readonly<Record<string, unknown>>;
};

/** A webhook endpoint with its new secret. */
export type RotatedWebhookSecret = {
  /** Id of the endpoint. */
  readonly id: string;
  /** Where events are sent, normalised. */
  readonly url: string;
  /** When it was registered. */
  readonly createdAt: string;
  /** Id of the member who registered it, who may have been removed since; null if it is unknown. */
  readonly createdBy: string | null;
  /** First failure since the last success; null if the last delivery succeeded. */
  readonly failingSince: string | null;
  /** When it was disabled, after 5 days of failures; null while it is enabled. */
  readonly disabledAt: string | null;
  /** Why it is disabled and what to do, in plain English; null while it is enabled. */
  readonly notice: string | null;
  /** Signs deliveries from now on. Shown only once; store it safely. */
  readonly secret: string;
  /** Until then, deliveries are signed with both the old and the new secret. */
  readonly previousSecretExpiresAt: string;
};

/** By which route a run was served. */
export type RunRoute = {
  /** Id of the extraction. */
  readonly id: string;
  /** Its status. */
  readonly status: ExtractionStatus;
  /** Name of the route; null while the run is not complete. */
  readonly route: string | null;
};

/** A saved schema, which submits refer to by its id. It never changes. */
export type SavedSchema = {
  /** Use it as `schemaId`. Predefined ones are `winnow.predefined.<name>.v<N>`. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** JSON Schema of an object. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Guidance for the model, at most 20 KB; used if a submit has no prompt. */
  readonly prompt?: string;
  /** Version among the schemas of this name, from 1. */
  readonly version: number;
  /** When it was saved. */
  readonly createdAt: string;
};

/** A schema to save. Unknown fields are rejected. */
export type SchemaBody = {
  /** Display name. Saving under an existing name creates its next version, with its own id. */
  readonly name: string;
  /** JSON Schema of an object, at most 100 KB. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Guidance for the model, at most 20 KB; used if a submit has no prompt. */
  readonly prompt?: string;
};

/** One page of schemas. */
export type SchemaPage = {
  /** Newest first, including the predefined ones. */
  readonly data: ReadonlyArray<SavedSchema>;
  /** Whether another page follows. */
  readonly has_more: boolean;
  /** Opaque: pass it as `cursor`. Null on the last page. */
  readonly next_cursor: string | null;
};

/** A web session. */
export type SessionItem = {
  /** Opaque. */
  readonly id: string;
  /** Whether this is the session of the request. */
  readonly current: boolean;
  /** The browser's `User-Agent` at sign-in; null if it sent none. */
  readonly userAgent: string | null;
  /** When the session started. */
  readonly createdAt: string;
  /** When the session ends. */
  readonly expiresAt: string;
};

/** The web sessions of the account. */
export type SessionList = {
  /** Newest first; at most 100. */
  readonly data: ReadonlyArray<SessionItem>;
};

/** A one-time sign-in link to the web app. */
export type SignInLink = {
  /** Open it in a browser and press the button. Works once and is shown only once. */
  readonly url: string;
  /** 15 minutes after it was created. */
  readonly expiresAt: string;
};

/** A sign-in method. */
export type SignInMethod = {
  /** `/sign-in/NAME` starts it. */
  readonly name: string;
  /** Completes "Sign in with …". */
  readonly label: string;
  /** Whether it works without any input from the user. */
  readonly isAutomatic: boolean;
};

/** Sign-in methods other than the operator's one-time link. */
export type SignInMethods = {
  /** In display order. */
  readonly data: ReadonlyArray<SignInMethod>;
  /** Whether an embedding application handles sign-in; the server then has no sessions or links of its own. */
  readonly ownSignIn: boolean;
  /** Sign-in page of that application; null if it has not set one. */
  readonly signInUrl: string | null;
};

export type SourceKind = "video" | "photos" | "webpage" | (string & {});

/** A way to sources, in the process that answers, since it started. */
export type SourceRoute = {
  /** Its name in `WINNOW_ROUTES`; `default` is the way of hosts that no route serves. */
  readonly name: string;
  /** Scheme, host and port of its proxy, without credentials; null without one. */
  readonly proxy: string | null;
  /** The hosts that it serves; null for all. */
  readonly hosts: ReadonlyArray<string> | null;
  /** Routes of a host are tried from the lowest number. */
  readonly order: number;
  /** Hosts at which it rests, why, and until when; `host` is null if its proxy does not work. */
  readonly resting: ReadonlyArray<{
    readonly host: string | null;
    readonly reason: "bot_blocked" | "rate_limited" | "unreachable" | (string & {});
    readonly until: string;
  }>;
  /** Its cookie file: cookies for its hosts, when it was written and expires, when a run with it last succeeded, and what is wrong with it; null without one. */
  readonly cookies: {
    readonly count: number;
    readonly writtenAt: string | null;
    readonly expiresAt: string | null;
    readonly lastSuccessAt: string | null;
    readonly problem: string | null;
  } | null;
};

/** The ways to sources. */
export type SourceRouteList = {
  /** In the order in which they are tried. */
  readonly routes: ReadonlyArray<SourceRoute>;
};

/** What to extract. Unknown fields are rejected. */
export type SubmitBody = {
  /** Public URL of a video, a photo post or carousel, or an article. Required without `fromExtraction`. */
  readonly url?: string;
  /** Id of a complete extraction of the account whose files are still there, in place of `url`: they are read again with a schema, nothing is fetched, and only the reading is charged. Not with `force`, `language`, `captions`, `parts` or `range`. */
  readonly fromExtraction?: string;
  /** What the AI pass reads; needs `schema` or `schemaId`. Default `[transcript, comments]`. Sets the price. */
  readonly inputs?: ReadonlyArray<Modality>;
  /** Only this stretch of a video, by whose seconds it is charged. Times in transcript, captions and evidence stay those of the whole video. Not with `fromExtraction`, which has that of its extraction. */
  readonly range?: TimeRange;
  /** A predefined schema (`<namespace>.predefined.<name>.v<N>`), a saved one, or `auto`. Not with `schema`. */
  readonly schemaId?: string;
  /** Inline JSON Schema of an object, at most 100 KB. Without any schema the run is download-only. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Guidance for the model, at most 20 KB. Ignored on download-only runs. */
  readonly prompt?: string;
  /** Start with text and use audio and video only if needed. Requires `maxSpendCredits`. */
  readonly auto?: boolean;
  /** Do not reuse a cached result; the run is charged in full. Default false. */
  readonly force?: boolean;
  /** Most credits that an `auto` run may cost; at least the price of its cheapest step. */
  readonly maxSpendCredits?: number;
  /** A run that costs more is rejected before any debit. Default: limited only by the balance. */
  readonly maxCredits?: number;
  /** Maximum age of a reused result; 0 disables reuse. Default: the 30 days of the result cache. */
  readonly maxAgeSeconds?: number;
  /** If a requested input does not exist: `strict` fails the run, `fallback` (default) continues with a warning, `best-effort` continues silently. */
  readonly policy?: Policy;
  /** `attach` (default): values come with the quotes they were read from, if any are found. `require`: a value without a quote becomes null if the schema allows it, else the outcome is `uncertain`. Ignored on download-only runs. */
  readonly evidence?: EvidenceRule;
  /** Language of the transcript (BCP 47, such as `en` or `pt-BR`), from subtitles made by people or automatic captions, never from a machine translation. Default: the original language. If it is not available, `strict` fails the run; otherwise the transcript is in another language, preferably the original. */
  readonly language?: string;
  /** Whose captions become the transcript: `any` (default) takes those made by people before automatic ones, `people` and `automatic` only their own. If there are none of these, the transcript is `not_found`. */
  readonly captions?: Captions;
  /** If a video has no captions, or none of the chosen kind, transcribe its audio with the server's speech model. Adds the price of the audio download and the audio rate of the AI pass, which is refunded if there were captions. Default false. */
  readonly speech?: boolean;
  /** What a download-only run fetches; all four by default. Not with `schema` or `schemaId`. */
  readonly parts?: ReadonlyArray<Modality>;
  /** Public https URL that receives `extraction.completed` or `extraction.failed` of this run. */
  readonly webhookUrl?: string;
};

/** The new extraction or, on a replay, the existing one. */
export type SubmitResponse = {
  /** Id for reading status, result and files. */
  readonly id: string;
  /** Current status of the extraction. */
  readonly status: ExtractionStatus;
  /** As submitted. */
  readonly url: string;
  /** Debited at submit; 0 if the result was reused. */
  readonly creditsDebited: Credits;
  /** When it was submitted. */
  readonly createdAt: string;
};

/** Metadata and the list of artifacts; null for what the source does not state. */
export type Summary = {
  /** Id of the extraction. */
  readonly runId: string;
  /** As submitted. */
  readonly url: string;
  /** Title of the content. */
  readonly title: string | null;
  /** Name of the publisher. */
  readonly uploader: string | null;
  /** Seconds, as reported by the platform. */
  readonly duration: number | null;
  /** Description by the publisher. */
  readonly description: string | null;
  /** Thumbnail URL on the source platform. */
  readonly thumbnail: string | null;
  /** Final URL of the content. */
  readonly webpage_url: string | null;
  /** As reported by the platform. */
  readonly view_count: number | null;
  /** As reported by the platform. */
  readonly like_count: number | null;
  /** As reported by the platform. */
  readonly comment_count: number | null;
  /** YYYYMMDD. */
  readonly upload_date: string | null;
  /** Seconds, measured from the downloaded media; of a stretch without media, what `duration` leaves of it. */
  readonly durationSeconds: number | null;
  /** `video.mp4`, or null. */
  readonly videoFile: string | null;
  /** `audio.m4a`, or null. */
  readonly audioFile: string | null;
  /** `transcript.txt`, or null. */
  readonly transcriptFile: string | null;
  /** `subtitles.<language>.vtt`: their names. */
  readonly subtitleFiles: ReadonlyArray<string>;
  /** `comments.json`, or null. */
  readonly commentsFile: string | null;
  /** `thumbnail.jpg`, or null. */
  readonly thumbnailFile: string | null;
  /** `description.txt`, or null. */
  readonly descriptionFile: string | null;
  /** Names of all artifacts. */
  readonly files: ReadonlyArray<string>;
  /** Unix time in milliseconds. */
  readonly startedAt: number;
  /** Unix time in milliseconds. */
  readonly finishedAt: number;
};

export type Support = "quoted" | "unsupported" | "not_stated";

/** A stretch of a video, in its seconds, with at most three decimals; at least one of both. */
export type TimeRange = {
  /** Where it begins; by default at the beginning. */
  readonly startSec?: number;
  /** Where it ends, after `startSec`; by default where the video does. */
  readonly endSec?: number;
};

/** Credits to add. The first top-up of an account adds a bonus of 1,000. */
export type TopUpBody = {
  /** Whole credits; 1 credit is $0.0001. */
  readonly credits: TopUpCredits;
};

export type TopUpCredits = number;

/** The checkout page. */
export type TopUpPage = {
  /** A page of the payment service; redirect the browser to it. */
  readonly url: string;
};

/** The pack to buy. */
export type TopUpRequest = {
  /** Credits of one of the packs for sale. */
  readonly credits: number;
};

/** A requested input or part that is not available. */
export type UnavailableInput = {
  /** The requested input or part. */
  readonly input: Modality;
  /** `not_offered`: it was named in the request, but this kind of source never has it; `not_found`: this source has none. */
  readonly reason: "not_offered" | "not_found" | (string & {});
};

export type UnreachableCause = "dns" | "refused" | "tls" | "timeout" | "reset" | "http_5xx" | (string & {});

/** The account's usage on one day. */
export type UsageDay = {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** Extractions submitted, including those served from the cache. */
  readonly runs: number;
  /** Credits debited. */
  readonly debited: Credits;
  /** Credits refunded for these runs, whenever that was. */
  readonly refunded: Credits;
};

/** What one API key used in the period. */
export type UsageOfKey = {
  /** Null for runs without a key: of signed-in people, the operator or an embedding program. A key may have been revoked since. */
  readonly apiKeyId: string | null;
  /** Null for runs without a key and for revoked keys. */
  readonly apiKeyName: string | null;
  /** Extractions submitted, including those served from the cache. */
  readonly runs: number;
  /** Credits debited. */
  readonly debited: Credits;
  /** Credits refunded for these runs, whenever that was. */
  readonly refunded: Credits;
};

/** What one part of the price cost in the period. */
export type UsageOfPart = {
  /** The base fee, or the part by its place in the `price` of an extraction: `downloadBreakdown` for files, `breakdown` for what the language model read. */
  readonly part: "base" | "downloadBreakdown.transcript" | "downloadBreakdown.comments" | "downloadBreakdown.audio" | "downloadBreakdown.video" | "breakdown.text" | "breakdown.audio" | "breakdown.video" | (string & {});
  /** Credits debited. */
  readonly debited: Credits;
  /** Credits refunded for these runs, whenever that was. */
  readonly refunded: Credits;
};

/** What extractions with one schema used in the period. */
export type UsageOfSchema = {
  /** The saved or predefined schema, which may have been deleted since. */
  readonly schemaId: string;
  /** Extractions submitted, including those served from the cache. */
  readonly runs: number;
  /** Credits debited. */
  readonly debited: Credits;
  /** Credits refunded for these runs, whenever that was. */
  readonly refunded: Credits;
};

/** Usage by day, by API key, by schema and by part of the price. Deleting an extraction does not change it. */
export type UsageReport = {
  /** One entry per day, oldest first. */
  readonly data: ReadonlyArray<UsageDay>;
  /** One entry per API key that was used in the period, the one that spent most first. */
  readonly keys: ReadonlyArray<UsageOfKey>;
  /** One entry per saved or predefined schema that was used in the period, the one that cost most first; absent if none was. */
  readonly bySchema?: ReadonlyArray<UsageOfSchema>;
  /** One entry per part of the price that was debited in the period, the one that cost most first; absent if nothing was. They add up to the credits of the days. */
  readonly byPart?: ReadonlyArray<UsageOfPart>;
};

export type WarningCode = "not_found" | "not_offered" | "lookup_failed" | "speech" | "not_read" | "other_language" | "length_unknown" | "number_not_exact" | "other" | (string & {});

/** One delivery attempt. */
export type WebhookAttempt = {
  /** When it started. */
  readonly at: string;
  /** The headers that named and signed it; empty if nothing was sent. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** HTTP status of the response; null if there was none. */
  readonly status: number | null;
  /** What went wrong, in plain English; null if it succeeded. */
  readonly error: string | null;
  /** Time until the response was read or the attempt was aborted. */
  readonly durationMs: number;
  /** First 1 KB of the response; null if there was none. */
  readonly responseSnippet: string | null;
};

/** The delivery of one event to one endpoint. */
export type WebhookDelivery = {
  /** Sent in the header `X-Service-Delivery`; the same for every attempt. */
  readonly id: string;
  /** Name of the event. */
  readonly event: WebhookEventName;
  /** The extraction that ended; null for `batch.completed` and `test`. */
  readonly extractionId: string | null;
  /** The registered endpoint; null for a per-run `webhookUrl`. */
  readonly endpointId: string | null;
  /** Where it is sent. */
  readonly url: string;
  /** `pending` until it succeeds or the last attempt fails. */
  readonly status: DeliveryStatus;
  /** Number of attempts, including redeliveries. */
  readonly attemptCount: number;
  /** HTTP status of the last attempt; null before the first, and if there was no response. */
  readonly lastStatus: number | null;
  /** Time of the next attempt; null once delivered or failed. */
  readonly nextAttemptAt: string | null;
  /** Why it failed before all attempts were used, in plain English; null otherwise. */
  readonly note: string | null;
  /** When the event happened. */
  readonly createdAt: string;
};

/** A delivery with its attempts. */
export type WebhookDeliveryDetail = {
  /** Sent in the header `X-Service-Delivery`; the same for every attempt. */
  readonly id: string;
  /** Name of the event. */
  readonly event: WebhookEventName;
  /** The extraction that ended; null for `batch.completed` and `test`. */
  readonly extractionId: string | null;
  /** The registered endpoint; null for a per-run `webhookUrl`. */
  readonly endpointId: string | null;
  /** Where it is sent. */
  readonly url: string;
  /** `pending` until it succeeds or the last attempt fails. */
  readonly status: DeliveryStatus;
  /** Number of attempts, including redeliveries. */
  readonly attemptCount: number;
  /** HTTP status of the last attempt; null before the first, and if there was no response. */
  readonly lastStatus: number | null;
  /** Time of the next attempt; null once delivered or failed. */
  readonly nextAttemptAt: string | null;
  /** Why it failed before all attempts were used, in plain English; null otherwise. */
  readonly note: string | null;
  /** When the event happened. */
  readonly createdAt: string;
  /** The exact text that every attempt sends; null after its extraction was deleted. */
  readonly body: string | null;
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
  /** Where events are sent, normalised. */
  readonly url: string;
  /** When it was registered. */
  readonly createdAt: string;
  /** Id of the member who registered it, who may have been removed since; null if it is unknown. */
  readonly createdBy: string | null;
  /** First failure since the last success; null if the last delivery succeeded. */
  readonly failingSince: string | null;
  /** When it was disabled, after 5 days of failures; null while it is enabled. */
  readonly disabledAt: string | null;
  /** Why it is disabled and what to do, in plain English; null while it is enabled. */
  readonly notice: string | null;
};

/** A webhook endpoint to register. Unknown fields are rejected. */
export type WebhookEndpointBody = {
  /** An https URL with a public host. If it is already registered, that endpoint is returned unchanged. */
  readonly url: string;
};

/** The webhook endpoints of the account; at most 5 by default. */
export type WebhookEndpointList = {
  /** In the order of registration. The secret of the first one signs deliveries to a per-run `webhookUrl`. */
  readonly data: ReadonlyArray<WebhookEndpoint>;
};

export type WebhookEventName = "extraction.completed" | "extraction.failed" | "batch.completed" | "test" | (string & {});
