/**
 * Bodies of submit and probe and the submit response.
 *
 * The fields are those of core/domain/run/SubmitBody, which reads a body once it is known to be no replay, or as far as
 * a probe needs it. Tests: submit.test.ts, refusals.test.ts.
 */
import * as Schema from "effect/Schema";
import { Credits } from "@winnow/core/domain/money/Credits";
import * as Domain from "@winnow/core/domain/run/SubmitBody";
import { ExtractionStatus } from "@winnow/core/domain/run/Transition";
import {
  DateTime,
  described,
  domainFields,
  field,
  fromCore,
  TextOrNull
} from "../../http/openapi/described.ts";
import { Modality } from "@winnow/core/domain/source/Modality";
import { Price } from "./PriceWire.ts";
import { CaptionLanguage, SourceKind } from "@winnow/core/domain/source/SourceFacts";

const Url = Schema.String.annotate({ format: "uri" });

const FIELDS = {
  ...Domain.SubmitBody.fields,
  url: Schema.optionalKey(Url),
  webhookUrl: Schema.optionalKey(Url)
};

export const SUBMIT_FIELDS = domainFields(FIELDS, {
  url: "Public URL of a video, a photo post or carousel, or an article. Required without `fromExtraction`.",
  fromExtraction:
    "Id of a complete extraction of the account whose files are still there, in place of `url`: they are read again " +
    "with a schema, nothing is fetched, and only the reading is charged. Not with `force`, `language`, `captions`, " +
    "`parts` or `range`.",
  inputs:
    "What the AI pass reads; needs `schema` or `schemaId`. Default `[transcript, comments]`. Sets the price.",
  range:
    "Only this stretch of a video, by whose seconds it is charged. Times in transcript, captions and evidence stay those " +
    "of the whole video. Not with `fromExtraction`, which has that of its extraction.",
  schemaId:
    "A predefined schema (`<namespace>.predefined.<name>.v<N>`), a saved one, or `auto`. Not with `schema`.",
  schema: "Inline JSON Schema of an object, at most 100 KB. Without any schema the run is download-only.",
  prompt: "Guidance for the model, at most 20 KB. Ignored on download-only runs.",
  auto: "Start with text and use audio and video only if needed. Requires `maxSpendCredits`.",
  force: "Do not reuse a cached result; the run is charged in full. Default false.",
  maxSpendCredits: "Most credits that an `auto` run may cost; at least the price of its cheapest step.",
  maxCredits: "A run that costs more is rejected before any debit. Default: limited only by the balance.",
  maxAgeSeconds:
    "Maximum age of a reused result; 0 disables reuse. Default: the 30 days of the result cache.",
  policy:
    "If a requested input does not exist: `strict` fails the run, `fallback` (default) continues with a " +
    "warning, `best-effort` continues silently.",
  evidence:
    "`attach` (default): values come with the quotes they were read from, if any are found. `require`: a " +
    "value without a quote becomes null if the schema allows it, else the outcome is `uncertain`. Ignored " +
    "on download-only runs.",
  language:
    "Language of the transcript (BCP 47, such as `en` or `pt-BR`), from subtitles made by people or " +
    "automatic captions, never from a machine translation. Default: the original language. If it is not " +
    "available, `strict` fails the run; otherwise the transcript is in another language, preferably the " +
    "original.",
  captions:
    "Whose captions become the transcript: `any` (default) takes those made by people before automatic ones, " +
    "`people` and `automatic` only their own. If there are none of these, the transcript is `not_found`.",
  speech:
    "If a video has no captions, or none of the chosen kind, transcribe its audio with the server's speech model. " +
    "Adds the price of the audio download and the audio rate of the AI pass, which is refunded if there were " +
    "captions. Default false.",
  parts: "What a download-only run fetches; all four by default. Not with `schema` or `schemaId`.",
  webhookUrl: "Public https URL that receives `extraction.completed` or `extraction.failed` of this run."
});

