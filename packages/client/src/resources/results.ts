/** The values of many runs as one table, and their corrections. */
import { linesOf, piecesOf } from "../core/body.ts";
import { send, type RequestOptions } from "../core/request.ts";
import { queryText } from "../core/resource.ts";
import * as Generated from "../generated/resources.ts";
import type { ResultRow } from "../generated/types.ts";

export interface CsvOptions extends RequestOptions, Generated.ResultFilter {
  /** Its fields are the columns; may be left out where all rows have the same schema. */
  readonly schemaId?: string | undefined;
  /** `quote` and `at` add columns for each field, `range` those of the stretch; `corrected` takes corrected values. */
  readonly columns?: ReadonlyArray<"quote" | "at" | "corrected" | "range"> | undefined;
}

export class Results extends Generated.Results {
  /** Every row in one request, newest first, as they arrive; for tables of thousands. */
  async *stream({
    signal,
    ...filter
  }: RequestOptions & Generated.ResultFilter = {}): AsyncGenerator<ResultRow> {
    const response = await this.#download({ format: "jsonl", ...filter }, signal);
    yield* linesOf(response, "The rows were", signal) as AsyncGenerator<ResultRow>;
  }

  /** All rows as CSV text, in pieces as they arrive. */
  async *csv({ signal, columns, ...filter }: CsvOptions = {}): AsyncGenerator<string> {
    const query = { format: "csv", ...filter, columns: columns?.join(",") };
    yield* piecesOf(await this.#download(query, signal), "The table was", signal);
  }

  #download(query: object, signal: AbortSignal | undefined): Promise<Response> {
    const request = { method: "GET", path: `/v1/results${queryText(query)}`, signal } as const;
    return send(this.transport, request, (response) => response);
  }
}
