/** The wire shape of a price with its parts: of a quote, and of what a run was debited. Tests: quotes.test.ts. */
import * as Schema from "effect/Schema";
import { Credits, creditsToUsd, unitsToUsd } from "@winnow/core/domain/money/Credits";
import type * as Domain from "@winnow/core/domain/money/Pricing";
import { mapPresent } from "@winnow/core/domain/text/Json";
import { described, field } from "../../http/openapi/described.ts";

export const Usd = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0));
const OptionalUsd = Schema.optionalKey(Usd);

const DownloadBreakdown = described("DownloadBreakdown", "USD per requested artifact.", {
  transcript: field(OptionalUsd, "USD.", 0.001),
  comments: field(OptionalUsd, "USD.", 0.002),
  audio: field(OptionalUsd, "USD.", 0.00426),
  video: field(OptionalUsd, "USD.", 0.01065)
});

const AiBreakdown = described(
  "AiBreakdown",
  "USD of the AI pass per modality; all zero on download-only quotes.",
  {
    text: field(Usd, "USD.", 0),
    audio: field(Usd, "USD; 0 if video is requested too.", 0),
    video: field(Usd, "USD; on photo posts the slides.", 0)
  }
);

/** Its example: a download of 213 s. */
export const Price = described(
  "Price",
  "The exact price; 0 if the result comes from the cache. The components are unrounded; their sum is at " +
    "most `usd`.",
  {
    mode: field(Schema.Literals(["ai", "download"]), "`ai` with a schema, else `download`.", "download"),
    credits: field(Credits, "Total; 1 credit is $0.0001.", 230),
    usd: field(Usd, "Total.", 0.023),
    baseUsd: field(Usd, "Flat fee of every fresh run; not charged for cached results.", 0.005),
    downloadUsd: field(Usd, "Total of all requested artifacts.", 0.01791),
    downloadBreakdown: field(DownloadBreakdown, "Per requested artifact."),
    breakdown: field(AiBreakdown, "Per modality of the AI pass."),
    freshCredits: field(
      Credits,
      "Price of a fresh run, as with `force`; equal to `credits` unless `cached` is true.",
      230
    )
  }
);

/** A price in USD, but for its sums. */
export const priceBody = ({
  mode,
  credits,
  freshCredits,
  parts: { base, download, text, audio, video }
}: Domain.Price): typeof Price.Type => ({
  mode,
  credits,
  usd: creditsToUsd(credits),
  baseUsd: unitsToUsd(base),
  downloadUsd: unitsToUsd(Object.values(download).reduce((sum, units) => sum + units, 0)),
  downloadBreakdown: mapPresent(download, unitsToUsd),
  breakdown: { text: unitsToUsd(text), audio: unitsToUsd(audio), video: unitsToUsd(video) },
  freshCredits
});