export const SubmitBody = described(
  "SubmitBody",
  "What to extract. Unknown fields are rejected.",
  SUBMIT_FIELDS
).annotate({
  examples: [
    { url: "https://video.example/watch/42", parts: ["transcript", "audio"] },
    {
      url: "https://news.example/article",
      schema: { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] }
    }
  ] as never
});

export const ProbeBody = described(
  "ProbeBody",
  "The body that will be submitted. Fields that do not affect the price are ignored.",
  SUBMIT_FIELDS
).annotate({
  examples: [{ url: "https://video.example/watch/42", parts: ["transcript", "audio"] }] as never
});

export const SubmitResponse = described(
  "SubmitResponse",
  "The new extraction or, on a replay, the existing one.",
  {
    id: field(Schema.String, "Id for reading status, result and files.", "ext_01hzx3"),
    status: field(ExtractionStatus, "Current status of the extraction.", "pending"),
    url: field(Schema.String, "As submitted.", "https://video.example/watch/42"),
    creditsDebited: field(Credits, "Debited at submit; 0 if the result was reused.", 230),
    createdAt: field(DateTime, "When it was submitted.", "2026-11-21T08:00:00.000Z")
  }
).pipe(fromCore({ createdAt: "createdAtMs" }));

// The wire shape of a probe's answer.

const Unavailable = described("UnavailableInput", "A requested input or part that is not available.", {
  input: field(Modality, "The requested input or part."),
  reason: field(
    Schema.Literals(["not_offered", "not_found"]),
    "`not_offered`: it was named in the request, but this kind of source never has it; `not_found`: " +
      "this source has none."
  )
});

export const ProbeResponse = described(
  "ProbeResponse",
  "What the source has, and what the same body costs as a submit.",
  {
    url: field(Schema.String, "As sent.", "https://video.example/watch/42"),
    kind: field(SourceKind, "Kind of the source.", "video"),
    durationSec: field(
      Schema.NullOr(Schema.Finite),
      "Null if the platform does not report it, and for webpages. A video of unknown duration is debited " +
        "as 300 s, or as its `range` if that is shorter.",
      213
    ),
    title: field(TextOrNull, "Title of the content.", "A talk"),
    hasSubtitles: field(
      Schema.Boolean,
      "Whether there are captions of the chosen kind (`captions`), which become the transcript.",
      true
    ),
    hasComments: field(Schema.Boolean, "Whether comments are available.", true),
    imageCount: field(
      Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
      "Number of slides of a photo post; 0 otherwise.",
      0
    ),
    captionLanguages: field(
      Schema.Array(CaptionLanguage),
      "Languages of all captions (BCP 47, `und` if unknown), with their origin: `people`, or `automatic` " +
        "speech recognition.",
      [{ language: "en", origin: "people" }]
    ),
    chapters: field(
      Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
      "Number of chapters set by the publisher.",
      0
    ),
    thumbnail: field(
      TextOrNull,
      "Absolute path of its picture on this server, usable as `src` in pages of the same host: a small one of " +
        "the source, or the stored one of a result that is reused or read again. Null if there is none.",
      "/v1/probe/thumbnail?url=https%3A%2F%2Fvideo.example%2Fwatch%2F42"
    ),
    price: field(Price, "The quote."),
    cached: field(
      Schema.Boolean,
      "Whether a submit of this body would be served from a recent identical extraction, free of charge.",
      false
    ),
    extractionId: field(
      TextOrNull,
      "The account's extraction whose result would be served; null unless `cached` is true.",
      null
    ),
    unavailable: field(
      Schema.Array(Unavailable),
      "Requested inputs or parts that are not available. With `strict` the run would fail, else it " +
        "continues without them.",
      []
    ),
    aiConfigured: field(
      Schema.Boolean,
      "Whether this server has a language model; without one, a submit with a schema is rejected.",
      true
    ),
    speechConfigured: field(
      Schema.Boolean,
      "Whether this server has a speech model; without one, `speech` is rejected.",
      true
    )
  }
);
export type ProbeResponse = typeof ProbeResponse.Type;
