/** What extractions' methods do beyond the API. Tests: winnow.test.ts, events.test.ts, extractionSchema.test.ts. */
import { answerOf, type RequestOptions } from "../core/request.ts";
import { callOf, type Call } from "../core/call.ts";
import { STREAM_TIMEOUTS, readStream, watchEvents, type ExtractionEvent } from "./events.ts";
import { parseResult, type ExtractionOf, type ExtractionSchema } from "../schema/extractionSchema.ts";
import * as Generated from "../generated/resources.ts";
import type { PendingResult } from "../generated/types.ts";
import { pathOf } from "../core/itemPath.ts";
import type { JsonSchema, Values } from "../schema/jsonSchemaValue.ts";
import type { TerminalResult } from "../schema/results.ts";
import type { Submission } from "./submission.ts";
import { Pacer, waitForResult, type WaitOptions } from "./wait.ts";

const of = (id: string, what: string) => pathOf(`/v1/extractions/{extraction}/${what}`, id);

export interface SchemaOption<S> {
  /** The schema it was submitted with: types the extraction and, if it is a library's, parses it. */
  readonly schema: S;
}

export class Extractions extends Generated.Extractions {
  private readonly pacer = new Pacer();

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
    const request = { method: "GET", path: of(id, "result"), signal } as const;
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
        readStream(this.transport, { path: of(id, "events"), signal, timeouts: STREAM_TIMEOUTS }),
      read: (signal: AbortSignal) => this.result(id, { signal })
    };
    return parseResult(await waitForResult(id, sources, options), schema);
  }

  /**
   * Progress events, then the result as the last event. An interrupted stream is opened again, and
   * begins with the present state; throws after `maxRetries` consecutive failures.
   */
  events(id: string, { signal }: RequestOptions = {}): AsyncGenerator<ExtractionEvent, void, undefined> {
    return watchEvents(this.transport, of(id, "events"), signal);
  }

  /** The body as it was submitted. */
  request(id: string, options: RequestOptions = {}): Call<Submission<JsonSchema>> {
    return this.send("GET", of(id, "request"), options);
  }
}
