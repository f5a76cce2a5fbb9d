/**
 * Wire shapes of an extraction in lists and reads, and of its events.
 */
import * as Schema from "effect/Schema";
import { Credits } from "@winnow/core/domain/money/Credits";
import { Outcome } from "@winnow/core/domain/evidence/Verdict";
import { MadeBy } from "@winnow/core/domain/request/Requester";
import { FailureReason } from "@winnow/core/domain/source/Failed";
import { SourceKind } from "@winnow/core/domain/source/SourceFacts";
import { ExtractionPhase, ExtractionStatus } from "@winnow/core/domain/run/Transition";
import { DateTime, described, pageSchema } from "../../http/openapi/described.ts";
import { RunStep } from "@winnow/core/domain/run/RunProgress";
import { Modality } from "@winnow/core/domain/source/Modality";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import { EXAMPLE_PRICE, Price } from "./PriceWire.ts";
import { CompleteResult, FailedResult } from "./ResultWire.ts";

const fields = {
  id: Schema.String,
  url: Schema.String,
  status: ExtractionStatus,
  createdAt: DateTime,
  completedAt: Schema.NullOr(DateTime),
  creditsDebited: Credits,
  creditsRefunded: Credits,
  cached: Schema.Boolean,
  outcome: Schema.NullOr(Outcome),
  title: Schema.NullOr(Schema.String),
  kind: Schema.NullOr(SourceKind),
  durationSec: Schema.NullOr(Schema.Finite),
  thumbnail: Schema.NullOr(Schema.String),
  madeBy: MadeBy,
  apiKeyName: Schema.NullOr(Schema.String),
  queuePosition: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
  valuesToCheck: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
  batchId: Schema.optionalKey(Schema.String),
  fromExtraction: Schema.optionalKey(Schema.String),
  verdictReason: Schema.optionalKey(Schema.String),
  error: Schema.optionalKey(Schema.String),
  failureReason: Schema.optionalKey(FailureReason)
};

const texts = {
  id: "Id for reading status, result and files.",
  url: "As submitted.",
  status: "`complete` and `failed` are final.",
  createdAt: "When it was submitted.",
  completedAt: "When it completed or failed; null until then.",
  creditsDebited: "Debited at submit and never changed; 0 if the result was reused.",
  creditsRefunded: "Refunded when the extraction ended; the whole debit if it failed.",
  cached: "Whether the result was reused from a recent identical extraction.",
  outcome: "Verdict of an AI run; null on download-only runs and until the extraction has ended.",
  title: "Title of the content, at most 500 characters; null while unknown.",
  kind: "Kind of source; null while unknown.",
  durationSec:
    "Seconds: measured if the media was downloaded, else as reported by the source; null while unknown.",
  thumbnail:
    "Absolute path of the stored thumbnail on this server, usable as `src` in pages of the same host; null " +
    "if there is none.",
  madeBy: "`web` for the web app, `mcp` for an MCP client, `api` for everything else.",
  apiKeyName: "Name of the API key that submitted it, at that time; null if none did.",
  queuePosition:
    "With status `queued`: its place among the account's waiting extractions, 1 for the next that starts. Absent beyond " +
    "1,000, and while its batch is paused.",
  valuesToCheck:
    "With outcome `ok`: values that no passage supports and that nobody has corrected or accepted. Absent if there are none.",
  batchId: "The batch that it is an item of; absent for a single submit.",
  fromExtraction: "The extraction whose stored files it read again; absent for one that fetched its URL.",
  verdictReason: "One sentence; only with `no_match` and `uncertain`.",
  error: "Human-readable reason; only with status `failed`.",
  failureReason: "Its code, as in the result; only with status `failed`. `cancelled`: somebody stopped it."
};

const example = {
  id: "ext_01hzx3",
  url: "https://video.example/watch/42",
  status: "complete",
  createdAt: "2026-11-21T08:00:00.000Z",
  completedAt: "2026-11-21T08:00:41.000Z",
  creditsDebited: 230,
  creditsRefunded: 20,
  cached: false,
  outcome: null,
  title: "A talk",
  kind: "video",
  durationSec: 213,
  thumbnail: "/v1/extractions/ext_01hzx3/files/thumbnail.jpg",
  madeBy: "api",
  apiKeyName: "Nightly import"
};

export const ExtractionItem = described(fields, {
  identifier: "Extraction",
  description: "An extraction of the account.",
  fields: texts,
  examples: [example]
});
export type ExtractionItem = typeof ExtractionItem.Type;

export const ExtractionDetail = described(
  { ...fields, phase: ExtractionPhase, price: Price },
  {
    identifier: "ExtractionDetail",
    description: "An extraction with its phase and price.",
    fields: {
      ...texts,
      phase: "Simplified status.",
      price:
        "What `creditsDebited` is made of, at the prices of that debit: a video of unknown duration as 300 s, `auto` " +
        "by the most expensive step within `maxSpendCredits`. What came back of it is `creditsRefunded`."
    },
    examples: [{ ...example, phase: "done", price: EXAMPLE_PRICE }]
  }
);
export type ExtractionDetail = typeof ExtractionDetail.Type;

export const ExtractionPage = pageSchema(ExtractionItem, {
  identifier: "ExtractionPage",
  description: "One page of extractions.",
  example: example
});
export type ExtractionPage = typeof ExtractionPage.Type;

// Events of a run as a stream of server-sent events (WHATWG HTML, "Server-sent events").

export const ExtractionProgress = described(
  {
    phase: ExtractionPhase,
    step: Schema.NullOr(RunStep),
    percent: Schema.NullOr(Schema.Finite),
    bytes: Schema.Int,
    rung: Schema.NullOr(Schema.Array(Modality)),
    doneSec: Schema.optionalKey(Schema.Finite),
    totalSec: Schema.optionalKey(Schema.Finite)
  },
  {
    identifier: "ExtractionProgress",
    description: "Progress of an extraction: the data of a `progress` event.",
    fields: {
      phase: "Phase of the extraction: `queued` or `processing`.",
      step: "Current step of the run; null while it waits.",
      percent: "Progress of the step, 0 to 100; null if unknown.",
      bytes: "Bytes fetched so far.",
      rung: "With `auto`: the inputs of the current step. Null otherwise.",
      doneSec: "With step `transcribing`: seconds of the recording that are transcribed.",
      totalSec: "With step `transcribing`: seconds of the whole recording."
    },
    examples: [
      { phase: "processing", step: "fetching", percent: 42.5, bytes: 1_048_576, rung: null },
      {
        phase: "processing",
        step: "transcribing",
        percent: 25,
        bytes: 1_048_576,
        rung: null,
        doneSec: 825,
        totalSec: 3300
      }
    ]
  }
);
export type ExtractionProgress = typeof ExtractionProgress.Type;

/** `data` is JSON. */
export const EventStream = HttpApiSchema.StreamSse({
  events: Schema.Union([
    Schema.Struct({
      event: Schema.Literal("progress"),
      // In a union, because otherwise the schema of the encoded string would take the component's name.
      data: Schema.fromJsonString(Schema.Union([ExtractionProgress]))
    }),
    Schema.Struct({
      event: Schema.Literal("result"),
      data: Schema.fromJsonString(Schema.Union([CompleteResult, FailedResult]))
    })
  ])
});
