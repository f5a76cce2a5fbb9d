/** Extractions: read, wait, cancel and delete. */
import { callOf, answerOf, type Call, type RequestOptions } from "../core/request.ts";
import { STREAM_TIMEOUTS, readStream, watchEvents, type ExtractionEvent } from "./events.ts";
import { parseResult, type ExtractionOf, type ExtractionSchema } from "../schema/extractionSchema.ts";
import type {
  ExtractionDetail,
  ExtractionPage,
  ExtractionStatus,
  Outcome,
  PendingResult,
  SourceKind
} from "../generated/types.ts";
import { itemPath } from "../core/itemPath.ts";
import type { JsonSchema, Values } from "../schema/jsonSchemaValue.ts";
import { eachItem, Resource, type ListOptions, type PageOptions } from "../core/resource.ts";
import type { TerminalResult } from "../schema/results.ts";
import type { Submission } from "./submission.ts";
import { Pacer, waitForResult, type WaitOptions } from "./wait.ts";

const PATH = "/v1/extractions";
const pathOf = (id: string, rest?: string) => itemPath(PATH, "extraction", id, rest);
const eventsOf = (id: string) => pathOf(id, "/events");

export interface SchemaOption<S> {
  /** The schema it was submitted with: types the extraction and, if it is a library's, parses it. */
  readonly schema: S;
}

/** All filters must match. */
export interface ExtractionFilter {
  readonly status?: ExtractionStatus | undefined;
  readonly outcome?: Outcome | undefined;
  readonly kind?: SourceKind | undefined;
  readonly schemaId?: string | undefined;
  readonly apiKeyId?: string | undefined;
  readonly batchId?: string | undefined;
  /** Submitted then or later; strings are RFC 3339. */
  readonly since?: Date | string | undefined;
  /** Submitted before. */
  readonly until?: Date | string | undefined;
  /** Text in title or URL, ignoring case; at most 200 characters. */
  readonly q?: string | undefined;
}

const timeText = (time: Date | string | undefined): string | undefined =>
  typeof time === "string" ? time : time?.toISOString();

export class Extractions extends Resource {
  private readonly pacer = new Pacer();

  /** The extraction with its phase. */
  get(id: string, options: RequestOptions = {}): Call<ExtractionDetail> {
    return this.send("GET", pathOf(id), options);
  }

  /** The terminal result, or the pending body until the run has ended. */
  result<const S extends ExtractionSchema>(
    id: string,
    options: RequestOptions & SchemaOption<S>
  ): Call<TerminalResult<ExtractionOf<S>> | PendingResult>;
  /** Without a schema, `T` is not checked. */
  result<T = Values>(id: string, options?: RequestOptions): Call<TerminalResult<T> | PendingResult>;
  result(
    id: string,
    { signal, schema }: RequestOptions & Partial<SchemaOption<unknown>> = {}
  ): Call<TerminalResult<unknown> | PendingResult> {
    const request = { method: "GET", path: pathOf(id, "/result"), signal } as const;
    const answer = answerOf<TerminalResult | PendingResult>(this.transport, request);
    return callOf(
      answer.then(async (answered) => ({ ...answered, data: await parseResult(answered.data, schema) }))
    );
  }

  /** Waits for the terminal result, which may be `failed`. Aborting does not cancel the run. */
  wait<const S extends ExtractionSchema>(
    id: string,
    options: WaitOptions & SchemaOption<S>
  ): Promise<TerminalResult<ExtractionOf<S>>>;
  /** Without a schema, `T` is not checked. */
  wait<T = Values>(id: string, options?: WaitOptions): Promise<TerminalResult<T>>;
  async wait(
    id: string,
    { schema, ...options }: WaitOptions & Partial<SchemaOption<unknown>> = {}
  ): Promise<TerminalResult<unknown>> {
    const sources = {
      pacer: this.pacer,
      stream: (signal: AbortSignal) =>
        readStream(this.transport, { path: eventsOf(id), signal, timeouts: STREAM_TIMEOUTS }),
      read: (signal: AbortSignal) => this.result(id, { signal })
    };
    return parseResult(await waitForResult(id, sources, options), schema);
  }

  /**
   * Progress events, then the result as the last event. An interrupted stream is opened again, and
   * begins with the present state; throws after `maxRetries` consecutive failures.
   */
  events(id: string, { signal }: RequestOptions = {}): AsyncGenerator<ExtractionEvent, void, undefined> {
    return watchEvents(this.transport, eventsOf(id), signal);
  }

  /** The body as it was submitted. */
  request(id: string, options: RequestOptions = {}): Call<Submission<JsonSchema>> {
    return this.send("GET", pathOf(id, "/request"), options);
  }

  /**
   * One page, newest first; `cursor` is the `next_cursor` of the previous page. With filters, a page may be
   * short or empty while `has_more` is true.
   */
  page({
    since,
    until,
    limit,
    cursor,
    signal,
    q,
    ...filter
  }: PageOptions & ExtractionFilter = {}): Call<ExtractionPage> {
    const times = { since: timeText(since), until: timeText(until) };
    return this.pageOf(PATH, { limit, cursor, signal }, { ...filter, ...times, q });
  }

  /** Every matching extraction of the account, newest first. Pages are fetched as needed. */
  list(options: ListOptions & ExtractionFilter = {}): AsyncGenerator<ExtractionPage["data"][number]> {
    return eachItem((page) => this.page(page), options);
  }

  /** Stops the run with a full refund. One that has already ended is returned unchanged. */
  cancel(id: string, options: RequestOptions = {}): Call<ExtractionDetail> {
    return this.send("POST", pathOf(id, "/cancel"), options);
  }

  /**
   * Cancels the run first if it has not ended. Deletes result, files and prompt permanently; ledger entries
   * remain.
   */
  delete(id: string, options: RequestOptions = {}): Call<void> {
    return this.send("DELETE", pathOf(id), options);
  }
}
