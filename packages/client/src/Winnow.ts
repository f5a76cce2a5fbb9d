/**
 * The client: one object per API key.
 */
import { batchOf, type Batch, type BatchOptions, type Settled } from "./batch.ts";
import type { Call } from "./call.ts";
import { ExtractionFailedError, WinnowError } from "./errors.ts";
import type { ExtractionOf, ExtractionSchema } from "./extractionSchema.ts";
import { Extractions } from "./extractions.ts";
import { Files } from "./files.ts";
import type { AccountOverview, ProbeResponse, SubmitResponse } from "./generated/types.ts";
import type { JsonSchema } from "./jsonSchemaValue.ts";
import { Ledger } from "./ledger.ts";
import { sendJson, type RequestOptions, type Transport } from "./request.ts";
import type { CompleteResult } from "./results.ts";
import { MAX_RETRIES_DEFAULT } from "./retry.ts";
import { Schemas } from "./schemas.ts";
import { postBody, submit, type Inquiry, type Submission, type SubmitOptions } from "./submission.ts";
import { submitPaced } from "./submitMany.ts";
import { SubmitPace } from "./submitPace.ts";
import type { WaitOptions } from "./wait.ts";
import { WebhookDeliveries } from "./webhookDeliveries.ts";
import { WebhookEndpoints } from "./webhookEndpoints.ts";

const BASE_URL_DEFAULT = "http://127.0.0.1:8787";
const TIMEOUT_MS_DEFAULT = 60_000;

export interface WinnowOptions {
  readonly apiKey: string;
  /** Address of the service, without `/v1`. Default: a server on this machine. */
  readonly baseUrl?: string | undefined;
  /** Further tries after 408, 429, 5xx and dropped connections; 0 is none. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Time limit of one try; for files until the answer begins. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** In place of the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** An API key in a page is readable by everybody who opens it; only set this for a key made for that. */
  readonly allowBrowser?: boolean | undefined;
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

const transportOf = (options: WinnowOptions): Transport => {
  // Of JavaScript, and of settings with a line break at their end.
  if (typeof options.apiKey !== "string" || !/^[\x21-\x7e]+$/u.test(options.apiKey)) {
    const fault = options.apiKey ? "has characters that no key has" : "is empty";
    throw new WinnowError(`apiKey ${fault}: give the key that the service showed you.`);
  }
  if (isBrowser() && options.allowBrowser !== true) {
    throw new WinnowError(
      "An API key must not be shipped to browsers: call Winnow from your server, or set allowBrowser: true."
    );
  }
  return {
    apiKey: options.apiKey,
    baseUrl: (options.baseUrl ?? BASE_URL_DEFAULT).replace(/\/+$/u, ""),
    maxRetries: checked("maxRetries", options.maxRetries ?? MAX_RETRIES_DEFAULT, 0),
    timeoutMs: checked("timeoutMs", options.timeoutMs ?? TIMEOUT_MS_DEFAULT, 1),
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis)
  };
};

export class Winnow {
  readonly extractions: Extractions;
  readonly files: Files;
  readonly ledger: Ledger;
  readonly schemas: Schemas;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookDeliveries: WebhookDeliveries;
  protected readonly transport: Transport;
  private readonly pace = new SubmitPace();

  constructor(options: WinnowOptions) {
    this.transport = transportOf(options);
    this.extractions = new Extractions(this.transport);
    this.files = new Files(this.transport);
    this.ledger = new Ledger(this.transport);
    this.schemas = new Schemas(this.transport);
    this.webhookEndpoints = new WebhookEndpoints(this.transport);
    this.webhookDeliveries = new WebhookDeliveries(this.transport);
  }

  /** The account that the key belongs to: its balance, and how many extractions run and wait. */
  account(options: RequestOptions = {}): Call<AccountOverview> {
    return sendJson(this.transport, { method: "GET", path: "/v1/account", ...options });
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
    options: BatchOptions<Body, SubmitResponse> = {}
  ): Batch<Settled<Body, SubmitResponse>> {
    const task = (body: Body, key: string) =>
      submitPaced(this.transport, this.pace, body, key, options.signal);
    return batchOf(bodies, task, options, SUBMITS_AT_ONCE_DEFAULT);
  }

  /** As {@link submitMany}, each waited for as {@link extract} does. 4 at once by default. */
  extractMany<const S extends ExtractionSchema = JsonSchema>(
    bodies: Iterable<Submission<S>>,
    options: BatchOptions<Submission<S>, CompleteResult<ExtractionOf<S>>> = {}
  ): Batch<Settled<Submission<S>, CompleteResult<ExtractionOf<S>>>> {
    const task = async (body: Submission<S>, key: string) => {
      const { id } = await submitPaced(this.transport, this.pace, body, key, options.signal);
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
