/** The wire shape of a price with its parts: of a quote, and of what a run was debited. */
import * as Schema from "effect/Schema";
import { Credits, creditsToUsd, unitsToUsd } from "@winnow/core/domain/money/Credits";
import type * as Domain from "@winnow/core/domain/money/Pricing";
import { mapPresent } from "@winnow/core/domain/text/Json";
import { described, field } from "../../http/openapi/described.ts";

export const Usd = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0));
const OptionalUsd = Schema.optionalKey(Usd);

const DownloadBreakdown = described(
  {
    transcript: field(OptionalUsd, "USD."),
    comments: field(OptionalUsd, "USD."),
    audio: field(OptionalUsd, "USD."),
    video: field(OptionalUsd, "USD.")
  },
  {
    identifier: "DownloadBreakdown",
    description: "USD per requested artifact."
  }
);

const AiBreakdown = described(
  {
    text: field(Usd, "USD."),
    audio: field(Usd, "USD; 0 if video is requested too."),
    video: field(Usd, "USD; on photo posts the slides.")
  },
  {
    identifier: "AiBreakdown",
    description: "USD of the AI pass per modality; all zero on download-only quotes."
  }
);

export const Price = described(
  {
    mode: field(Schema.Literals(["ai", "download"]), "`ai` with a schema, else `download`."),
    credits: field(Credits, "Total; 1 credit is $0.0001."),
    usd: field(Usd, "Total."),
    baseUsd: field(Usd, "Flat fee of every fresh run; not charged for cached results."),
    downloadUsd: field(Usd, "Total of all requested artifacts."),
    downloadBreakdown: field(DownloadBreakdown, "Per requested artifact."),
    breakdown: field(AiBreakdown, "Per modality of the AI pass."),
    freshCredits: field(
      Credits,
      "Price of a fresh run, as with `force`; equal to `credits` unless `cached` is true."
    )
  },
  {
    identifier: "Price",
    description:
      "The exact price; 0 if the result comes from the cache. The components are unrounded; their sum is at " +
      "most `usd`."
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
