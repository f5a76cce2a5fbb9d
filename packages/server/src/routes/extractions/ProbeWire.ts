/** The wire shape of a probe's answer. */
import * as Schema from "effect/Schema";
import { Credits } from "@winnow/core/domain/money/Credits";
import { Modality } from "@winnow/core/domain/source/Modality";
import { CaptionLanguage } from "@winnow/core/domain/source/SourceFacts";
import { described } from "../../http/openapi/described.ts";

const Usd = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0));
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

const Unavailable = described(
  { input: Modality, reason: Schema.Literals(["not_offered", "not_found"]) },
  {
    identifier: "UnavailableInput",
    description: "A requested input or part that is not available.",
    fields: {
      input: "The requested input or part.",
      reason:
        "`not_offered`: it was named in the request, but this kind of source never has it; `not_found`: " +
        "this source has none."
    }
  }
);

export const ProbeResponse = described(
  {
    url: Schema.String,
    durationSec: Schema.NullOr(Schema.Finite),
    title: Schema.NullOr(Schema.String),
    hasSubtitles: Schema.Boolean,
    hasComments: Schema.Boolean,
    imageCount: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
    captionLanguages: Schema.Array(CaptionLanguage),
    chapters: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
    price: Price,
    cached: Schema.Boolean,
    unavailable: Schema.Array(Unavailable),
    aiConfigured: Schema.Boolean,
    speechConfigured: Schema.Boolean
  },
  {
    identifier: "ProbeResponse",
    description: "What the source has, and what the same body costs as a submit.",
    fields: {
      url: "As sent.",
      durationSec:
        "Null if the platform does not report it, and for webpages. A video of unknown duration is debited " +
        "as 300 s.",
      title: "Title of the content.",
      hasSubtitles: "Whether a transcript is available.",
      hasComments: "Whether comments are available.",
      imageCount: "Number of slides of a photo post; 0 otherwise.",
      captionLanguages:
        "Languages of the captions (BCP 47, `und` if unknown), with their origin: `people`, or `automatic` " +
        "speech recognition.",
      chapters: "Number of chapters set by the publisher.",
      price: "The quote.",
      cached:
        "Whether a submit of this body would be served from a recent identical extraction, free of charge.",
      unavailable:
        "Requested inputs or parts that are not available. With `strict` the run would fail, else it " +
        "continues without them.",
      aiConfigured:
        "Whether this server has a language model; without one, a submit with a schema is rejected.",
      speechConfigured: "Whether this server has a speech model; without one, `speech` is rejected."
    },
    examples: [
      {
        url: "https://video.example/watch/42",
        durationSec: 213,
        title: "A talk",
        hasSubtitles: true,
        hasComments: true,
        imageCount: 0,
        captionLanguages: [{ language: "en", origin: "people" }],
        chapters: 0,
        price: {
          mode: "download",
          credits: 230,
          usd: 0.023,
          baseUsd: 0.005,
          downloadUsd: 0.01791,
          downloadBreakdown: { transcript: 0.001, comments: 0.002, audio: 0.00426, video: 0.01065 },
          breakdown: { text: 0, audio: 0, video: 0 },
          freshCredits: 230
        },
        cached: false,
        unavailable: [],
        aiConfigured: true,
        speechConfigured: true
      }
    ]
  }
);
export type ProbeResponse = typeof ProbeResponse.Type;
