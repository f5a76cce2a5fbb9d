/**
 * The client: one object per API key or web session.
 */
import { watchAccount, type AccountEvent } from "./accountEvents.ts";
import { ApiKeys } from "./apiKeys.ts";
import { Billing } from "./billing.ts";
import { batchOf, type Batch, type BatchOptions, type Settled } from "./batch.ts";
import type { Call } from "./call.ts";
import { ExtractionFailedError, WinnowError } from "./errors.ts";
import type { ExtractionOf, ExtractionSchema } from "./extractionSchema.ts";
import { Extractions } from "./extractions.ts";
import { Files } from "./files.ts";
import type { AccountOverview, ProbeResponse, SubmitResponse, UsageReport } from "./generated/types.ts";
import type { JsonSchema } from "./jsonSchemaValue.ts";
import { Ledger } from "./ledger.ts";
import type { Logger } from "./logger.ts";
import { sendJson, type RequestOptions, type Transport } from "./request.ts";
import type { CompleteResult } from "./results.ts";
import { MAX_RETRIES_DEFAULT } from "./retry.ts";
import { Schemas } from "./schemas.ts";
import { Members } from "./members.ts";
import { Session } from "./session.ts";
import { apiKeyOf, baseUrlOf, sessionBaseOf } from "./settings.ts";
import { postBody, submit, type Inquiry, type Submission, type SubmitOptions } from "./submission.ts";
import { submitPaced } from "./submitMany.ts";
import { SubmitPace } from "./submitPace.ts";
import type { WaitOptions } from "./wait.ts";
import { WebhookDeliveries } from "./webhookDeliveries.ts";
import { WebhookEndpoints } from "./webhookEndpoints.ts";

const TIMEOUT_MS_DEFAULT = 60_000;

export interface WinnowOptions {
  /** Default: `WINNOW_API_KEY` of the environment. Left out with `session: true`. */
  readonly apiKey?: string | undefined;
  /**
   * In a page of the server itself: speaks in the web session of whoever is signed in, by its cookie and without
   * a key. `baseUrl` is then a path such as `/winnow`; "" by default.
   */
  readonly session?: boolean | undefined;
  /**
   * Address of the service, without `/v1`. Default: `WINNOW_URL` of the environment, else a server on this
   * machine.
   */
  readonly baseUrl?: string | undefined;
  /** Further tries after 408, 429, 5xx and dropped connections; 0 is none. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Time limit of one try; for files until the answer begins. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** In place of the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** An API key in a page is readable by everybody who opens it; only set this for a key made for that. */
  readonly allowBrowser?: boolean | undefined;
  /** Told of every answer and every try: methods, paths, statuses and times; never a key or a body. */
  readonly logger?: Logger | undefined;
}

export interface UsageOptions extends RequestOptions {
  /** 1 to 90; 30 by default. */
  readonly days?: number | undefined;
}

export interface SubmitManyOptions<Body, Value> extends BatchOptions<Body, Value> {
  /** `maxCredits` of each body that has none: one that costs more ends `rejected`, and nothing is debited. */
  readonly maxCredits?: number | undefined;
}

/** Of an account two run at a time; the rest of a batch would only wait. */
const SUBMITS_AT_ONCE_DEFAULT = 2;

/** Each waits on a stream of its own, of which the service gives an account 20. */
const EXTRACTS_AT_ONCE_DEFAULT = 4;

/** Pages and their workers: what runs there is read by whoever opens the page. */
const isBrowser = (): boolean => {
  if ("window" in globalThis && "document" in globalThis) return true;
  // Servers and edge runtimes have a navigator too, but every browser, and nothing else, says Mozilla.
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } };
  return "WorkerGlobalScope" in globalThis && navigator?.userAgent?.startsWith("Mozilla/") === true;
};

/** A number that is none, `Number(undefined)` for instance, would try for ever, or give up at once. */
const checked = (name: string, value: number, minimum: number): number => {
  if (value >= minimum) return value;
  throw new WinnowError(`${name} is ${String(value)}, but must be a number of ${minimum} or more.`);
};

/** What both ways to be known have in common. */
const connectionOf = (options: WinnowOptions) => ({
  maxRetries: checked("maxRetries", options.maxRetries ?? MAX_RETRIES_DEFAULT, 0),
  timeoutMs: checked("timeoutMs", options.timeoutMs ?? TIMEOUT_MS_DEFAULT, 1),
  fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
  logger: options.logger
});

const transportOf = (options: WinnowOptions): Transport => {
  if (options.session === true) {
    if (options.apiKey === undefined) {
      return { apiKey: null, baseUrl: sessionBaseOf(options.baseUrl), ...connectionOf(options) };
    }
    throw new WinnowError("apiKey and session exclude each other: a page that has a session needs no key.");
  }
  const apiKey = apiKeyOf(options.apiKey);
  if (isBrowser() && options.allowBrowser !== true) {
    throw new WinnowError(
      "An API key must not be shipped to browsers: call Winnow from your server, or set allowBrowser: true."
    );
  }
  return { apiKey, baseUrl: baseUrlOf(options.baseUrl), ...connectionOf(options) };
};

