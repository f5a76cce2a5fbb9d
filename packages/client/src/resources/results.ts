/** The values of many runs as one table, and their corrections. */
import { linesOf, piecesOf } from "../core/body.ts";
import { send, type Call, type RequestOptions } from "../core/request.ts";
import { eachItem, type ListOptions, type PageOptions } from "../core/resource.ts";
import * as Generated from "../generated/resources.ts";
import type { ResultPage, ResultRow, Support } from "../generated/types.ts";

const PATH = "/v1/results";

/** All filters must match. */
export interface ResultFilter {
  readonly schemaId?: string | undefined;
  readonly batchId?: string | undefined;
  /** Submitted then or later; strings are RFC 3339. */
  readonly since?: Date | string | undefined;
  /** Only rows with a value of this support. */
  readonly support?: Support | undefined;
}

export interface CsvOptions extends RequestOptions, ResultFilter {
  /** Its fields are the columns; may be left out where all rows have the same schema. */
  readonly schemaId?: string | undefined;
  /** `quote` and `at` add columns for each field; `corrected` takes corrected values. */
  readonly columns?: ReadonlyArray<"quote" | "at" | "corrected"> | undefined;
}

const textsOf = ({ since, ...filter }: ResultFilter) => ({
  ...filter,
  since: typeof since === "string" ? since : since?.toISOString()
});

export class Results extends Generated.Results {
  /** One page, newest first; may be short while `has_more` is true. */
  page(options: PageOptions & ResultFilter = {}): Call<ResultPage> {
    return this.pageOf(PATH, options);
  }

  /** Every row, newest first. Pages are fetched as needed. */
  list(options: ListOptions & ResultFilter = {}): AsyncGenerator<ResultRow> {
    return eachItem((page) => this.page(page), options);
  }

  /** Every row in one request, newest first, as they arrive; for tables of thousands. */
  async *stream({ signal, ...filter }: RequestOptions & ResultFilter = {}): AsyncGenerator<ResultRow> {
    const response = await this.#download("jsonl", textsOf(filter), signal);
    yield* linesOf(response, "The rows were", signal) as AsyncGenerator<ResultRow>;
  }

  /** All rows as CSV text, in pieces as they arrive. */
  async *csv({ signal, columns, ...filter }: CsvOptions = {}): AsyncGenerator<string> {
    const chosen = { ...textsOf(filter), columns: columns?.join(",") };
    yield* piecesOf(await this.#download("csv", chosen, signal), "The table was", signal);
  }

  #download(
    format: "csv" | "jsonl",
    texts: Readonly<Record<string, string | undefined>>,
    signal: AbortSignal | undefined
  ): Promise<Response> {
    const query = new URLSearchParams({ format });
    for (const [name, value] of Object.entries(texts)) if (value !== undefined) query.set(name, value);
    const request = { method: "GET", path: `${PATH}?${query}`, signal } as const;
    return send(this.transport, request, (response) => response);
  }
}
