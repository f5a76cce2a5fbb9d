/**
 * The client: one object per API key.
 */
import { ExtractionFailedError, WinnowError } from "./errors.ts";
import { Extractions } from "./extractions.ts";
import { Files } from "./files.ts";
import type {
  AccountOverview,
  CompleteResult,
  ProbeBody,
  ProbeResponse,
  SubmitBody,
  SubmitResponse
} from "./generated/types.ts";
import { Ledger } from "./ledger.ts";
import { sendJson, type RequestOptions, type Transport } from "./request.ts";
import { MAX_RETRIES_DEFAULT } from "./retry.ts";
import { Schemas } from "./schemas.ts";
import type { WaitOptions } from "./wait.ts";

const BASE_URL_DEFAULT = "http://127.0.0.1:8787";
const TIMEOUT_MS_DEFAULT = 60_000;

export interface WinnowOptions {
  readonly apiKey: string;
  /** Address of the service, without `/v1`. Default: a server on this machine. */
  readonly baseUrl?: string;
  /** Further tries after 408, 429, 5xx and dropped connections. Default 2. */
  readonly maxRetries?: number;
  /** Time limit of one try, until its answer begins. Default 60,000. */
  readonly timeoutMs?: number;
  /** In place of the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** An API key in a page is readable by everybody who opens it; only set this for a key made for that. */
  readonly allowBrowser?: boolean;
}

export interface SubmitOptions extends RequestOptions {
  /** 1 to 255 printable ASCII characters. Made for you when absent; the same on every retry. */
  readonly idempotencyKey?: string;
}

const isBrowser = (): boolean => "window" in globalThis && "document" in globalThis;

const transportOf = (options: WinnowOptions): Transport => {
  if (options.apiKey === "")
    throw new WinnowError("apiKey is empty: give the key that the service showed you.");
  if (isBrowser() && options.allowBrowser !== true) {
    throw new WinnowError(
      "An API key must not be shipped to browsers: call Winnow from your server, or set allowBrowser: true."
    );
  }
  return {
    apiKey: options.apiKey,
    baseUrl: (options.baseUrl ?? BASE_URL_DEFAULT).replace(/\/+$/u, ""),
    maxRetries: options.maxRetries ?? MAX_RETRIES_DEFAULT,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS_DEFAULT,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis)
  };
};

export class Winnow {
  readonly extractions: Extractions;
  readonly files: Files;
  readonly ledger: Ledger;
  readonly schemas: Schemas;
  protected readonly transport: Transport;

  constructor(options: WinnowOptions) {
    this.transport = transportOf(options);
    this.extractions = new Extractions(this.transport);
    this.files = new Files(this.transport);
    this.ledger = new Ledger(this.transport);
    this.schemas = new Schemas(this.transport);
  }

  /** The account that the key belongs to: its balance, and how many extractions run and wait. */
  account(options: RequestOptions = {}): Promise<AccountOverview> {
    return sendJson(this.transport, { method: "GET", path: "/v1/account", ...options });
  }

  /** The exact price of the body that you will submit, and what is there. Free. */
  probe(body: ProbeBody, options: RequestOptions = {}): Promise<ProbeResponse> {
    return sendJson(this.transport, { method: "POST", path: "/v1/probe", body, ...options });
  }

  /** Starts a run and debits its price. Safe to repeat: retries carry one idempotency key. */
  submit(body: SubmitBody, { idempotencyKey, signal }: SubmitOptions = {}): Promise<SubmitResponse> {
    return sendJson(this.transport, {
      method: "POST",
      path: "/v1/extractions",
      body,
      headers: { "idempotency-key": idempotencyKey ?? crypto.randomUUID() },
      signal
    });
  }

  /**
   * Submits and waits. A run that fails throws {@link ExtractionFailedError}; its credits were refunded.
   */
  async extract(body: SubmitBody, options: SubmitOptions & WaitOptions = {}): Promise<CompleteResult> {
    const { id } = await this.submit(body, options);
    const result = await this.extractions.wait(id, options);
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