/** A body that names no limit of its own gets the batch's. */
const priced = <Body extends Submission>(
  body: Body,
  { maxCredits }: { readonly maxCredits?: number | undefined }
): Body => (maxCredits === undefined ? body : { maxCredits, ...body });

export class Winnow {
  readonly extractions: Extractions;
  readonly files: Files;
  readonly ledger: Ledger;
  readonly billing: Billing;
  /** With `session: true` only. */
  readonly apiKeys: ApiKeys;
  /** With `session: true` only. */
  readonly members: Members;
  /** With `session: true` only. */
  readonly session: Session;
  readonly schemas: Schemas;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookDeliveries: WebhookDeliveries;
  protected readonly transport: Transport;
  private readonly pace = new SubmitPace();

  constructor(options: WinnowOptions = {}) {
    this.transport = transportOf(options);
    this.extractions = new Extractions(this.transport);
    this.files = new Files(this.transport);
    this.ledger = new Ledger(this.transport);
    this.billing = new Billing(this.transport);
    this.apiKeys = new ApiKeys(this.transport);
    this.members = new Members(this.transport);
    this.session = new Session(this.transport);
    this.schemas = new Schemas(this.transport);
    this.webhookEndpoints = new WebhookEndpoints(this.transport);
    this.webhookDeliveries = new WebhookDeliveries(this.transport);
  }

  /** The account that the key belongs to: its balance, and how many extractions run and wait. */
  account(options: RequestOptions = {}): Call<AccountOverview> {
    return sendJson(this.transport, { method: "GET", path: "/v1/account", ...options });
  }

  /**
   * What happens in the account from now on, one connection for all of it. It goes on until you leave the loop
   * or abort; a service that stays away for longer than the retries ends it with the error.
   */
  events({ signal }: RequestOptions = {}): AsyncGenerator<AccountEvent, void, undefined> {
    return watchAccount(this.transport, signal);
  }

  /** What was used by day, oldest first, today (UTC) last. */
  usage({ days, ...options }: UsageOptions = {}): Call<UsageReport> {
    const query = days === undefined ? "" : `?days=${days}`;
    return sendJson(this.transport, { method: "GET", path: `/v1/usage${query}`, ...options });
  }

  /** The exact price of the body that you will submit, and what is there. Free. */
  probe(body: Inquiry, options: RequestOptions = {}): Call<ProbeResponse> {
    return postBody(this.transport, "/v1/probe", body, options);
  }

  /** Starts a run and debits its price. Safe to repeat: retries carry one idempotency key. */
  submit(body: Submission, options: SubmitOptions = {}): Call<SubmitResponse> {
    return submit(this.transport, body, options);
  }

  /**
   * Submits and waits. A run that fails throws {@link ExtractionFailedError}; its credits were refunded. With
   * a schema of a library the extraction is parsed by it, and {@link SchemaMismatchError} thrown where it does
   * not fit what JSON Schema could not say.
   */
  async extract<const S extends ExtractionSchema = JsonSchema>(
    body: Submission<S>,
    options: SubmitOptions & WaitOptions = {}
  ): Promise<CompleteResult<ExtractionOf<S>>> {
    const { id } = await this.submit(body, options);
    return this.outcomeOf(id, body.schema, options);
  }

  /**
   * Submits all of them, within the rate limit of 6 a minute, and while the service holds them back
   * (`rate_limited`) again and again: bring a `signal` to end that. 2 at once by default.
   */
  submitMany<Body extends Submission>(
    bodies: Iterable<Body>,
    options: SubmitManyOptions<Body, SubmitResponse> = {}
  ): Batch<Settled<Body, SubmitResponse>> {
    const task = (body: Body, key: string) =>
      submitPaced(this.transport, this.pace, priced(body, options), key, options.signal);
    return batchOf(bodies, task, options, SUBMITS_AT_ONCE_DEFAULT);
  }

  /** As {@link submitMany}, each waited for as {@link extract} does. 4 at once by default. */
  extractMany<const S extends ExtractionSchema = JsonSchema>(
    bodies: Iterable<Submission<S>>,
    options: SubmitManyOptions<Submission<S>, CompleteResult<ExtractionOf<S>>> = {}
  ): Batch<Settled<Submission<S>, CompleteResult<ExtractionOf<S>>>> {
    const task = async (body: Submission<S>, key: string) => {
      const { id } = await submitPaced(this.transport, this.pace, priced(body, options), key, options.signal);
      return this.outcomeOf(id, body.schema, { signal: options.signal });
    };
    return batchOf(bodies, task, options, EXTRACTS_AT_ONCE_DEFAULT);
  }

  private async outcomeOf<S extends ExtractionSchema>(
    id: string,
    schema: S | undefined,
    options: WaitOptions
  ): Promise<CompleteResult<ExtractionOf<S>>> {
    const { timeoutMs, signal, onProgress } = options;
    const parts = { timeoutMs, signal, onProgress, schema };
    const result = await this.extractions.wait<ExtractionOf<S>>(id, parts);
    if (result.status === "complete") return result;
    throw new ExtractionFailedError({
      extractionId: id,
      message: result.error,
      reason: result.failure?.reason ?? null,
      retryable: result.failure?.retryable ?? false,
      hint: result.failure?.hint ?? null
    });
  }
}
