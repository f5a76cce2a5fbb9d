/**
 * The use cases of the server as promises, without HTTP, keys and rate limits. Arguments are the account, ids
 * and the request body of the endpoint; results are the endpoint's response body. Errors reject with {@link
 * EngineError}, whose `code` is the API's. Callers need no Effect.
 */
import type { Outcome } from "@winnow/core/domain/evidence/Verdict";
import type { Modality } from "@winnow/core/domain/source/Modality";
import type { LimitsChange, PlanLimits } from "@winnow/core/domain/money/PlanLimits";
import type { SourceKind } from "@winnow/core/domain/source/SourceFacts";
import type { SubmitBody } from "@winnow/core/domain/run/SubmitBody";
import type { ExtractionStatus } from "@winnow/core/domain/run/Transition";
import type { DeliveryStatus } from "@winnow/core/domain/webhook/WebhookDelivery";
import type { Probe } from "@winnow/core/engine/extractions/Probes";
import type {
  AccountOverview,
  CreatedApiKey,
  LedgerPage,
  ApiKeyList,
  UsageReport
} from "../routes/account/AccountWire.ts";
import type { ExtractionDetail, ExtractionPage } from "../routes/extractions/ExtractionWire.ts";
import type { CompleteResult, FailedResult } from "../routes/extractions/ResultWire.ts";
import type { SavedSchema, SchemaPage } from "../routes/schemas/SchemaWire.ts";
import type { SubmitResponse } from "../routes/extractions/SubmitWire.ts";
import type {
  RotatedWebhookSecret,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookEndpoint,
  WebhookEndpointList
} from "../routes/webhooks/WebhookWire.ts";

/** Aborting stops the call, which rejects with the signal's reason. It does not cancel the run. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface PageQuery {
  /** 1 to 100; 20 by default. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Filters of the endpoint; all must match. */
export interface ExtractionQuery extends PageQuery {
  readonly status?: ExtractionStatus | undefined;
  readonly outcome?: Outcome | undefined;
  readonly kind?: SourceKind | undefined;
  /** RFC 3339: submitted then or later. */
  readonly since?: string | undefined;
  /** Text in title or URL. */
  readonly q?: string | undefined;
}

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly balance: number;
}

export interface ManagedAccount extends Account {
  readonly plan: string;
  /** The plan's limits, overridden by the account's own. */
  readonly limits: PlanLimits;
}

export interface Submitted extends SubmitResponse {
  /** Whether the idempotency key was used before; this is then the existing extraction. */
  readonly replayed: boolean;
}

/** Progress of a run. */
export interface Progress {
  readonly phase: "queued" | "processing" | "done" | "failed";
  readonly step: "inspecting" | "fetching" | "converting" | "analysing" | "storing" | null;
  /** Progress of the step, 0 to 100; null if unknown. */
  readonly percent: number | null;
  readonly bytes: number;
  readonly rung: ReadonlyArray<Modality> | null;
}

