/** The wire shape of a price with its parts: of a quote, and of what a run was debited. */
import * as Schema from "effect/Schema";
import { Credits } from "@winnow/core/domain/money/Credits";
import { described } from "../../http/openapi/described.ts";

export const Usd = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0));
const OptionalUsd = Schema.optionalKey(Usd);

const DownloadBreakdown = described(
  { transcript: OptionalUsd, comments: OptionalUsd, audio: OptionalUsd, video: OptionalUsd },
  {
    identifier: "DownloadBreakdown",
    description: "USD per requested artifact.",
    fields: { transcript: "USD.", comments: "USD.", audio: "USD.", video: "USD." }
  }
);

const AiBreakdown = described(
  { text: Usd, audio: Usd, video: Usd },
  {
    identifier: "AiBreakdown",
    description: "USD of the AI pass per modality; all zero on download-only quotes.",
    fields: {
      text: "USD.",
      audio: "USD; 0 if video is requested too.",
      video: "USD; on photo posts the slides."
    }
  }
);

export const Price = described(
  {
    mode: Schema.Literals(["ai", "download"]),
    credits: Credits,
    usd: Usd,
    baseUsd: Usd,
    downloadUsd: Usd,
    downloadBreakdown: DownloadBreakdown,
    breakdown: AiBreakdown,
    freshCredits: Credits
  },
  {
    identifier: "Price",
    description:
      "The exact price; 0 if the result comes from the cache. The components are unrounded; their sum is at " +
      "most `usd`.",
    fields: {
      mode: "`ai` with a schema, else `download`.",
      credits: "Total; 1 credit is $0.0001.",
      usd: "Total.",
      baseUsd: "Flat fee of every fresh run; not charged for cached results.",
      downloadUsd: "Total of all requested artifacts.",
      downloadBreakdown: "Per requested artifact.",
      breakdown: "Per modality of the AI pass.",
      freshCredits: "Price of a fresh run, as with `force`; equal to `credits` unless `cached` is true."
    }
  }
);

/** Of a download of 213 s. */
export const EXAMPLE_PRICE = {
  mode: "download",
  credits: 230,
  usd: 0.023,
  baseUsd: 0.005,
  downloadUsd: 0.01791,
  downloadBreakdown: { transcript: 0.001, comments: 0.002, audio: 0.00426, video: 0.01065 },
  breakdown: { text: 0, audio: 0, video: 0 },
  freshCredits: 230
} as const;
