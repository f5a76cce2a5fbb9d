/** Batches: up to 1,000 submits with one price and one debit. Tests: results.test.ts, the server's batches.test.ts. */
import { linesOf } from "../core/body.ts";
import { ConnectionError } from "../core/errors.ts";
import { send, type RequestOptions, type Transport } from "../core/request.ts";
import type { Call } from "../core/call.ts";
import { delay } from "../core/retry.ts";
import * as Generated from "../generated/resources.ts";
import type { Batch, BatchItem, BatchQuoteLine, BatchQuoteTotal } from "../generated/types.ts";
import { withJsonSchema, type ExtractionSchema } from "../schema/extractionSchema.ts";
import { type ListingSubmission, postOnce, type Submission, type SubmitOptions } from "./submission.ts";

const PATH = "/v1/batches";

/** Pause between reads of a batch that is waited for. */
const POLL_MS = 2_000;

/** The service inspects every URL before it responds. */
const INSPECTIONS_MS = 900_000;

interface Items<S extends ExtractionSchema> {
  /** 1 to 1,000, with what listings list; at most 50 listings. */
  readonly items: Iterable<(Submission<S> & { readonly listingUrl?: undefined }) | ListingSubmission<S>>;
  readonly urls?: undefined;
}

/** The same fields for each of the URLs. */
type Urls<S extends ExtractionSchema> = Fields<ListingSubmission<S>> & {
  /** 1 to 1,000. */
  readonly urls: Iterable<string>;
  readonly items?: undefined;
};
type Fields<Body> = Body extends unknown ? Omit<Body, "listingUrl" | "first" | "maxCredits"> : never;

export type BatchSubmission<S extends ExtractionSchema = ExtractionSchema> = (Items<S> | Urls<S>) & {
  /** A batch that costs more is refused, and nothing is debited. */
  readonly maxCredits?: number | undefined;
  /** At most 200 characters; by default made of the hosts and the schema of the items. */
  readonly name?: string | undefined;
};

/** A quote as it arrives: a line for each item, in any order, then the total. */
export type BatchQuote = BatchQuoteLine | BatchQuoteTotal;

const bodyOf = (batch: BatchSubmission) => {
  if (batch.urls !== undefined) return { ...withJsonSchema(batch), urls: [...batch.urls] };
  const { items, maxCredits, name } = batch;
  return {
    items: [...items].map((item) => withJsonSchema(item)),
    ...(maxCredits === undefined ? {} : { maxCredits }),
    ...(name === undefined ? {} : { name })
  };
};

const patient = (transport: Transport): Transport => ({
  ...transport,
  timeoutMs: Math.max(transport.timeoutMs, INSPECTIONS_MS)
});

const hasEnded = ({ status }: BatchItem): boolean => status === "complete" || status === "failed";

export class Batches extends Generated.Batches {
  /** Quotes every item, then debits and starts what is acceptable. Retries are safe: they use the same key. */
  create(batch: BatchSubmission, options: SubmitOptions = {}): Call<Batch> {
    return postOnce(patient(this.transport), PATH, bodyOf(batch), options);
  }

  /** What each item would cost, as the service finds out, then the total. Free. */
  async *quote(batch: BatchSubmission, { signal }: RequestOptions = {}): AsyncGenerator<BatchQuote> {
    const request = { method: "POST", path: `${PATH}/quote`, body: bodyOf(batch), signal } as const;
    const response = await send(patient(this.transport), request, (answer) => answer);
    let last: BatchQuote | undefined;
    for await (const line of linesOf(response, "The quote was", signal)) {
      last = line as BatchQuote;
      yield last;
    }
    if (last === undefined || "index" in last) throw new ConnectionError("The quote was interrupted.", {});
  }

  /** Every accepted item as it ends, until all have; a paused batch is waited for. Aborting cancels nothing. */
  async *ended(id: string, { signal }: RequestOptions = {}): AsyncGenerator<BatchItem> {
    const seen = new Set<string>();
    for (;;) {
      const batch = await this.get(id, { signal });
      for (const item of batch.items) {
        if (item.id === null || !hasEnded(item) || seen.has(item.id)) continue;
        seen.add(item.id);
        yield item;
      }
      if (batch.completedAt !== null) return;
      await delay(POLL_MS, signal);
    }
  }
}
