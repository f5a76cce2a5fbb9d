/**
 * The answer of the probe (specification, "Probe response", "Price object"; contract 4).
 */
import * as Schema from "effect/Schema";
import { Credits } from "@winnow/core/domain/Credits";
import { Modality } from "@winnow/core/domain/Modality";
import { CaptionLanguage } from "@winnow/core/domain/SourceFacts";
import { described } from "./described.ts";

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
    fields: { text: "USD.", audio: "USD; 0 beside video.", video: "USD; on photo posts the slides." }
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
      "The exact price; all of it 0 where the cache serves the result. The parts are unrounded; their sum is at most `usd`.",
    fields: {
      mode: "`ai` with a schema, else `download`.",
      credits: "In all; 1 credit is $0.0001.",
      usd: "In all.",
      baseUsd: "Flat fee of every fresh run; cached results skip it.",
      downloadUsd: "Over all requested artifacts.",
      downloadBreakdown: "Per requested artifact.",
      breakdown: "Per modality of the AI pass.",
      freshCredits: "What a fresh run costs, as with `force`; the same as `credits` unless `cached` is true."
    }
  }
);

const Unavailable = described(
  { input: Modality, reason: Schema.Literals(["not_offered", "not_found"]) },
  {
    identifier: "UnavailableInput",
    description: "An input or part that was asked for and that the run will not find.",
    fields: {
      input: "What was asked for.",
      reason:
        "`not_offered`: this kind of source never has it, and it was named; `not_found`: this source has none."
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
    description: "What is there, and what the matching submit debits.",
    fields: {
      url: "As sent.",
      durationSec: "Null where the platform hides it and for webpages; then 300 s are debited for a video.",
      title: "Title of the content.",
      hasSubtitles: "Whether a transcript can be had.",
      hasComments: "Whether comments can be had.",
      imageCount: "Slides of a photo post; 0 otherwise.",
      captionLanguages:
        "Languages of the captions (BCP 47, `und` unknown), written by `people` or `automatic` of the spoken words.",
      chapters: "How many chapters the publisher named.",
      price: "The quote.",
      cached: "A submit of this body would be served from a recent identical extraction, free.",
      unavailable:
        "What was asked for and will not be there: with `strict` the run would fail, else it goes on without.",
      aiConfigured:
        "Whether this server has a language model; without one a submit with a schema is refused.",
      speechConfigured: "Whether this server has a speech model; without one `speech` is refused."
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
