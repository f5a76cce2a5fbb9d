/**
 * Bodies of submit and probe and the answer to a submit, as the specification names them.
 *
 * They describe; the rules are checked by core/domain/SubmitBody, which names the field and the remedy.
 */
import * as Schema from "effect/Schema";
import { Credits } from "@winnow/core/domain/Credits";
import * as Domain from "@winnow/core/domain/SubmitBody";
import { ExtractionStatus } from "@winnow/core/domain/Transition";
import { DateTime, described } from "./described.ts";

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
  auto: "Start with text and climb to audio and video only where needed. Requires `maxSpendCredits`.",
  force: "Skip the result cache and run afresh, billed as fresh. Default false.",
  maxSpendCredits: "Spend ceiling in credits of an `auto` run; at least the price of its cheapest step.",
  maxCredits: "A run that costs more is refused before any debit. Default: no limit but the balance.",
  maxAgeSeconds:
    "A result that is reused must not be older; 0 looks up none. Default: the 30 days of the result cache.",
  policy:
    "When a requested input does not exist: `strict` fails the run, `fallback` (default) goes on and warns, " +
    "`best-effort` goes on silently.",
  evidence:
    "`attach` (default): values come with the words they were read from, where any are found. `require`: a value " +
    "without them becomes null where the schema allows that, else the outcome is `uncertain`. Ignored on " +
    "download-only runs.",
  language:
    "Language of the transcript (BCP 47, as `en` or `pt-BR`), from subtitles made by people or of the spoken " +
    "words, never a machine translation. Default: the original language. Where there is none, `strict` fails " +
    "the run, else the transcript is in another: the original one where its subtitles are there.",
  speech:
    "Where a video has no captions, have its sound written down by the server's speech model. The audio download " +
    "and the audio rate of the AI pass come on top, and come back when captions were there. Default false.",
  parts: "Download-only: what to fetch; all four by default. Not with `schema` or `schemaId`.",
  webhookUrl: "Public https URL that receives `extraction.completed` or `extraction.failed` of this run."
};

export const SubmitBody = described(fields, {
  identifier: "SubmitBody",
  description: "What to extract. Unknown fields are refused.",
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
  description: "The body that will be submitted; fields that do not bear on the price are ignored.",
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
    description: "The extraction that was made, or that the replayed key made.",
    fields: {
      id: "Use it for polling, results and files.",
      status: "Where the extraction stands now.",
      url: "As submitted.",
      creditsDebited: "Debited up-front; 0 when served from a recent identical extraction.",
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
