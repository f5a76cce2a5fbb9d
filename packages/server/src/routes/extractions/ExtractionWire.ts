/** Wire shapes of an extraction in lists and reads, and of its events. Tests: bodies.test.ts, reads.test.ts. */
import * as Schema from "effect/Schema";
import { Integer } from "@winnow/core/domain/text/Integer";
import { Credits } from "@winnow/core/domain/money/Credits";
import { Outcome } from "@winnow/core/domain/evidence/Verdict";
import { MadeBy } from "@winnow/core/domain/request/Requester";
import { FailureReason } from "@winnow/core/domain/source/Failed";
import { SourceKind } from "@winnow/core/domain/source/SourceFacts";
import { WireRange } from "@winnow/core/domain/source/TimeRange";
import { ExtractionPhase, ExtractionStatus } from "@winnow/core/domain/run/Transition";
import { DateTimeText, described, field, pageSchema, TextOrNull } from "../../http/openapi/described.ts";
import { RunStep } from "@winnow/core/domain/run/RunProgress";
import { Modality } from "@winnow/core/domain/source/Modality";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import { Price } from "./PriceWire.ts";
import { CompleteResult, FailedResult } from "./ResultWire.ts";

const fields = {
  id: field(Schema.String, "Id for reading status, result and files.", "ext_01hzx3"),
  url: field(Schema.String, "As submitted.", "https://video.example/watch/42"),
  status: field(ExtractionStatus, "`complete` and `failed` are final.", "complete"),
  createdAt: field(DateTimeText, "When it was submitted.", "2026-11-21T08:00:00.000Z"),
  completedAt: field(
    Schema.NullOr(DateTimeText),
    "When it completed or failed; null until then.",
    "2026-11-21T08:00:41.000Z"
  ),
  creditsDebited: field(Credits, "Debited at submit and never changed; 0 if the result was reused.", 230),
  creditsRefunded: field(Credits, "Refunded when the extraction ended; the whole debit if it failed.", 20),
  cached: field(Schema.Boolean, "Whether the result was reused from a recent identical extraction.", false),
  outcome: field(
    Schema.NullOr(Outcome),
    "Verdict of an AI run; null on download-only runs and until the extraction has ended.",
    null
  ),
  title: field(TextOrNull, "Title of the content, at most 500 characters; null while unknown.", "A talk"),
  kind: field(Schema.NullOr(SourceKind), "Kind of source; null while unknown.", "video"),
  durationSec: field(
    Schema.NullOr(Schema.Finite),
    "Seconds: measured if the media was downloaded, else as reported by the source; null while unknown.",
    213
  ),
  range: field(
    Schema.optionalKey(WireRange),
    "The stretch of the video that was asked for, of which `durationSec` is; absent for the whole."
  ),
  thumbnail: field(
    TextOrNull,
    "Absolute path of the stored thumbnail on this server, usable as `src` in pages of the same host; null " +
      "if there is none.",
    "/v1/extractions/ext_01hzx3/files/thumbnail.jpg"
  ),
  madeBy: field(MadeBy, "`web` for the web app, `mcp` for an MCP client, `api` for everything else.", "api"),
  apiKeyName: field(
    TextOrNull,
    "Name of the API key that submitted it, at that time; null if none did.",
    "Nightly import"
  ),
  queuePosition: field(
    Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
    "With status `queued`: its place among the account's waiting extractions, 1 for the next that starts. Absent beyond " +
      "1,000, and while its batch is paused."
  ),
  valuesToCheck: field(
    Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
    "With outcome `ok`: values that no passage supports and that nobody has corrected or accepted. Absent if there are none."
  ),
  batchId: field(
    Schema.optionalKey(Schema.String),
    "The batch that it is an item of; absent for a single submit."
  ),
  batchName: field(Schema.optionalKey(Schema.String), "Name of that batch."),
  fromExtraction: field(
    Schema.optionalKey(Schema.String),
    "The extraction whose stored files it read again; absent for one that fetched its URL."
  ),
  verdictReason: field(
    Schema.optionalKey(Schema.String),
    "One sentence; only with `no_match` and `uncertain`."
  ),
  error: field(Schema.optionalKey(Schema.String), "Human-readable reason; only with status `failed`."),
  failureReason: field(
    Schema.optionalKey(FailureReason),
    "Its code, as in the result; only with status `failed`. `cancelled`: somebody stopped it."
  )
};

export const ExtractionItem = described("Extraction", "An extraction of the account.", fields);
export type ExtractionItem = typeof ExtractionItem.Type;

export const ExtractionDetail = described("ExtractionDetail", "An extraction with its phase and price.", {
  ...fields,
  phase: field(ExtractionPhase, "Simplified status.", "done"),
  price: field(
    Price,
    "What `creditsDebited` is made of, at the prices of that debit: a video of unknown duration as at most 300 s, `auto` " +
      "by the most expensive step within `maxSpendCredits`. What came back of it is `creditsRefunded`."
  )
});
export type ExtractionDetail = typeof ExtractionDetail.Type;

export const ExtractionPage = pageSchema("ExtractionPage", "One page of extractions.", ExtractionItem);
export type ExtractionPage = typeof ExtractionPage.Type;

// Events of a run as a stream of server-sent events (WHATWG HTML, "Server-sent events").

export const ExtractionProgress = described(
  "ExtractionProgress",
  "Progress of an extraction: the data of a `progress` event.",
  {
    phase: field(ExtractionPhase, "Phase of the extraction: `queued` or `processing`."),
    step: field(Schema.NullOr(RunStep), "Current step of the run; null while it waits."),
    percent: field(Schema.NullOr(Schema.Finite), "Progress of the step, 0 to 100; null if unknown."),
    bytes: field(Integer, "Bytes fetched so far."),
    rung: field(
      Schema.NullOr(Schema.Array(Modality)),
      "With `auto`: the inputs of the current step. Null otherwise."
    ),
    doneSec: field(
      Schema.optionalKey(Schema.Finite),
      "With step `transcribing`: seconds of the recording that are transcribed."
    ),
    totalSec: field(
      Schema.optionalKey(Schema.Finite),
      "With step `transcribing`: seconds of the whole recording."
    )
  }
).annotate({
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
  ] as never
});
export type ExtractionProgress = typeof ExtractionProgress.Type;

/** Each event; the handler writes the stream. `data` is JSON. */
export const EventStream = Schema.Union([
  Schema.Struct({
    event: Schema.Literal("progress"),
    // Otherwise the schema of the encoded string would take the component's name.
    data: Schema.fromJsonString(Schema.suspend(() => ExtractionProgress))
  }),
  Schema.Struct({
    event: Schema.Literal("result"),
    data: Schema.fromJsonString(Schema.Union([CompleteResult, FailedResult]))
  })
]).pipe(HttpApiSchema.asJson({ contentType: "text/event-stream" }));
