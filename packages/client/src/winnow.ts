/**
 * The client: one object per API key or web session.
 */
import {
  ApiKeys,
  Billing,
  Ledger,
  Members,
  Root,
  Session,
  WebhookDeliveries,
  WebhookEndpoints
} from "./generated/resources.ts";
import { Batches } from "./resources/batches.ts";
import {
  concurrently,
  PacedSubmits,
  type Concurrent,
  type Settled,
  type SubmitManyOptions
} from "./resources/submitMany.ts";
import type { RequestOptions, Transport } from "./core/request.ts";
import type { Call } from "./core/call.ts";
import { WinnowError } from "./core/apiError.ts";
import { ExtractionFailedError } from "./core/errors.ts";
import type { ExtractionOf, ExtractionSchema } from "./schema/extractionSchema.ts";
import { Extractions } from "./resources/extractions.ts";
import { Files } from "./resources/files.ts";
import type { ProbeResponse, SubmitResponse } from "./generated/types.ts";
import type { JsonSchema } from "./schema/jsonSchemaValue.ts";
import type { CompleteResult } from "./schema/results.ts";
import { Results } from "./resources/results.ts";
import { Schemas } from "./resources/schemas.ts";
import {
  apiKeyOf,
  baseUrlOf,
  connectionOf,
  isBrowser,
  numberOf,
  printable,
  pageBaseOf,
  type ConnectionOptions
} from "./core/settings.ts";
import {
  postBody,
  submit,
  type Inquiry,
  type Submission,
  type SubmitOptions
} from "./resources/submission.ts";
import type { WaitOptions } from "./resources/wait.ts";

export interface WinnowOptions extends ConnectionOptions {
  /** Default: the environment variable `WINNOW_API_KEY`. Not with `session: true`. */
  readonly apiKey?: string | undefined;
  /**
   * For pages served by the Winnow server itself: authenticates with the cookie of the user's web session
   * instead of a key. `baseUrl` is then a path such as `/winnow`; "" by default.
   */
  readonly session?: boolean | undefined;
  /**
   * For the operator, whose admin token is then the `apiKey`: the account to act for. The server logs each such
   * request. `AdminClient` of `@winnow/client/admin` makes such clients.
   */
  readonly account?: string | undefined;
  /** Everyone who opens a page can read an API key in it; set this only for a key created for that purpose. */
  readonly allowBrowser?: boolean | undefined;
}

/** An account has two slots by default; more concurrent submits would only wait. */
const SUBMITS_AT_ONCE_DEFAULT = 2;

/** Each wait uses an event stream, and an account may have 20 open. */
const EXTRACTS_AT_ONCE_DEFAULT = 4;

const transportOf = (options: WinnowOptions): Transport => {
  if (options.session === true) {
    if (options.apiKey === undefined && options.account === undefined) {
      return { apiKey: null, baseUrl: pageBaseOf(options.baseUrl), ...connectionOf(options) };
    }
    throw new WinnowError(
      "apiKey (or account) and session are mutually exclusive: a page with a session needs no key."
    );
  }
  const apiKey = apiKeyOf(options.apiKey);
  if (isBrowser() && options.allowBrowser !== true) {
    throw new WinnowError(
      "API keys must not be shipped to browsers: call Winnow from your server, or set allowBrowser: true."
    );
  }
  const account = options.account === undefined ? undefined : printable("account", options.account);
  return { apiKey, account, baseUrl: baseUrlOf(options.baseUrl), ...connectionOf(options) };
};

export class Winnow extends Root {
  readonly extractions = new Extractions(this.transport);
  readonly batches = new Batches(this.transport);
  readonly results = new Results(this.transport);
  readonly files = new Files(this.transport);
  readonly ledger = new Ledger(this.transport);
  readonly billing = new Billing(this.transport);
  /** With `session: true` only. */
  readonly apiKeys = new ApiKeys(this.transport);
  /** With `session: true` only. */
  readonly members = new Members(this.transport);
  /** With `session: true` only. */
  readonly session = new Session(this.transport);
  readonly schemas = new Schemas(this.transport);
  readonly webhookEndpoints = new WebhookEndpoints(this.transport);
  readonly webhookDeliveries = new WebhookDeliveries(this.transport);

  constructor(options: WinnowOptions = {}) {
    super(transportOf(options));
  }

  /** Inspects the URL and returns the exact price of submitting this body. Free. */
  probe(body: Inquiry, options: RequestOptions = {}): Call<ProbeResponse> {
    return postBody(this.transport, "/v1/probe", body, options);
  }

  /** Starts a run and debits its price. Retries are safe: they use the same idempotency key. */
  submit(body: Submission, options: SubmitOptions = {}): Call<SubmitResponse> {
    return submit(this.transport, body, options);
  }

  /**
   * Submits and waits for the result. Throws {@link ExtractionFailedError} if the run fails; its credits are
   * refunded. With a schema of a library, the extraction is parsed with it; throws {@link SchemaMismatchError}
   * if it violates rules that JSON Schema cannot express.
   */
  async extract<const S extends ExtractionSchema = JsonSchema>(
    body: Submission<S>,
    options: SubmitOptions & WaitOptions = {}
  ): Promise<CompleteResult<ExtractionOf<S>>> {
    if (options.timeoutMs !== undefined) numberOf("timeoutMs", options.timeoutMs, 0); // before credits are debited
    const { id } = await this.submit(body, options);
    return this.outcomeOf(id, body.schema, options);
  }

  /**
   * Submits all bodies, 2 at a time by default. Beyond the rate limit of 6 per minute the service responds with
   * `rate_limited`, and each submit waits as told and tries again: pass a `signal` to stop.
   */
  submitMany<Body extends Submission>(
    bodies: Iterable<Body>,
    options: SubmitManyOptions<Body, SubmitResponse> = {}
  ): Concurrent<Settled<Body, SubmitResponse>> {
    const submits = new PacedSubmits(this.transport, options);
    return concurrently(bodies, (body, key) => submits.submit(body, key), options, SUBMITS_AT_ONCE_DEFAULT);
  }

  /** Like {@link submitMany}, and waits for each result like {@link extract}. 4 at a time by default. */
  extractMany<const S extends ExtractionSchema = JsonSchema>(
    bodies: Iterable<Submission<S>>,
    options: SubmitManyOptions<Submission<S>, CompleteResult<ExtractionOf<S>>> = {}
  ): Concurrent<Settled<Submission<S>, CompleteResult<ExtractionOf<S>>>> {
    const submits = new PacedSubmits(this.transport, options);
    const task = async (body: Submission<S>, key: string) => {
      const { id, creditsDebited } = await submits.submit(body, key);
      try {
        const result = await this.outcomeOf(id, body.schema, { signal: options.signal });
        submits.refunded(result.creditsRefunded);
        return result;
      } catch (error) {
        if (error instanceof ExtractionFailedError) submits.refunded(creditsDebited);
        throw error;
      }
    };
    return concurrently(bodies, task, options, EXTRACTS_AT_ONCE_DEFAULT);
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
    throw new ExtractionFailedError(result);
  }
}
