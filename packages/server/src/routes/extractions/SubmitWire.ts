/**
 * Bodies of submit and probe and the submit response.
 *
 * These schemas are for documentation; core/domain/run/SubmitBody validates, with errors that name the field and
 * the remedy.
 */
import * as Schema from "effect/Schema";
import { Credits } from "@winnow/core/domain/money/Credits";
import * as Domain from "@winnow/core/domain/run/SubmitBody";
import { ExtractionStatus } from "@winnow/core/domain/run/Transition";
import { DateTime, described } from "../../http/openapi/described.ts";

const Url = Schema.String.annotate({ format: "uri" });

const fields = { ...Domain.SubmitBody.fields, url: Url, webhookUrl: Schema.optionalKey(Url) };

const texts = {
  url: "Public URL of a video, a photo post or carousel, or an article.",
  inputs:
    "What the AI pass reads; needs `schema` or `schemaId`. Default `[transcript, comments]`. Sets the price.",
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
  speech:
    "If a video has no captions, transcribe its audio with the server's speech model. Adds the price of the " +
    "audio download and the audio rate of the AI pass, which is refunded if there were captions. Default " +
    "false.",
  parts: "What a download-only run fetches; all four by default. Not with `schema` or `schemaId`.",
  webhookUrl: "Public https URL that receives `extraction.completed` or `extraction.failed` of this run."
};

export const SubmitBody = described(fields, {
  identifier: "SubmitBody",
  description: "What to extract. Unknown fields are rejected.",
  fields: texts,
  examples: [
    { url: "https://video.example/watch/42", parts: ["transcript", "audio"] },
    {
      url: "https://news.example/article",
      schema: { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] }
    }
  ]
});

export const ProbeBody = described(fields, {
  identifier: "ProbeBody",
  description: "The body that will be submitted. Fields that do not affect the price are ignored.",
  fields: texts,
  examples: [{ url: "https://video.example/watch/42", parts: ["transcript", "audio"] }]
});

export const SubmitResponse = described(
  {
    id: Schema.String,
    status: ExtractionStatus,
    url: Schema.String,
    creditsDebited: Credits,
    createdAt: DateTime
  },
  {
    identifier: "SubmitResponse",
    description: "The new extraction or, on a replay, the existing one.",
    fields: {
      id: "Id for reading status, result and files.",
      status: "Current status of the extraction.",
      url: "As submitted.",
      creditsDebited: "Debited at submit; 0 if the result was reused.",
      createdAt: "When it was submitted."
    },
    examples: [
      {
        id: "ext_01hzx3",
        status: "pending",
        url: "https://video.example/watch/42",
        creditsDebited: 230,
        createdAt: "2026-11-21T08:00:00.000Z"
      }
    ]
  }
);
export type SubmitResponse = typeof SubmitResponse.Type;