export interface WaitOptions extends CallOptions {
  /** Time limit, after which it rejects with the code `timeout`. Default: none. The run continues. */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Inclusive, in bytes. */
export interface FileRange {
  readonly start: number;
  readonly end: number;
}

export interface OpenedFile {
  readonly name: string;
  readonly contentType: string;
  /** Of the whole file. */
  readonly sizeBytes: number;
  /** The whole file, or the range of it. */
  readonly body: ReadableStream<Uint8Array>;
}

export interface AccountCalls {
  /** On the plan `default` unless another one is named. */
  create(body: { readonly name: string; readonly plan?: string | undefined }): Promise<ManagedAccount>;
  /** Absent fields stay as they are; null resets a limit to the plan's. Takes effect at once. */
  change(
    accountId: string,
    body: {
      readonly name?: string | undefined;
      readonly plan?: string | undefined;
      readonly limits?: LimitsChange | undefined;
    }
  ): Promise<ManagedAccount>;
  get(accountId: string): Promise<typeof AccountOverview.Type>;
  /** The first top-up adds the bonus. Calls with the same key and body add credits once. */
  topUp(
    accountId: string,
    body: { readonly credits: number },
    options?: { readonly idempotencyKey?: string | undefined }
  ): Promise<{ readonly balance: number }>;
  /** The key is returned only once. */
  createApiKey(
    accountId: string,
    body?: { readonly name?: string | undefined; readonly dailyCredits?: number | null | undefined }
  ): Promise<typeof CreatedApiKey.Type>;
  listApiKeys(accountId: string): Promise<typeof ApiKeyList.Type>;
  revokeApiKey(accountId: string, keyId: string): Promise<void>;
  ledger(accountId: string, query?: PageQuery): Promise<typeof LedgerPage.Type>;
  /** The last `days` days (1 to 90, 30 by default), oldest first. */
  usage(accountId: string, query?: { readonly days?: number | undefined }): Promise<typeof UsageReport.Type>;
}

export interface SchemaCalls {
  list(accountId: string, query?: PageQuery): Promise<typeof SchemaPage.Type>;
  get(accountId: string, id: string): Promise<SavedSchema>;
  save(
    accountId: string,
    body: {
      readonly name: string;
      readonly schema: Readonly<Record<string, unknown>>;
      readonly prompt?: string | undefined;
    }
  ): Promise<SavedSchema>;
  delete(accountId: string, id: string): Promise<void>;
}

export interface WebhookCalls {
  /** In the order of registration. */
  listEndpoints(accountId: string): Promise<typeof WebhookEndpointList.Type>;
  /** The secret is returned only once; it is absent if the URL was already registered. */
  register(
    accountId: string,
    body: { readonly url: string }
  ): Promise<WebhookEndpoint & { readonly secret?: string }>;
  remove(accountId: string, id: string): Promise<void>;
  enable(accountId: string, id: string): Promise<WebhookEndpoint>;
  test(accountId: string, id: string): Promise<WebhookDelivery>;
  rotateSecret(accountId: string, id: string): Promise<typeof RotatedWebhookSecret.Type>;
  listDeliveries(
    accountId: string,
    query?: PageQuery & { readonly status?: DeliveryStatus | undefined }
  ): Promise<typeof WebhookDeliveryPage.Type>;
  redeliver(accountId: string, deliveryId: string): Promise<WebhookDelivery>;
}

export interface FileCalls {
  file(
    accountId: string,
    id: string,
    name: string,
    options?: { readonly range?: FileRange | undefined }
  ): Promise<OpenedFile>;
  /** A URL below `publicUrl` that gives access to this one file without a key for 15 minutes. */
  fileLink(
    accountId: string,
    id: string,
    name: string
  ): Promise<{ readonly url: string; readonly expiresAt: string }>;
  /** All files of a complete extraction as one zip archive, streamed. */
  archive(accountId: string, id: string): Promise<OpenedFile>;
}

export interface Engine extends FileCalls {
  /** Inspects the URL and returns what submitting the body would debit. Free. */
  probe(accountId: string, body: SubmitBody, options?: CallOptions): Promise<Probe>;
  submit(
    accountId: string,
    body: SubmitBody,
    options?: CallOptions & { readonly idempotencyKey?: string | undefined }
  ): Promise<Submitted>;
  get(accountId: string, id: string): Promise<ExtractionDetail>;
  /** Newest first. With filters, a page may have fewer than `limit` entries although more follow. */
  list(accountId: string, query?: ExtractionQuery): Promise<typeof ExtractionPage.Type>;
  /** The body as it was submitted. */
  request(accountId: string, id: string): Promise<SubmitBody>;
  result(
    accountId: string,
    id: string
  ): Promise<{ readonly status: "queued" | "processing" } | CompleteResult | FailedResult>;
  /** Waits for the terminal result, which may be `failed`. */
  wait(accountId: string, id: string, options?: WaitOptions): Promise<CompleteResult | FailedResult>;
  /** Progress of the run, up to its end. */
  progress(accountId: string, id: string, options?: CallOptions): AsyncIterable<Progress>;
  /** Returns the extraction; one that has already ended is unchanged. */
  cancel(accountId: string, id: string): Promise<ExtractionDetail>;
  delete(accountId: string, id: string): Promise<void>;
  readonly accounts: AccountCalls;
  readonly schemas: SchemaCalls;
  readonly webhooks: WebhookCalls;
}
